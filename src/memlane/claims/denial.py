"""Does one title deny what the other asks for? Pure words, English and some German; what it cannot read is no denial.

Two clauses are opposed when they speak of the same things and one forbids what the other asks or allows, gives another
value, another of two ways, or the other order. One more word that narrows a clause ("deploy docs on Friday") makes it
an exception: both can hold.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.claims.clauses import Clause, clauses
from memlane.claims.opposites import EXCLUSIVE, OPPOSITES

_FEWEST = 2  # words that both clauses are about


def opposed(title: str, other: str, free: frozenset[str] = frozenset()) -> bool:
    """`free` are words both share by where they hold: the name of the project."""
    here, there = clauses(title, free), clauses(other, free)
    if any(_deny(one, two) for one in here for two in there):
        return True
    return _put_aside(here, there) or _put_aside(there, here)


def _deny(one: Clause, other: Clause) -> bool:
    if _turned(one, other):
        return True
    if one.words == other.words and one.figures == other.figures:
        enough = len(one.words) >= _FEWEST
        return enough and one.denies != other.denies and one.order == other.order
    return (
        one.denies == other.denies and one.order == other.order and (_other_value(one, other) or _other_way(one, other))
    )


def _turned(one: Clause, other: Clause) -> bool:
    """Before, where the other says after; or the two sides have changed places."""
    if one.order is None or other.order is None or one.denies != other.denies:
        return False
    (left, when, right), (other_left, other_when, other_right) = one.order, other.order
    same = left == other_left and right == other_right
    swapped = left == other_right and right == other_left
    return (same and when != other_when) or (swapped and when == other_when)


def _other_value(one: Clause, other: Clause) -> bool:
    if one.words != other.words or len(one.figures) != len(other.figures) or not one.words:
        return False
    differ = [(a, b) for a, b in zip(one.figures, other.figures, strict=True) if a != b]
    if len(differ) not in (1, len(one.figures)) or (
        len(one.words) < _FEWEST and not one.one_value and not other.states
    ):
        return False
    one_value = one.one_value and other.one_value
    return bool(differ) and all(
        a.number != b.number and a.unit == b.unit and ((a.last and b.last) or one_value) for a, b in differ
    )


def _other_way(one: Clause, other: Clause) -> bool:
    """One word apart, and the two cannot both be: on and off, English and German."""
    mine, theirs = one.words - other.words, other.words - one.words
    if len(mine) != 1 or len(theirs) != 1 or not one.words & other.words or one.figures != other.figures:
        return False
    pair = frozenset(mine | theirs)
    shared = len(one.words & other.words)
    return pair in OPPOSITES or (shared >= _FEWEST and any(pair <= kind for kind in EXCLUSIVE))


def _put_aside(here: Sequence[Clause], there: Sequence[Clause]) -> bool:
    """One says "this, not that" or "instead of that"; the other asks for that, and speaks of nothing else."""
    asked, theirs = _asked(here), _asked(there)
    if any(one <= other or other <= one for one in asked for other in theirs):
        return False  # they ask for the same
    own = frozenset[str]().union(*asked)
    spoken = own.union(*(phrase for clause in here for phrase in (clause.words, *clause.aside)))
    phrases = [phrase for clause in here for phrase in clause.aside if phrase - own and _keeps(there, phrase)]
    asking = sum(bool(clause.words) for clause in there)
    for clause in there:
        silent = clause.denies or clause.figures or clause.order or (len(clause.words) == 1 and asking > 1)
        if not silent and clause.main <= spoken and any(phrase <= clause.main for phrase in phrases):
            return True
    return False


def _asked(clauses: Sequence[Clause]) -> list[frozenset[str]]:
    return [clause.words for clause in clauses if clause.words and not clause.denies]


def _keeps(clauses: Sequence[Clause], words: frozenset[str]) -> bool:
    return not any(words & phrase for clause in clauses for phrase in clause.aside)
