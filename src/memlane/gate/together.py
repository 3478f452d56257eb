"""Many strings looked through as one: a Turn is a hundred short strings, and starting a look costs more than looking.

Also what no single string holds: half a secret in one step and half in the next, or a value named by the key above it.
Knows which strings belong together; the scanner says what is in them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

from memlane.gate.excerpt import NEVER
from memlane.gate.families import Span
from memlane.gate.mask import encoded
from memlane.gate.scan import Scanner
from memlane.gate.walk import Leaf

WORD, REACH, FAR = 80, 256, 8192  # characters on each side of a border: for a word, a secret, a key block
KEY_BLOCK = "PRIVATE KEY"
LONGEST_VALUE = 400  # what is longer and secret tells so itself
_BETWEEN = b"\n" + NEVER + b"\n"
_OPEN_ENDED = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.:~%\"'$!@#*&\\")
_DIGIT, _LETTER = re.compile(r"[0-9]"), re.compile(r"[A-Za-z]")

Found = Iterator[tuple[int, Span]]  # the string's number, and where in its bytes


def suspects(texts: Sequence[bytes], scanner: Scanner) -> set[int]:
    """Which are worth a look of their own: one look over all of them tells, as nothing runs from one into the next."""
    starts = list(accumulate((len(text) + len(_BETWEEN) for text in texts), initial=0))
    found: set[int] = set()
    for start, end in scanner.suspicious(_BETWEEN.join(texts), starts):
        found.update(range(bisect_right(starts, start) - 1, bisect_right(starts, end - 1)))
    return found


def under_names(leaves: Sequence[Leaf], scanner: Scanner) -> Found:
    """`{"password": …}`: what the value alone would not tell."""
    named = [
        (number, encoded(f'{leaf.name}="'), encoded(leaf.text))
        for number, leaf in enumerate(leaves)
        if leaf.in_mapping and leaf.name and 4 <= len(leaf.text) <= LONGEST_VALUE and len(leaf.text.split(None, 1)) == 1
    ]
    lines = [b'%s%s"' % (name, text) for _, name, text in named]
    for index in suspects(lines, scanner):
        number, name, text = named[index]
        for span in scanner.spans(lines[index]):
            if span.end > len(name):
                yield number, Span(max(0, span.start - len(name)), min(span.end - len(name), len(text)), span.rule)


def over_borders(leaves: Sequence[Leaf], scanner: Scanner) -> Found:
    """Half a secret at the end of one string, the rest at the start of the next."""
    pairs = [
        (before, after, reach) for before, after in _neighbours(leaves) if (reach := _reach(leaves, before, after))
    ]
    seams = [_seam(leaves[before].text, leaves[after].text, reach) for before, after, reach in pairs]
    for index in suspects([tail + b"\n" + head for tail, head in seams], scanner):
        before, after, reach = pairs[index]
        first, second = leaves[before].text, leaves[after].text
        found = list(_over_border(first, second, reach, scanner))
        if any(right.end >= REACH for _, right in found):  # it may be longer than what was looked at
            found = list(_over_border(first, second, FAR, scanner))
        for left, right in found:
            yield before, left
            yield after, right


def _seam(first: str, second: str, reach: int) -> tuple[bytes, bytes]:
    return encoded(first[-reach:].rstrip()), encoded(second[:reach].lstrip())


def _over_border(first: str, second: str, reach: int, scanner: Scanner) -> Iterator[tuple[Span, Span]]:
    tail, head = _seam(first, second, reach)
    skipped, indent = len(encoded(first[:-reach])), len(encoded(second[:reach])) - len(head)
    for span in scanner.spans(tail + b"\n" + head):
        if span.start < len(tail) and span.end > len(tail) + 1:
            yield (
                Span(skipped + span.start, skipped + len(tail), span.rule),
                Span(indent, indent + span.end - len(tail) - 1, span.rule),
            )


def _neighbours(leaves: Sequence[Leaf]) -> set[tuple[int, int]]:
    """Each string and the next, and each and the next of the same name: a step's text and the next step's text."""
    words = [number for number, leaf in enumerate(leaves) if leaf.text and not leaf.label]
    found = set(pairwise(words))
    by_name: dict[str, int] = {}
    for number in words:
        name = leaves[number].name
        found.add((by_name.get(name, number), number))
        by_name[name] = number
    return {(before, after) for before, after in found if before != after}


def _reach(leaves: Sequence[Leaf], before: int, after: int) -> int:
    """How far to look on both sides; 0 if no word goes on here: none with a digit and a letter touches the border."""
    first, second = leaves[before].text, leaves[after].text
    if KEY_BLOCK in first[-FAR:]:
        return FAR
    left, right = first[-WORD:].rstrip(), second[:WORD].lstrip()
    if not left or not right or left[-1] not in _OPEN_ENDED or right[0] not in _OPEN_ENDED:
        return 0
    words = left.rsplit(None, 1)[-1], right.split(None, 1)[0]
    return REACH if any(_DIGIT.search(word) and _LETTER.search(word) for word in words) else 0
