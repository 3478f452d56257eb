"""Do two titles say the same words of different things? Who does what to whom, from where to where, what is on top.

"Copy it from staging to production" has all the words of "copy it from production to staging". Where the words between
them are the same, another order is another lesson; a sentence that is turned round has other words between them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memlane.claims.meaning import GRAMMAR

_WORD = re.compile(r"[^\W_](?:[\w./:@+#-]*\w)?")
_ARTICLES = frozenset({"a", "an", "the", "der", "die", "das", "den", "dem", "ein", "eine"})
_ORDERED = frozenset({"first", "last", "only", "second"})  # grammar, but it matters what they are said of
_SIDES = (("above", "below"), ("left", "right"), ("up", "down"), ("over", "under"), ("first", "last"))
REMEMBERED = 4096  # titles

Phrases = tuple[tuple[str, ...], ...]


def other_roles(title: str, other: str) -> bool:
    (between, said), (other_between, other_said) = _read(title), _read(other)
    turned_round = bool(said[0]) != bool(other_said[0])  # "before pushing, lint": what is said of what is the same
    if said != other_said and between == other_between and not turned_round:
        return _all(said) == _all(other_said)
    here, there = set(_tokens(title)), set(_tokens(other))
    return any(_turned(here, there, *pair) or _turned(there, here, *pair) for pair in _SIDES)


def _all(phrases: Phrases) -> list[str]:
    return sorted(word for phrase in phrases for word in phrase)


def _turned(here: set[str], there: set[str], one: str, opposite: str) -> bool:
    return one in here - there and opposite in there - here


@lru_cache(REMEMBERED)
def _read(title: str) -> tuple[tuple[str, ...], Phrases]:
    """The grammar of it, and the phrases that stand between."""
    between, phrases = list[str](), list[tuple[str, ...]]([()])
    for word in _tokens(title):
        if word in GRAMMAR and word not in _ORDERED:
            between.append(word)
            phrases.append(())
        else:
            phrases[-1] = (*phrases[-1], word)
    return tuple(between), tuple(phrases)


@lru_cache(REMEMBERED)
def _tokens(title: str) -> tuple[str, ...]:
    words = (word.lower() for word in _WORD.findall(title))
    return tuple(word for word in words if word not in _ARTICLES)
