"""Some lines of a text, side by side, and the way back to where they stood.

Knows lines; the caller says which.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

from memlane.gate.engine import Pattern

REACH = 2048  # of a line, what is further from the place looked at is left out
NEVER = b"\xff"  # no text has this byte, no rule runs over it


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`here[i]` is where the line that started at `there[i]` starts now."""

    data: bytes
    here: list[int]
    there: list[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        return self._back(start), self._back(end - 1) + 1

    def _back(self, position: int) -> int:
        index = bisect_right(self.here, position) - 1
        return self.there[index] + position - self.here[index]


def lines_with(data: bytes, first: Callable[[bytes, int], int]) -> Excerpt:
    """The lines in which `first` finds something, from its first hit at or after a position on."""
    lines: list[bytes] = []
    here: list[int] = []
    there: list[int] = []
    size = position = 0
    while position < len(data) and (hit := first(data, position)) >= 0:
        start = data.rfind(b"\n", position, hit) + 1 or position
        end = data.find(b"\n", hit)
        end = len(data) if end < 0 else end
        lines.append(data[start:end])
        here.append(size)
        there.append(start)
        size += end - start + 1
        position = end + 1
    return Excerpt(b"\n".join(lines), here, there)


def line_pairs(data: bytes, border: Pattern) -> Excerpt:
    """Each line on whose end `border` matches with the line after it, and each chain of such lines as a whole.

    Each by itself, because what a pair is followed by in a chain may hide where a secret in it ends.
    """
    pairs: list[tuple[int, int]] = []
    chains: list[tuple[int, int]] = []
    hit = border.search(data)
    while hit:
        first, last = hit.span()
        start = max(data.rfind(b"\n", 0, first) + 1, first - REACH)
        end = data.find(b"\n", last, last + REACH)
        end = min(len(data), last + REACH) if end < 0 else end
        chained = bool(pairs) and start <= pairs[-1][1]
        chains.append((chains.pop()[0] if chained else start, end))
        pairs.append((start, end))
        hit = border.search(data, data.find(b"\n", first, last) + 1)
    return _of(data, [*pairs, *(chain for chain in chains if chain not in pairs)])


def _of(data: bytes, ranges: list[tuple[int, int]]) -> Excerpt:
    here: list[int] = []
    size = 0
    for start, end in ranges:
        here.append(size)
        size += end - start + len(NEVER)
    return Excerpt(NEVER.join(data[start:end] for start, end in ranges), here, [start for start, _ in ranges])
