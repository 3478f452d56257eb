"""Which Memories have a Cue in the words of a prompt whose language the model does not read?

A Cue and a prompt are compared by the words both have, weighed by how few Cues have them. Chinese is read by pairs, the
others by the beginnings of their words, since their endings change. One word in common is a topic, not a need.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.domain import CueMatch, Memory, Query, Reader
from memlane.recall.gather import Shortlist, for_agent, sharing
from memlane.recall.language import GLUE
from memlane.recall.need import Need
from memlane.recall.score import LikelyMemory
from memlane.recall.words import EMPTY
from memlane.storage import Storage

BEGINNING = 5  # letters of a word
LEAST_SHARED = 2  # words
OF_CUE = 0.75  # how much of it is asked for counts so much, how much of the prompt it covers the rest
# So much in common reaches the floor of 0.50: chosen on Japanese, Chinese, German and Spanish (benchmarks.languages).
AT_FLOOR = 0.40
_PIECE = re.compile(
    r"[\u30a0-\u30ff]+|[\u3400-\u4dbf\u4e00-\u9fff]+|[\uac00-\ud7af]+|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)
_KANA = re.compile(r"[\u3040-\u309f]+")


@dataclass(frozen=True, slots=True)
class CueLookup:
    """One look, on behalf of one Reader."""

    query: Query
    need: Need
    reader: Reader
    storage: Storage

    def found(self) -> list[LikelyMemory]:
        """Those with at least one Cue that shares something, each with how like the prompt its best Cue is."""
        terms = sorted(term for term in self.need.terms if not _KANA.fullmatch(term) and term not in GLUE)
        some = sharing(terms, self.query, self.reader, self.storage)
        memories = [one for one in some if one.cues and for_agent(one, self.query)]
        return alike(self.query.words, memories)


def alike(prompt: str, memories: Sequence[Memory]) -> list[LikelyMemory]:
    wanted = pieces(prompt)
    cues = {memory.id: [pieces(cue) for cue in memory.cues] for memory in memories}
    rarity = _rarity([cue for some in cues.values() for cue in some])
    made = (_likely(memory, wanted, cues[memory.id], rarity) for memory in memories)
    return [one for one in made if one.similarity > 0]


def _likely(
    memory: Memory, wanted: frozenset[str], cues: Sequence[frozenset[str]], rarity: Mapping[str, float]
) -> LikelyMemory:
    scores = [_in_common(wanted, cue, rarity) for cue in cues]
    best = max(range(len(scores)), key=scores.__getitem__)
    similarity = round(min(1.0, scores[best] / (2 * AT_FLOOR)), 3)
    return LikelyMemory(memory, similarity, "words", note=0.0, cue=CueMatch(best, similarity))


def _in_common(wanted: frozenset[str], cue: frozenset[str], rarity: Mapping[str, float]) -> float:
    shared = wanted & cue
    if len(shared) < LEAST_SHARED:
        return 0.0
    unknown = max(rarity.values())

    def weight(some: frozenset[str]) -> float:
        return sum(rarity.get(one, unknown) for one in sorted(some))

    return weight(shared) / (OF_CUE * weight(cue) + (1 - OF_CUE) * weight(wanted))


def _rarity(cues: Sequence[frozenset[str]]) -> dict[str, float]:
    having: dict[str, int] = {}
    for cue in cues:
        for one in cue:
            having[one] = having.get(one, 0) + 1
    return {one: math.log(1 + len(cues) / many) for one, many in having.items()}


def pieces(text: str) -> frozenset[str]:
    """What it is compared by."""
    return frozenset(one for word in _PIECE.findall(text.casefold()) for one in _of_word(word))


def _of_word(word: str) -> Sequence[str]:
    first = word[0]
    if "\u30a0" <= first <= "\u30ff":
        return [word] if len(word) > 1 else []
    if "\u3400" <= first <= "\u9fff":
        return [word] if len(word) == 1 else [word[i : i + 2] for i in range(len(word) - 1)]
    if "\uac00" <= first <= "\ud7af":
        return [word[:2]] if len(word) > 1 else []
    return [word[:BEGINNING]] if len(word) > 2 and word not in EMPTY and word not in GLUE else []


def with_cue_words(looked: Shortlist, found: Sequence[LikelyMemory]) -> Shortlist:
    """Beside what was found by meaning; of a Memory found by both, the likelier."""
    better = {one.memory.id: one for one in found}
    near = [one for one in looked.near if one.memory.id not in better or _is_sure(one, better[one.memory.id])]
    left = {one.memory.id for one in near}
    return replace(looked, near=[*near, *(one for one in found if one.memory.id not in left)])


def _is_sure(one: LikelyMemory, other: LikelyMemory) -> bool:
    return (one.needed if one.needed is not None else one.similarity) >= other.similarity


def nothing_in(language: str) -> str:
    return f"the recall model does not read {language}, and no memory has cues in the words of this prompt"
