"""Pi: how its session files, each a tree of entries, become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, ToldAt, Variables

_HERE = "memlane.agents.pi"
AGENT = Agent(
    "pi",
    "Pi",
    parts={
        "source": f"{_HERE}.source:Pi",
        "hooks": f"{_HERE}.hooks:HOOKS",
        "install": f"{_HERE}.install:INSTALL",
        "headless": f"{_HERE}.headless:PiHeadless",
        "resume": f"{_HERE}.resume:PiResume",
    },
    told=ToldAt(compaction="next prompt"),
    client="pi",
    variables=Variables(shell=("PI_CODING_AGENT",), homes=("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR")),
)
