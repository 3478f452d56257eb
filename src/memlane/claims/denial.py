"""Does one title deny what the other asks for? Pure words, English and some German; what it cannot read is no denial.

A title is read clause by clause. Two clauses are opposed when they speak of the same things and one forbids what the
other asks or allows, gives another value, another of two ways, or the other order. One more word that narrows a clause
("deploy docs on Friday") makes it an exception: both can hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.claims.agreement import root
from memlane.claims.meaning import GRAMMAR
from memlane.claims.opposites import (
    ADVERBS,
    EVERY,
    EXCLUSIVE,
    LIGHT,
    NO,
    NUMBERED,
    ONE_VALUE,
    OPPOSITES,
    PERMITS,
    UNITS,
)  # fmt: skip

_CLAUSE = re.compile(
    r"[;,()]|[.:!?](?=\s|$)|\s[-–—]\s"
    r"|\b(?:because|since|so that|as long as|but|whereas|while|weil|denn|da|aber|sondern)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"--?\w[\w-]*|\d{1,2}:\d\d|\d+(?:[.,]\d+)*%?|[^\W\d_](?:[\w./:@+#-]*\w)?/?", re.UNICODE)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of|over|statt|anstatt|anstelle von)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|on|for|at|when|under|inside|during|with|bei|für|auf)\b", re.IGNORECASE)
_PASSIVE = re.compile(r"\b(?:not|never) (?:used|allowed|wanted|needed|supported)\b(?: any ?more)?\s*$", re.IGNORECASE)
_AT_MOST = re.compile(r"\b(?:not|no|nicht) (?:\w+ )?(?:more|mehr) (?:than|als)\b", re.IGNORECASE)
_NOWHERE = re.compile(r",?(?: and)? nowhere(?: else)?\b|,? (?:and )?nirgends sonst\b", re.IGNORECASE)
_NOT_THAT = frozenset({"not", "never", "nicht", "nie"})
_SHORT = 2  # words of a clause that says only what is not
_OVER = re.compile(r"\b(?:no longer|not any ?more|not anymore|nicht mehr|any ?more)\b", re.IGNORECASE)
_FEWEST = 2  # words that both clauses are about


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause speaks of, whether all of it is forbidden, which words it puts aside, and its figures."""

    words: frozenset[str] = frozenset()
    denies: bool = False
    aside: frozenset[str] = frozenset()
    figures: tuple[tuple[str, str, bool], ...] = ()  # the number, its unit, whether nothing follows it
    order: tuple[frozenset[str], str, frozenset[str]] | None = None  # this before or after that
    one_value: bool = False
    states: bool = False  # says what is, not what to do


def opposed(title: str, other: str, free: frozenset[str] = frozenset()) -> bool:
    """`free` are words both share by where they hold: the name of the project."""
    here, there = (list(_clauses(text, free)) for text in (title, other))
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
    if len(differ) != 1 or (len(one.words) < _FEWEST and not one.one_value and not other.states):
        return False
    (number, unit, last), (other_number, other_unit, other_last) = differ[0]
    measured = (last and other_last) or (one.one_value and other.one_value)
    return number != other_number and unit == other_unit and measured


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
    spoken = frozenset(word for clause in here for word in clause.words | clause.aside)
    asking = sum(bool(clause.words) for clause in there)
    for clause in there:
        silent = clause.denies or clause.figures or clause.order or (len(clause.words) == 1 and asking > 1)
        wanted = any(one.aside and one.aside <= clause.words and _keeps(there, one.aside) for one in here)
        if wanted and not silent and clause.words <= spoken:
            return True
    return False


def _keeps(clauses: Sequence[Clause], words: frozenset[str]) -> bool:
    return not any(words & clause.aside for clause in clauses)


# -- reading a title --------------------------------------------------------------------------------------------------


def _clauses(title: str, free: frozenset[str]) -> Iterator[Clause]:
    """What stands before a colon belongs to all that follows: "In quarry: use tabs, not spaces"."""
    text = _AT_MOST.sub(" at most ", _NOWHERE.sub("", title.replace("’", "'").replace("n't", " not")))
    lead, _, rest = text.rpartition(": ")
    for number, piece in enumerate(_pieces(rest)):
        opening = piece.split()[0].lower()
        clause = _read(f"{lead} {piece}", free)
        if clause is not None and number and opening in _NOT_THAT:  # ", not tabs": only put aside
            yield Clause(aside=clause.words | clause.aside)
        elif clause is not None:
            yield clause


def _pieces(text: str) -> list[str]:
    """Where something holds belongs to what was said last of what is asked: "Use spaces, not tabs, in the Makefile"."""
    pieces: list[str] = []
    for piece in filter(str.strip, _CLAUSE.split(text)):
        asked = [at for at, one in enumerate(pieces) if one.split()[0].lower() not in _NOT_THAT]
        if asked and _PLACE.match(piece.strip()):
            pieces[asked[-1]] += f" {piece}"
        else:
            pieces.append(piece)
    return pieces


def _read(piece: str, free: frozenset[str]) -> Clause | None:
    kept, instead = _split_instead(piece)
    tokens = _TOKEN.findall(_OVER.sub(" not ", kept))
    lowered = [token.lower() for token in tokens]
    no = [at for at, word in enumerate(lowered) if word in NO]
    words, aside = _content(tokens, free), _content(_TOKEN.findall(instead), free)
    if not words and not aside:
        return None
    if no and len(words) <= _SHORT and (no[-1] == len(lowered) - 1 or _PASSIVE.search(kept)):
        aside = aside | words
    one_value, states = (any(word in kind for word in lowered) for kind in (ONE_VALUE, _IS))
    return Clause(words, bool(no), aside, tuple(_figures(lowered)), _order(tokens, free), one_value, states)


def _split_instead(piece: str) -> tuple[str, str]:
    """What is asked for with where it holds, and what is put aside for it."""
    found = _INSTEAD.search(piece)
    if found is None or (found[0].lower() == "over" and "prefer" not in piece.lower()):
        return piece, ""
    put, where = piece[found.end() :], ""
    place = _PLACE.search(put, 1)
    if place:
        put, where = put[: place.start()], put[place.start() :]
    return piece[: found.start()] + where, put


def _content(tokens: Sequence[str], free: frozenset[str]) -> frozenset[str]:
    """Roots of the words that carry meaning. What follows "every" widens, so it tells no clause from another."""
    words, skipping = set[str](), False
    for at, token in enumerate(tokens):
        lowered = token.lower()
        if lowered in EVERY:
            skipping = True
            continue
        word = root(token)
        if _is_light(lowered, word, tokens[at + 1 : at + 2]) or lowered[0].isdigit():
            skipping = skipping and lowered not in ("in", "on", "for", "at", "with", "is", "are")
            continue
        if not skipping and not {lowered, word} & free:
            words.add(word)
    return frozenset(words)


def _is_light(lowered: str, word: str, following: Sequence[str]) -> bool:
    if lowered in ("on", "an"):  # "is on", not "on Fridays"
        return bool(following) and following[0].lower() not in ("by", "in", "for", "at")
    if word in _OPPOSED or lowered == "without":
        return False
    return lowered in GRAMMAR or lowered in NO or lowered in PERMITS or lowered in ADVERBS or word in LIGHT


def _figures(lowered: Sequence[str]) -> Iterator[tuple[str, str, bool]]:
    for at, token in enumerate(lowered):
        if token[0].isdigit() and (at == 0 or lowered[at - 1] not in NUMBERED):
            rest = list(lowered[at + 1 :])
            unit = rest.pop(0) if rest and root(rest[0]) in UNITS else ""
            yield token, root(unit) if unit else "", all(word in GRAMMAR or word in ADVERBS for word in rest)


def _order(tokens: Sequence[str], free: frozenset[str]) -> tuple[frozenset[str], str, frozenset[str]] | None:
    for at, token in enumerate(tokens):
        when = _WHEN.get(token.lower())
        if when:
            left, right = _content(tokens[:at], free), _content(tokens[at + 1 :], free)
            return (left, when, right) if left and right else None
    return None


_WHEN = {"before": "before", "after": "after", "vor": "before", "nach": "after", "bevor": "before", "nachdem": "after"}
_OPPOSED = frozenset(word for pair in OPPOSITES for word in pair)
_IS = frozenset({"is", "are", "was", "ist", "sind"})
