"""Pi: how its session files, each a tree of entries, become Runs."""

from __future__ import annotations

from memlane.agents.agent import Agent, Variables

AGENT = Agent(
    "pi",
    "Pi",
    parts={"source": "memlane.agents.pi.source:Pi"},
    variables=Variables(shell=("PI_CODING_AGENT",), homes=("PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR")),
)
