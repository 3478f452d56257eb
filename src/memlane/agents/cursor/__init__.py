"""Cursor: two generations of databases and two of transcript files, one Source."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.cursor"
AGENT = Agent(
    "cursor",
    "Cursor",
    parts={
        "source": f"{_HERE}.source:Cursor",
        "hooks": f"{_HERE}.hooks:CursorHooks",
        "install": f"{_HERE}.install:INSTALL",
        "own_notes": f"{_HERE}.notes:NOTES",
    },
    told=ToldAt(prompt="if its engine keeps it", compaction="next prompt"),
    variables=Variables(shell=("CURSOR_AGENT",), homes=("CURSOR_CONFIG_DIR",), borrows="CURSOR_VERSION"),
)
