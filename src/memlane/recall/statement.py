"""Has this run's own talk said what a note says? Then it is in the agent's context, and telling it again is noise.

It compares words, sentence by sentence: everything the note's title claims, with what is forbidden in it. A question
about it says nothing, and neither does a sentence that has only most of it. Pure: it knows no run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from memlane.claims import Claim, claim, names_of, same_denied, same_times
from memlane.domain import Memory

FEWEST = 3  # words a title must claim before a sentence can be known to say the same
LONGEST = 60_000  # characters of one message that are read
ENOUGH = 6  # words of a title, one of which may be put in another way
_SENTENCE = re.compile(r"(?<=[.!;。!])\s+|(?<=\?)\s*|\n+")
_NAME = re.compile(r"[^a-z]")  # a figure, a flag, a path, another script: never put in another way


def stated(memory: Memory, texts: Iterable[str]) -> bool:
    free = names_of(memory.project) if memory.project else frozenset[str]()
    wanted = claim(memory.title)
    words = wanted.words - free
    if len(words) < FEWEST:
        return False
    return any(_says(wanted, words, sentence) for text in texts for sentence in _likely(text, words))


def _likely(text: str, words: frozenset[str]) -> Iterable[str]:
    """Its sentences, where the whole of it has enough of the words to be worth reading."""
    lowered = text[:LONGEST].casefold()
    if sum(word not in lowered for word in words) > _spare(words):
        return ()
    return (one for one in _SENTENCE.split(text[:LONGEST]) if one and not one.rstrip().endswith("?"))


def _says(wanted: Claim, words: frozenset[str], sentence: str) -> bool:
    here = claim(sentence)
    left = words - here.words
    if len(left) > _spare(words) or any(_NAME.search(word) or word in wanted.denied for word in left):
        return False
    common = Claim(here.words & wanted.words, here.denied & wanted.words, here.timed)
    return same_denied(wanted, common) and same_times(wanted, common)


def _spare(words: frozenset[str]) -> int:
    return 1 if len(words) >= ENOUGH else 0
