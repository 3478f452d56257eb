"""Neutral runs: JSON lines any program can write, so that no conversation set needs an adapter of its own."""

from memlane.sources.neutral.source import Neutral

__all__ = ["Neutral"]
