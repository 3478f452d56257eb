"""Pi: how its session files, each a tree of entries, become Runs."""

from memlane.agents.pi.source import Pi

__all__ = ["Pi"]
