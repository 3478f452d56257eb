"""What differs between two texts, word by word: long stretches that stayed are left out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

Piece = tuple[str, str]  # "-", "+" or " ", and its words
LONGEST = 6000  # characters of each that are compared
AROUND = 8  # words on either side of a change that are shown
UNLIKE = 0.3  # below this the two are shown whole, one after the other
_WORDS = re.compile(r"\S+\s*")


def pieces(before: str, after: str) -> Sequence[Piece]:
    old, new = _WORDS.findall(before[:LONGEST]), _WORDS.findall(after[:LONGEST])
    compared = SequenceMatcher(None, [word.strip() for word in old], [word.strip() for word in new])
    if compared.ratio() < UNLIKE:
        return [("-", before), ("+", after)]
    found = list[Piece]()
    steps = compared.get_opcodes()
    for n, (_what, i, j, k, m) in enumerate(steps):
        if (same := old[i:j]) and _what == "equal":
            found.append((" ", "".join(_shortened(same, first=n == 0, last=n == len(steps) - 1))))
        else:
            found += [(sign, "".join(words)) for sign, words in (("-", old[i:j]), ("+", new[k:m])) if words]
    return found


def _shortened(words: Sequence[str], *, first: bool, last: bool) -> Iterator[str]:
    head, tail = 0 if first else AROUND, 0 if last else AROUND
    if len(words) <= head + tail + 3:
        yield from words
        return
    yield from words[:head]
    yield "… "
    yield from words[len(words) - tail :]
