"""Copilot CLI: how its event files, subagents and hooks among them, become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.copilot_cli"
AGENT = Agent(
    "copilot-cli",
    "Copilot CLI",
    parts={
        "source": f"{_HERE}.source:Copilot",
        "hooks": f"{_HERE}.source:Copilot",
        "install": f"{_HERE}.install:INSTALL",
        "own_notes": f"{_HERE}.notes:NOTES",
        "resume": f"{_HERE}.resume:CopilotResume",
        "headless": f"{_HERE}.headless:CopilotHeadless",
    },
    told=ToldAt(compaction="next prompt"),
    client="copilot",
    variables=Variables(shell=("COPILOT_CLI",), homes=("COPILOT_HOME",), borrows="COPILOT_CLI"),
)
