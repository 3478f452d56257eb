"""Secrets that no single string holds: half in one step and half in the next, or named by the key above them.

Knows which strings are neighbours and what to put side by side; the scanner says what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from memlane.gate.families import Span
from memlane.gate.mask import encoded
from memlane.gate.walk import Leaf

REACH = 4096  # characters on each side of a border
LONGEST_VALUE = 400  # what is longer and secret tells so itself
_OPEN_ENDED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.:~%\"'$!@#*&\\")

Scan = Callable[[bytes], set[Span]]
Found = Iterator[tuple[int, Span]]  # the leaf's number, and where in its bytes


def over_borders(leaves: Sequence[Leaf], scan: Scan) -> Found:
    for before, after in sorted(_neighbours(leaves)):
        yield from _between(before, after, leaves, scan)


def _neighbours(leaves: Sequence[Leaf]) -> set[tuple[int, int]]:
    """Each string and the next, and each and the next of the same name: a step's text and the next step's text."""
    words = [number for number, leaf in enumerate(leaves) if leaf.text and not leaf.label]
    found = set(pairwise(words))
    by_name: dict[str, int] = {}
    for number in words:
        name = leaves[number].name
        if name in by_name:
            found.add((by_name[name], number))
        by_name[name] = number
    return found


def _between(before: int, after: int, leaves: Sequence[Leaf], scan: Scan) -> Found:
    left, right = leaves[before].text.rstrip(), leaves[after].text.lstrip()
    if not left or not right or left[-1] not in _OPEN_ENDED or right[0] not in _OPEN_ENDED:
        return
    skipped = len(encoded(left[:-REACH]))
    indent = len(encoded(leaves[after].text)) - len(encoded(right))
    tail, head = encoded(left[-REACH:]), encoded(right[:REACH])
    for span in scan(tail + b"\n" + head):
        if span.start < len(tail) and span.end > len(tail) + 1:
            yield before, Span(skipped + span.start, skipped + len(tail), span.rule)
            yield after, Span(indent, indent + span.end - len(tail) - 1, span.rule)


def under_names(leaves: Sequence[Leaf], scan: Scan) -> Found:
    for number, leaf in enumerate(leaves):
        if (
            leaf.in_mapping
            and leaf.name
            and 4 <= len(leaf.text) <= LONGEST_VALUE
            and len(leaf.text.split(None, 1)) == 1
        ):
            start = len(encoded(f'{leaf.name} = "'))
            for span in scan(encoded(f'{leaf.name} = "{leaf.text}"')):
                if span.end > start:
                    end = min(span.end - start, len(encoded(leaf.text)))
                    yield number, Span(max(0, span.start - start), end, span.rule)
