"""Factory's Droid: how its session files become Runs, and its hooks, which speak as Claude Code's do."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.droid"
AGENT = Agent(
    "droid",
    "Droid",
    parts={
        "source": f"{_HERE}.source:Droid",
        "hooks": f"{_HERE}.source:Droid",
        "install": f"{_HERE}.install:INSTALL",
    },
    told=ToldAt(prompt="in `exec` at the first tool"),
    client="droid",
    variables=Variables(borrows="DROID_PLUGIN_ROOT"),
)
