"""Codex: command line, desktop app, IDE extension and `exec`. How its rollout files become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

_HERE = "memlane.agents.codex"
AGENT = Agent(
    "codex",
    "Codex",
    parts={
        "source": f"{_HERE}.source:Codex",
        "hooks": f"{_HERE}.source:Codex",
        "plugin_loader": f"{_HERE}.plugin_loader",
        "resume": f"{_HERE}.notes:RESUME",
        "own_notes": f"{_HERE}.notes:NOTES",
        "headless": f"{_HERE}.headless:CodexHeadless",
    },
    variables=Variables(
        shell=("CODEX_THREAD_ID",),
        run=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
        homes=("CODEX_HOME",),
        plugin="PLUGIN_ROOT",
        inherited=(r"CODEX_THREAD\w*",),
    ),
)
