"""Are two titles one lesson in other words? Broader than `same_claim`, for whoever can take it back: a Dream.

Other words for the same, the same word with another ending, and one plain word that only one of two long titles has
make no other lesson. Figures, names, flags, denials and the order of things always do.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memlane.claims.agreement import Claim, claim, root, same_denied, same_times, words_of
from memlane.claims.denial import opposed

ENOUGH_SHARED = 5  # words both titles have, before one that only one has may be passed over
SHARE = 0.4  # of all words of both, where each has some that stand only in the other's explanation
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
        "create make", "choose pick select", "check verify", "permit allow", "publish post", "purchase buy",
        "customer client", "colleague coworker", "meeting appointment", "shorten cut", "break fail", "loud loudly",
    )
    for word in words.split()
}  # fmt: skip
_AT_MOST = re.compile(
    r"\b(?:not|no|nicht)(?: \w+)? more than\b|\b(?:below|under|less than|up to)(?= \d)", re.IGNORECASE
)
_GOES_OUT = re.compile(r"\b(?:go|goes|going|went|sent|send) out\b", re.IGNORECASE)


def paraphrase(title: str, text: str, other_title: str, other_text: str, free: frozenset[str] = frozenset()) -> bool:
    """`free` are words that say nothing between the two: the name of the project both are of."""
    here, there = _claim(title, free), _claim(other_title, free)
    mine = _not_in(here.words - there.words, there.words)
    theirs = _not_in(there.words - here.words, here.words)
    if mine and theirs and not _may_differ(mine | theirs, here, there):
        return False
    only_here, only_there = _not_in(mine, _words(other_text)), _not_in(theirs, _words(text))
    if (only_here or only_there) and not _may_be_passed_over(
        only_here | only_there, here, there, f"{title} {other_title}"
    ):
        return False
    return same_denied(here, there) and same_times(here, there) and not opposed(title, other_title, free)


def _may_differ(words: frozenset[str], here: Claim, there: Claim) -> bool:
    shared = len(here.words & there.words)
    return shared >= SHARE * len(here.words | there.words) and all(word.isalpha() for word in words)


def _may_be_passed_over(words: frozenset[str], here: Claim, there: Claim, titles: str) -> bool:
    if len(words) > 1 or len(here.words & there.words) < ENOUGH_SHARED:
        return False
    (word,) = words
    turning = here.denied | there.denied | {one for _when, one in here.timed | there.timed}
    return word.isalpha() and word not in turning and not _is_a_name(word, titles)


def _is_a_name(word: str, titles: str) -> bool:
    return any(one[0].isupper() and _one_word(root(one)) == word for one in re.findall(r"(?<=\w )[A-Z]\w+", titles))


def _not_in(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if word not in others and not any(_kin(word, other) for other in others))


def _kin(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST and long.startswith(short) and long[len(short) :] in _ENDINGS


def _claim(title: str, free: frozenset[str]) -> Claim:
    read = claim(_AT_MOST.sub("at most", _GOES_OUT.sub("goes", title)))
    words, denied = ({_one_word(word) for word in some if word not in free} for some in (read.words, read.denied))
    timed = {(when, _one_word(word)) for when, word in read.timed}
    return replace(read, words=frozenset(words), denied=frozenset(denied), timed=frozenset(timed))


def _words(text: str) -> frozenset[str]:
    return frozenset(map(_one_word, words_of(text)))


def _one_word(word: str) -> str:
    return _OTHER_WORDS.get(word, word)
