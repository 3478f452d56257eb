"""A title as the clauses it is made of: what each speaks of, forbids, puts aside, measures and orders. Pure words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memlane.claims.agreement import root
from memlane.claims.opposites import ADVERBS, EVERY, LIGHT, NO, NUMBERED, ONE_VALUE, OPPOSITES, PERMITS, UNITS
from memlane.claims.words import GRAMMAR

REMEMBERED = 8192  # titles: each is compared with some twenty others
_CLAUSE = re.compile(
    r"[;,()]|[.:!?](?=\s|$)|\s[-–—]\s"
    r"|\b(?:because|since|so that|as long as|but|whereas|while|weil|denn|da|aber|sondern)\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"--?\w[\w-]*|\d{1,2}:\d\d|\d+(?:[.,]\d+)*%?|[^\W\d_](?:[\w./:@+#-]*\w)?/?", re.UNICODE)
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of|over|statt|anstatt|anstelle von)\b", re.IGNORECASE)
_PLACE = re.compile(r"\b(?:in|on|for|at|when|under|inside|during|with|bei|für|auf)\b", re.IGNORECASE)
_ENDS = re.compile(rf"{_PLACE.pattern}|\b(?:and|und)\b", re.IGNORECASE)  # of what is put aside
_PASSIVE = re.compile(r"\b(?:not|never) (?:used|allowed|wanted|needed|supported)\b(?: any ?more)?\s*$", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:was|were|is|are|got) (?:removed|dropped|abandoned|retired|gone|replaced|given up)\b", re.IGNORECASE
)
_ADDED = re.compile(r"\b(?:with|that|which|mit)\b", re.IGNORECASE)
_OR = re.compile(r"\b(?:or|and|nor|oder|und)\b", re.IGNORECASE)
_COLON = re.compile(r":\s+")
_NAMED = 3  # words before a colon that say what is spoken of: more are a clause of their own
_FOR = frozenset({"before", "after", "for", "on", "in", "at", "with", "per", "vor", "nach", "für", "bei"})
_AT_MOST = re.compile(r"\b(?:not|no|nicht) (?:\w+ )?(?:more|mehr) (?:than|als)\b", re.IGNORECASE)
_NOWHERE = re.compile(r",?(?: and)? nowhere(?: else)?\b|,? (?:and )?nirgends sonst\b", re.IGNORECASE)
_NOT_THAT = frozenset({"not", "never", "nicht", "nie"})
_SHORT = 2  # words of a clause that says only what is not
_OVER = re.compile(r"\b(?:no longer|not any ?more|not anymore|nicht mehr|any ?more)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Figure:
    number: str
    unit: str
    last: bool  # nothing of weight follows it


@dataclass(frozen=True, slots=True)
class Clause:
    """What a clause speaks of, whether all of it is forbidden, which words it puts aside, and its figures."""

    words: frozenset[str] = frozenset()
    denies: bool = False
    aside: tuple[frozenset[str], ...] = ()
    main: frozenset[str] = frozenset()  # without what is only added: "numpy style with an example"
    figures: tuple[Figure, ...] = ()
    order: tuple[frozenset[str], str, frozenset[str]] | None = None  # this before or after that
    one_value: bool = False
    states: bool = False  # says what is, not what to do


@lru_cache(REMEMBERED)
def clauses(title: str, free: frozenset[str]) -> tuple[Clause, ...]:
    """`free` are words that say nothing here: the name of the project."""
    return tuple(_clauses(title, free))


def _clauses(title: str, free: frozenset[str]) -> Iterator[Clause]:
    text = _AT_MOST.sub(" at most ", _NOWHERE.sub("", _plain(title)))
    lead, *parts = _COLON.split(text)
    if not parts or len(lead.split()) > _NAMED or any(word.lower() in NO for word in lead.split()):
        lead, parts = "", [lead, *parts]
    for number, piece in enumerate(piece for part in parts for piece in _pieces(part)):
        clause = _read(f"{lead} {piece}", free)
        if clause is not None and number and piece.split()[0].lower() in _NOT_THAT:  # ", not tabs": only put aside
            yield Clause(aside=(*_phrases(piece, free), *clause.aside))
        elif clause is not None:
            yield clause


def _plain(title: str) -> str:
    return title.replace("’", "'").replace("n't", " not").replace("'s ", " ")


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
    words, aside = _content(tokens, free), _phrases(instead, free)
    gone = _GONE.search(kept)
    if gone:  # "Plex was removed over the forced account"
        return Clause(aside=(_content(_TOKEN.findall(kept[: gone.start()]), free),))
    if not words and not aside:
        return None
    if no and len(words) <= _SHORT and (no[-1] == len(lowered) - 1 or _PASSIVE.search(kept)):
        aside = (*aside, words)
    added = _ADDED.search(kept)
    main = _content(_TOKEN.findall(kept[: added.start()]), free) if added else words
    one_value, states = (any(word in kind for word in lowered) for kind in (ONE_VALUE, _IS))
    return Clause(words, bool(no), aside, main, tuple(_figures(lowered)), _order(tokens, free), one_value, states)


def _phrases(text: str, free: frozenset[str]) -> tuple[frozenset[str], ...]:
    """One for each that is put aside. What is only put aside "for all" may hold for one: it is left out."""
    parts = [_TOKEN.findall(part) for part in _OR.split(text)]
    found = (_content(part, free) for part in parts if not any(token.lower() in EVERY for token in part))
    return tuple(phrase for phrase in found if phrase)


def _split_instead(piece: str) -> tuple[str, str]:
    """What is asked for with where it holds, and what is put aside for it."""
    found = _INSTEAD.search(piece)
    if found is None or (found[0].lower() == "over" and "prefer" not in piece.lower()):
        return piece, ""
    put, where = piece[found.end() :], ""
    place = _ENDS.search(put, 1)
    if place:
        put, where = put[: place.start()], put[place.start() :]
    return piece[: found.start()] + where, put


def _content(tokens: Sequence[str], free: frozenset[str]) -> frozenset[str]:
    """Roots of the words that carry meaning. "For every X" widens, so it tells no clause from another."""
    words, skipping = set[str](), False
    for at, token in enumerate(tokens):
        lowered = token.lower()
        if lowered in EVERY:
            skipping = at > 0 and tokens[at - 1].lower() in _FOR
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


def _figures(lowered: Sequence[str]) -> Iterator[Figure]:
    for at, token in enumerate(lowered):
        if token[0].isdigit() and (at == 0 or lowered[at - 1] not in NUMBERED):
            rest = lowered[at + 1 :]
            unit = root(rest[0]) if rest and root(rest[0]) in UNITS else ""
            yield Figure(token, unit, all(_is_beside(word) for word in rest))


def _is_beside(word: str) -> bool:
    return word in GRAMMAR or word in ADVERBS or word[0].isdigit() or root(word) in UNITS


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
