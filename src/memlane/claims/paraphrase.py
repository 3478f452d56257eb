"""Are two titles one lesson in other words? Broader than `same_claim`, for whoever can take it back: a Dream.

Other words for the same, the same word with another ending, and one plain word that only one of two long titles has
make no other lesson. Figures, names, flags, denials and the order of things always do.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from memlane.claims.agreement import Claim, claim, other_roles, root, same_denied, same_times, words_of
from memlane.claims.clauses import REMEMBERED, clauses
from memlane.claims.denial import opposed
from memlane.claims.opposites import listed

ENOUGH_SHARED = (5, 7)  # words both titles have, before one that only one of them has may be passed over, or two
SHARE = 0.4  # of all words of both, where each has some that stand only in the other's explanation
FEWEST = 3  # words of a rule that is one without its reason
SHORTEST = 5  # letters of a word that may have another ending
_ENDINGS = frozenset({"er", "or", "r", "ion", "ation", "ment", "al", "ly", "ing"})
# One of them for all. Only words that mean the same whatever they are said of.
_OTHER_WORDS = {
    root(word): root(words.split()[0])
    for words in (
        "remove delete erase discard", "reject refuse decline", "change edit modify alter", "begin start",
        "finish end complete", "show display", "reply answer respond", "save store", "large big huge", "quick fast",
        "folder directory", "repository repo", "documentation docs doc", "configuration config settings",
        "database db", "environment env", "mail email e-mail", "image picture photo", "pull-request pr", "fix repair",
        "forever ever", "mistake error", "wrong incorrect", "correct right", "approve confirm", "only solely",
        "create make", "choose pick select", "check verify", "permit allow", "purchase buy",
        "colleague coworker", "meeting appointment", "shorten cut", "break fail", "loud loudly",
    )
    for word in words.split()
}  # fmt: skip
_AT_MOST = re.compile(
    r"\b(?:not|no|nicht)(?: \w+)? more than\b|\b(?:below|under|less than|up to)(?= \d)", re.IGNORECASE
)
_REASON = re.compile(r"[,;]? \b(?:because|since(?! \d)|so that|weil|denn)\b|, (?:as|which|so) ", re.IGNORECASE)
_WITHOUT = re.compile(r"\b(?:without|ohne|unless|except)\b", re.IGNORECASE)
_NARROWS = listed("in on for at during when under with from to only if by of per bei für")
_ONE = re.compile(r"\b(an? \w+) ones?\b", re.IGNORECASE)
_GOES_OUT = re.compile(r"\b(?:go|goes|going|went|sent|send) out\b", re.IGNORECASE)


def paraphrase(title: str, text: str, other_title: str, other_text: str, free: frozenset[str] = frozenset()) -> bool:
    """`free` are words that say nothing between the two: the name of the project both are of."""
    whole, rules = (title, other_title), (_ruled(title), _ruled(other_title))
    same = _same(whole, text, other_text, free) or (rules != whole and _same(rules, text, other_text, free))
    return same and not opposed(title, other_title, free) and not other_roles(title, other_title)


def _same(titles: tuple[str, str], text: str, other_text: str, free: frozenset[str]) -> bool:
    here, there = (_claim(title, free) for title in titles)
    if not here.words & there.words:
        return False
    mine = _not_in(here.words - there.words, there.words)
    theirs = _not_in(there.words - here.words, here.words)
    if mine and theirs and not _may_differ(mine | theirs, here, there):
        return False
    added = _not_in(mine, _words(other_text)), _not_in(theirs, _words(text))
    if all(added):  # one word in the place of another: whoever cannot tell what they mean takes them for two
        return False
    if any(added) and not _may_be_passed_over(added[0] | added[1], here, there, titles):
        return False
    return (same_denied(here, there) or _same_aside(*titles, free)) and same_times(here, there)


def _same_aside(title: str, other: str, free: frozenset[str]) -> bool:
    """However it is worded ("no X", "X is not used"): both put something aside, and neither what the other asks for."""
    if len(_WITHOUT.findall(title)) != len(_WITHOUT.findall(other)):
        return False
    (denied, asked), (other_denied, other_asked) = _denied(title, free), _denied(other, free)
    return (
        bool(denied & other_denied)
        and not (denied - other_denied) & other_asked
        and not (other_denied - denied) & asked
    )


@lru_cache(REMEMBERED)
def _denied(title: str, free: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    read = clauses(title, free)
    denied = {word for clause in read for phrase in clause.aside for word in phrase}
    denied |= {word for clause in read if clause.denies for word in clause.words}
    asked = {word for clause in read if not clause.denies for word in clause.words} - denied
    return frozenset(map(_one_word, denied)), frozenset(map(_one_word, asked))


def _may_differ(words: frozenset[str], here: Claim, there: Claim) -> bool:
    shared = len(here.words & there.words)
    return shared >= SHARE * len(here.words | there.words) and all(word.isalpha() for word in words)


def _may_be_passed_over(words: frozenset[str], here: Claim, there: Claim, titles: tuple[str, str]) -> bool:
    if len(words) > len(ENOUGH_SHARED) or len(here.words & there.words) < ENOUGH_SHARED[len(words) - 1]:
        return False
    turning = here.denied | there.denied | {one for _when, one in here.timed | there.timed}
    return all(word.isalpha() and word not in turning for word in words) and not any(
        words & _weighty(title) for title in titles
    )


@lru_cache(REMEMBERED)
def _weighty(title: str) -> frozenset[str]:
    """Names, and words that say where, when or for what something holds: one more of them is another rule."""
    tokens = re.findall(r"[\w'-]+", title)
    found = (
        token
        for at, token in enumerate(tokens)
        if (at and token[0].isupper()) or any(one.lower() in _NARROWS for one in tokens[max(0, at - 2) : at])
    )
    return frozenset(_one_word(root(token)) for token in found)


def _not_in(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in others and not any(_kin(word, other) for other in others))


def _kin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    ending = long.removeprefix(short)
    return long.startswith(short) and ending in _ENDINGS and len(short) >= SHORTEST - (ending == "ing")


@lru_cache(REMEMBERED)
def _ruled(title: str) -> str:
    """Without its reason, where enough is left: another reason makes no other rule."""
    reason = _REASON.search(title, 1)
    return title[: reason.start()] if reason and len(claim(title[: reason.start()]).words) >= FEWEST else title


@lru_cache(REMEMBERED)
def _claim(title: str, free: frozenset[str]) -> Claim:
    read = claim(_ONE.sub(r"\1", _AT_MOST.sub("at most", _GOES_OUT.sub("goes", title))))
    words, denied = ({_one_word(word) for word in some if word not in free} for some in (read.words, read.denied))
    timed = {(when, _one_word(word)) for when, word in read.timed}
    return replace(read, words=frozenset(words), denied=frozenset(denied), timed=frozenset(timed))


@lru_cache(REMEMBERED)
def _words(text: str) -> frozenset[str]:
    return frozenset(map(_one_word, words_of(text)))


def _one_word(word: str) -> str:
    return _OTHER_WORDS.get(word, word)
