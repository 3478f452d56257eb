"""OpenCode: one database of sessions, messages and parts, and the folders of files it had before."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.opencode"
AGENT = Agent(
    "opencode",
    "OpenCode",
    parts={
        "source": f"{_HERE}.source:OpenCode",
        "hooks": f"{_HERE}.hooks:HOOKS",
        "install": f"{_HERE}.install:INSTALL",
        "headless": f"{_HERE}.headless:OpenCodeHeadless",
        "resume": f"{_HERE}.resume:OpenCodeResume",
    },
    told=ToldAt(compaction="next prompt"),
    client="opencode",
    variables=Variables(shell=("OPENCODE",), run=("OPENCODE_SESSION_ID",)),
)
