"""The part of a text that shows why it was found, with the found words marked."""

from __future__ import annotations

import re
from bisect import bisect_left

from memlane.domain.words import terms

WIDTH = 240
OPEN, CLOSE = "[", "]"
_WORD = re.compile(r"[^\s]+")


def snippet(text: str, wanted: frozenset[str], width: int = WIDTH) -> str:
    """One line around the densest place; words that match stand in brackets."""
    words = [(m.start(), m.end(), not wanted.isdisjoint(terms(m[0]))) for m in _WORD.finditer(text)]
    if not words:
        return ""
    start = _densest(words, width)
    shown = [(a, b, hit) for a, b, hit in words if a >= start and b <= start + width] or [words[0]]
    line = " ".join(f"{OPEN}{text[a:b]}{CLOSE}" if hit else text[a:b] for a, b, hit in shown)
    before = "… " if shown[0][0] > words[0][0] else ""
    after = " …" if shown[-1][1] < words[-1][1] else ""
    return f"{before}{line[: 2 * width]}{after}"


def _densest(words: list[tuple[int, int, bool]], width: int) -> int:
    hits = [start for start, _end, hit in words if hit]
    if not hits:
        return words[0][0]
    best = max(enumerate(hits), key=lambda hit: (bisect_left(hits, hit[1] + width) - hit[0], -hit[1]))[1]
    lead = width // 5
    return next(start for start, _end, _hit in words if start >= best - lead)
