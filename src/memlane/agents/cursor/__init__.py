"""Cursor: two generations of databases and two of transcript files, one Source."""

from memlane.agents.cursor.source import Cursor

__all__ = ["Cursor"]
