"""Amp, as other people's plugins use its interface: it is told at prompts; its threads are not read."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt

_HERE = "memlane.agents.amp.hooks"
AGENT = Agent(
    "amp",
    "Amp",
    parts={"hooks": f"{_HERE}:HOOKS", "install": f"{_HERE}:INSTALL"},
    told=ToldAt(start="first prompt", file="", compaction=""),
)
