"""Whether something was asked for before in the same Run: the same words of substance, in whatever order or form.

Other words for the same thing are left to whoever has an embedder.
"""

from __future__ import annotations

import re

from memlane.catch.phrases import plain

FEWEST = 3  # words of substance: "run the tests" again is work going on, not a habit
ALIKE = 0.6  # of the words of both
MOST = 40  # words: more is pasted
_WORD = re.compile(r"\S*[/\\]\S*|[^\W_]{2,}")  # a path or a link is one
_ENDINGS = re.compile(r"(?:ations?|ings?|edly|ed|ies|es|s|ly)$")
_EMPTY_WORDS = """
a about above again all also am an and any are as at be because been but by can could did do does doing don
for from get give go had has have how if in into is it its just let like make may me might more my need no not
now of off on one only or other our out over please really run same should show so some still sure take than
that the their them then there these they thing things this those to too try up us use very want was way we
well were what when where which while who why will with would yes you your ok okay hey hi hello thanks thank
great good nice
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


class Requests:
    """Those of one Run so far."""

    def __init__(self) -> None:
        self._seen: list[frozenset[str]] = []

    def add(self, text: str) -> bool:
        """Whether it was asked for before."""
        words = _words(text)
        if len(words) < FEWEST or len(text.split()) > MOST:
            return False
        before = any(_alike(words, other) for other in self._seen)
        self._seen.append(words)
        return before


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(plain(text)) if word not in _EMPTY)


def _stem(word: str) -> str:
    short = _ENDINGS.sub("", word)
    return short if len(short) >= 3 else word
