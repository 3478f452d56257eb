"""A Window that was read before all of it had arrived: which one that is, and which Memories it had given."""

from __future__ import annotations

import re
from collections.abc import Collection

from memlane.domain import Memory, Spot, Window

_KEY = re.compile(r"t(\d+)\.(\d+)-t(\d+)\.(\d+)-\w+")


def settled(read: Collection[str]) -> list[str]:
    """Windows that stay as they were read: all but the last, which may have ended before its Run did, and those that
    were read again as part of a longer one."""
    placed = sorted((ends(key), key) for key in read if _KEY.fullmatch(key))
    whole = [key for (first, last), key in placed if not any(f <= first and last < e for (f, e), _other in placed)]
    return whole[:-1]


def overlaps(key: str, window: Window) -> bool:
    first, last = ends(key)
    return key != window.key and first <= window.last and last >= window.first


def only_from(memory: Memory, window: Window, extractor: str) -> bool:
    """Made by this extractor out of this stretch of the Run, and not seen elsewhere since."""
    spots = {f"{window.run}#{spot}" for spot, _step in window.steps() if spot >= window.first}
    return memory.maker.split("@")[0] == extractor and all(e.step in spots for e in memory.evidence)


def ends(key: str) -> tuple[Spot, Spot]:
    """The first and the last Step of the Window that is known by this key."""
    found = _KEY.fullmatch(key)
    first_turn, first_step, last_turn, last_step = map(int, found.groups() if found else ("0",) * 4)
    return Spot(first_turn, first_step), Spot(last_turn, last_step)
