"""OpenCode: one database of sessions, messages and parts, and the folders of files it had before."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

_HERE = "memlane.agents.opencode"
AGENT = Agent(
    "opencode",
    "OpenCode",
    parts={"source": f"{_HERE}.source:OpenCode", "headless": f"{_HERE}.headless:OpenCodeHeadless"},
    variables=Variables(shell=("OPENCODE",), run=("OPENCODE_SESSION_ID",)),
)
