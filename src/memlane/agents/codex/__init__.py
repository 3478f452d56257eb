"""Codex: command line, desktop app, IDE extension and `exec`. How its rollout files become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.codex"
AGENT = Agent(
    "codex",
    "Codex",
    parts={
        "source": f"{_HERE}.source:Codex",
        "hooks": f"{_HERE}.source:Codex",
        "install": f"{_HERE}.install:INSTALL",
        "resume": f"{_HERE}.resume:CodexResume",
        "own_notes": f"{_HERE}.notes:NOTES",
        "headless": f"{_HERE}.headless:CodexHeadless",
    },
    told=ToldAt(file="read by a command"),
    client="codex",
    variables=Variables(
        shell=("CODEX_THREAD_ID",),
        run=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
        homes=("CODEX_HOME",),
        borrows="PLUGIN_ROOT",
        inherited=(r"CODEX_THREAD\w*",),
    ),
)
