"""Cursor: two generations of databases and two of transcript files, one Source."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

_HERE = "memlane.agents.cursor"
AGENT = Agent(
    "cursor",
    "Cursor",
    parts={"source": f"{_HERE}.source:Cursor", "own_notes": f"{_HERE}.notes:NOTES"},
    variables=Variables(shell=("CURSOR_AGENT",), homes=("CURSOR_CONFIG_DIR",)),
)
