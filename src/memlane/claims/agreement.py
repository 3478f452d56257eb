"""Do two Memories say the same? Contradictions are nearer than paraphrases, so nearness only opens the question.

Every word that carries a title's meaning has to stand in the other Memory; what is forbidden, and what comes before or
after what, has to be the same; numbers, versions, flags, paths and names are words like any other, only never rooted.
English; a language without these words can only be the same when it says the same words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memlane.claims.words import GRAMMAR, claimed
from memlane.domain import Memory

SHARED = 2  # words that two lessons on one subject have in common, however they are worded
_WHO = frozenset({"person", "user", "agent"})  # lessons are about what they want and do
NEAR = 0.70  # cosine of what they say, by the packaged table; chosen on the training split (tests/rooms/catch)
_WORD = re.compile(r"--?\w[\w-]*|[^\W_](?:[\w./:@+#-]*\w)?/?|n't", re.UNICODE)
_NOT = frozenset(
    {"not", "never", "no", "avoid", "without", "stop", "nor", "neither", "cannot", "forbid", "forbidden", "over"}
)
_TIMES = {
    "before": "before",
    "after": "after",
    "until": "until",
    "till": "until",
    "unless": "unless",
    "except": "except",
}
# Words that a sentence can do without when it is turned round: they never tell two lessons apart by themselves.
_LIGHT = (
    "allow come contain exist get give go happen have keep know live look make mean need put remain require run say see"
    " send set stay take tell think try use want write"
)
_KEPT = frozenset(
    {
        "all",
        "first",
        "last",
        "least",
        "less",
        "more",
        "most",
        "new",
        "off",
        "one",
        "only",
        "out",
        "same",
        "second",
        "two",
    }
)
_IRREGULAR = {
    "began": "begin", "broke": "break", "broken": "break", "built": "build", "chose": "choose", "chosen": "choose",
    "given": "give", "goes": "go", "gone": "go", "held": "hold", "kept": "keep", "lost": "lose", "made": "make",
    "ran": "run", "sent": "send", "shown": "show", "taken": "take", "told": "tell", "went": "go", "written": "write",
    "wrote": "write",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claim:
    """What a title claims: its words, those that are denied, and those that something waits for."""

    words: frozenset[str]
    denied: frozenset[str]
    timed: frozenset[tuple[str, str]]


def agree(one: Memory, other: Memory, cosine: float) -> bool:
    if cosine < NEAR:
        return False
    return same_claim(one.title, one.text, other.title, other.text)


def same_claim(title: str, text: str, other_title: str, other_text: str) -> bool:
    here, there = claim(title), claim(other_title)
    mine, theirs = here.words - there.words, there.words - here.words
    if (mine and theirs) or not mine <= words_of(other_text) or not theirs <= words_of(text):
        return False
    return same_denied(here, there) and same_times(here, there) and not other_roles(title, other_title)


def names_of(project: str) -> frozenset[str]:
    """Words a project goes by, as claims are read: between two Memories of it they say nothing."""
    last = re.split(r"[/\\\s]+", project.strip("/\\ ").lower())[-1]
    return frozenset(name for name in (project.lower(), last, root(last)) if name)


def same_subject(one: Memory, other: Memory) -> bool:
    """Whether they speak of the same things, whatever they say of them."""
    here, there = claim(one.title).words - _WHO, claim(other.title).words - _WHO
    shared = (here & words_of(other.text)) | (there & words_of(one.text))
    return len(shared) >= min(SHARED, len(here), len(there))


def same_denied(here: Claim, there: Claim) -> bool:
    """What one denies the other denies too, or does not speak of in its title."""
    if bool(here.denied) != bool(there.denied) or not (here.denied & there.denied or not here.denied):
        return False
    return not (here.denied - there.denied) & there.words and not (there.denied - here.denied) & here.words


def same_times(here: Claim, there: Claim) -> bool:
    if here.timed and there.timed:
        return here.timed == there.timed
    waiting = {word for _when, word in here.timed | there.timed}
    return waiting <= here.words & there.words or not waiting


def claim(title: str) -> Claim:
    words, denied, timed = set[str](), set[str](), set[tuple[str, str]]()
    no, when = False, ""
    for raw in _words(title):
        lowered = raw.lower()
        if lowered in _NOT or lowered.endswith("n't") or lowered in ("instead", "rather"):
            no = lowered != "over" or "prefer" in title.lower()
            continue
        if lowered in _TIMES:
            when = _TIMES[lowered]
            continue
        word = root(raw)
        if _is_light(lowered, word):
            continue
        words.add(word)
        if no:
            denied.add(word)
        if when:
            timed.add((when, word))
        no, when = False, ""
    return Claim(frozenset(words), frozenset(denied), frozenset(timed))


def _is_light(lowered: str, word: str) -> bool:
    return lowered not in _KEPT and (lowered in GRAMMAR or word in _ROOTED)


def words_of(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in _words(claimed(text)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.replace("’", "'").replace("n't", " not"))


def root(word: str) -> str:
    """English endings off a plain word, so that "retries", "retried" and "retrying" are one. Names stay as they are."""
    if not word.isalpha() or not word.isascii():
        return word.lower()
    plain = _IRREGULAR.get(word.lower(), word.lower())
    for ending, instead in (
        ("ies", "y"),
        ("ied", "y"),
        ("ying", "y"),
        ("ing", ""),
        ("ed", ""),
        ("es", ""),
        ("s", ""),
        ("e", ""),
    ):
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith(("ss", "us", "is")):
            plain = plain[: -len(ending)] + instead
            break
    if len(plain) > 3 and plain[-1] == plain[-2] and plain[-1] not in "lsz":
        plain = plain[:-1]
    return plain.removesuffix("e") if len(plain) > 3 else plain


_ROOTED = frozenset(map(root, _LIGHT.split())) | {"s"}


_TITLE_WORD = re.compile(r"[^\W_](?:[\w./:@+#-]*\w)?")
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
    words = (word.lower() for word in _TITLE_WORD.findall(title))
    return tuple(word for word in words if word not in _ARTICLES)
