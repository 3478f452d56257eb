"""Devin's terminal program, as its documentation describes its hooks: it is told; its sessions are not read."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.devin.hooks"
AGENT = Agent(
    "devin",
    "Devin CLI",
    parts={"hooks": f"{_HERE}:DevinHooks", "install": f"{_HERE}:INSTALL"},
    told=ToldAt(compaction="next prompt"),
    variables=Variables(borrows="DEVIN_PROJECT_DIR"),
)
