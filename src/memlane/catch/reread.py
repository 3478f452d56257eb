"""A Window that was read before all of it had arrived: which one that is, and which Memories it had given."""

from __future__ import annotations

from collections.abc import Collection

from memlane.domain import Memory, Window, window_ends


def settled(read: Collection[str]) -> list[str]:
    """Windows that stay as they were read: all but the last, which may have ended before its Run did, and those that
    were read again as part of a longer one."""
    placed = sorted((ends, key) for key in read if (ends := window_ends(key)))
    whole = [key for (first, last), key in placed if not any(f <= first and last < e for (f, e), _other in placed)]
    return whole[:-1]


def overlaps(key: str, window: Window) -> bool:
    ends = window_ends(key)
    return ends is not None and key != window.key and ends[0] <= window.last and ends[1] >= window.first


def only_from(memory: Memory, window: Window, extractor: str) -> bool:
    """Made by this extractor out of this stretch of the Run, and not seen elsewhere since."""
    spots = {f"{window.run}#{spot}" for spot, _step in window.steps() if spot >= window.first}
    return memory.maker.split("@")[0] == extractor and all(e.step in spots for e in memory.evidence)
