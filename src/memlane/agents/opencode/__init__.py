"""OpenCode: one database of sessions, messages and parts, and the folders of files it had before."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

AGENT = Agent(
    "opencode",
    "OpenCode",
    parts={"source": "memlane.agents.opencode.source:OpenCode"},
    variables=Variables(shell=("OPENCODE",), run=("OPENCODE_SESSION_ID",)),
)
