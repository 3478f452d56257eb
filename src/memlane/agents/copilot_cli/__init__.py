"""Copilot CLI: how its event files, subagents and hooks among them, become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

_HERE = "memlane.agents.copilot_cli"
AGENT = Agent(
    "copilot-cli",
    "Copilot CLI",
    parts={
        "source": f"{_HERE}.source:Copilot",
        "hooks": f"{_HERE}.source:Copilot",
        "plugin_loader": f"{_HERE}.plugin_loader",
        "own_notes": f"{_HERE}.notes:NOTES",
        "headless": f"{_HERE}.headless:CopilotHeadless",
    },
    variables=Variables(shell=("COPILOT_CLI",), homes=("COPILOT_HOME",), plugin="COPILOT_CLI"),
)
