"""Seen before? The Memory that says the same, the request made before, and what once more is worth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING

from memlane.catch.extractor import ACTIVE_FROM
from memlane.catch.phrases import directs
from memlane.claims import agree, claim, opposed, paraphrase, same_claim, same_subject
from memlane.domain import LEAST_TRUSTED_LAST, Evidence, Memory, Reader, RunFilter, Scope, State, Trust
from memlane.embed import EmbedderError, VectorModel
from memlane.storage import EVERYWHERE, MemoryBounds, Storage

if TYPE_CHECKING:
    pass

FEWEST_CHARACTERS = 6  # of a quote that can be known again
MUCH_LONGER = 2  # times: a quote that may hold another lesson too
GROWTH = 0.25  # of what is missing to CERTAIN, for an observation that is itself certain
CERTAIN = 95  # what repetition alone can reach
TITLE_WORDS, TITLE_SHARE = 2, 0.5  # of the shorter of two titles that stand on the same words
REPEATED_SHARE = 0.5  # of the words of both requests
REPEATED_WORDS = 3  # fewer are what every request is made of
# What every request asks for. "Run the tests and commit" is not a wish that was said twice.
_ASKED = frozenset(
    re.findall(
        r"\w+",
        """
        add again build call chang check clean code commit complet continu creat debug delet do error explain fail file
        find fix format function implement improv issu line lint look move open pass problem pr pull push read refactor
        remov renam repo review save script show start stop test thing try updat work
        """,
    )
)
_EVERYWHERE = frozenset({Scope.PERSON, Scope.GLOBAL, Scope.TOOL})
_OVER = frozenset({State.SUPERSEDED, State.RETIRED})


def same_lesson(seen: Memory, candidates: Sequence[tuple[Memory, float]]) -> Memory | None:
    """The nearest that says the same where this one holds. The cosines are those of what Memories say."""
    return next(
        (known for known, cosine in candidates if _holds_there(known, seen) and agree(known, seen, cosine)), None
    )


def same_in_run(seen: Memory, candidates: Iterable[Memory]) -> Memory | None:
    """The one of the same Run that says the same. Nobody means two things with the same words in one Run, so words in
    another order and the same quote are enough here, and no model is needed. What contradicts is never the same."""
    return next((known for known in candidates if _holds_there(known, seen) and _is_said_twice(known, seen)), None)


def _is_said_twice(known: Memory, seen: Memory) -> bool:
    if opposed(known.title, seen.title):
        return False
    titles = known.title, known.text, seen.title, seen.text
    return same_claim(*titles) or paraphrase(*titles) or _same_heart(known, seen)


def _same_heart(known: Memory, seen: Memory) -> bool:
    """One Step, the words of one in those of the other, and half of one title in the other, or nothing of those words
    in one title that is not in the other: a sentence can teach two things."""
    if not known.evidence or not seen.evidence:
        return False
    one, other = known.evidence[0], seen.evidence[0]
    if one.step != other.step or not (one.quote in other.quote or other.quote in one.quote):
        return False
    here, there = claim(known.title).words, claim(seen.title).words
    alike = len(here & there) >= max(TITLE_WORDS, TITLE_SHARE * min(len(here), len(there)))
    said = claim(min(one.quote, other.quote, key=len)).words
    return alike or (bool(here & there & said) and (here & said <= there or there & said <= here))


def one_more(named: Memory | None, seen: Memory) -> Memory | None:
    """What a reader says this is one more sight of. It is believed where both hold and speak of the same things."""
    return named if named is not None and _holds_there(named, seen) and same_subject(named, seen) else None


def outdated(named: Memory | None, seen: Memory, by_hand: Callable[[str], bool]) -> Memory | None:
    """What a reader says this one makes wrong. It is believed where both speak of the same things, this one was said
    later, may be active, and is no weaker a word, and no person answers for the other."""
    if named is None or named.state not in (State.ACTIVE, State.HELD) or one_more(named, seen) is None:
        return None
    weaker = LEAST_TRUSTED_LAST.index(seen.trust) > LEAST_TRUSTED_LAST.index(named.trust)
    earlier = seen.formed_at < named.last_observed_at
    return None if weaker or earlier or seen.state is not State.ACTIVE or by_hand(named.id) else named


def same_words(seen: Memory, taught: Sequence[Memory]) -> Memory | None:
    """What the person taught in the very words that this one stands on, whoever read them."""
    heart = _spoken(seen.evidence[0].quote)
    return next((known for known in taught if known.id != seen.id and _stands_on(known, seen, heart)), None)


def _stands_on(known: Memory, seen: Memory, heart: str) -> bool:
    """A quote of little more than these words; of a whole prompt only what speaks of the same things."""
    here = [evidence for evidence in known.evidence if same_saying(evidence, seen.evidence[0])]
    longer = all(len(heart) > MUCH_LONGER * len(_spoken(evidence.quote)) for evidence in here)
    return bool(here) and (not longer or same_subject(known, seen))


def same_saying(one: Evidence, other: Evidence) -> bool:
    """The same words of one Run, or one Step quoted with more or less of what stands around them."""
    if one.run != other.run or one.quote == other.quote:
        return one.run == other.run
    if one.step and other.step and one.step != other.step:
        return False
    words, others = _spoken(one.quote), _spoken(other.quote)
    return min(len(words), len(others)) >= FEWEST_CHARACTERS and (words in others or others in words)


def _spoken(quote: str) -> str:
    return " ".join(re.findall(r"\w+", quote.casefold()))


def holds_in(memory: Memory, project_key: str) -> bool:
    return memory.scope in _EVERYWHERE or memory.project_key == project_key


def belongs_to(memory: Memory, project_key: str) -> bool:
    """To this project or to its person; not a lesson of another project, however widely that holds."""
    return memory.project_key == project_key or memory.scope in (Scope.PERSON, Scope.GLOBAL)


def _holds_there(known: Memory, seen: Memory) -> bool:
    if known.id == seen.id or known.owner != seen.owner or known.state in _OVER:
        return False
    if known.target_agents and seen.target_agents and set(known.target_agents).isdisjoint(seen.target_agents):
        return False
    return holds_in(known, seen.project_key)


def confidence_after(memory: Memory, seen: Memory) -> int:
    """A quarter of what is missing, by how sure the new one is; nothing from outside text, and from the same Run only
    what better evidence is worth."""
    if not _counts(memory, seen):
        return max(memory.confidence, seen.confidence) if _is_surer(memory, seen) else memory.confidence
    grown = memory.confidence + (CERTAIN - memory.confidence) * GROWTH * seen.confidence / 100
    least = ACTIVE_FROM if state_after(memory, seen) is State.ACTIVE else 0
    return max(memory.confidence, least, round(grown))


def state_after(memory: Memory, seen: Memory) -> State:
    """A held one becomes active when another Run says so too, or when this one may be active by itself; unless whose
    word it is forbids that."""
    if memory.state is not State.HELD or not (_counts(memory, seen) or _is_surer(memory, seen)):
        return memory.state
    if memory.trust is Trust.OUTSIDE or (memory.trust is Trust.TOOL and directs(memory.title)):
        return State.HELD
    return State.ACTIVE


def _is_surer(memory: Memory, seen: Memory) -> bool:
    """In the same Run, better evidence: what the agent said there, and the person said later."""
    return seen.state is State.ACTIVE and LEAST_TRUSTED_LAST.index(seen.trust) < LEAST_TRUSTED_LAST.index(memory.trust)


def _counts(memory: Memory, seen: Memory) -> bool:
    runs = {evidence.run for evidence in memory.evidence}
    return seen.trust is not Trust.OUTSIDE and any(evidence.run not in runs for evidence in seen.evidence)


def repeats(request: str, earlier: str) -> bool:
    """The same wish in other words. Numbers and versions may differ: next month's is the same request."""
    here, there = _wished(request), _wished(earlier)
    shared = here & there
    return len(shared) >= max(REPEATED_WORDS, REPEATED_SHARE * len(here | there))


def _wished(request: str) -> frozenset[str]:
    words = claim(request).words
    return frozenset(word for word in words if word not in _ASKED and not any(c.isdigit() for c in word))


COMPARED = 60  # the nearest Memories a Draft is compared with, of all projects: its own must be among them
ASKED_BEFORE = 8  # the nearest things people said that a request is compared with
LONGEST_REQUEST = 400  # characters: more is pasted, and nobody pastes the same twice
BATCH = 500
FEW = 100  # Memories whose Cues are understood together


def near(
    text: str,
    also: Sequence[Memory],
    model: VectorModel | None,
    storage: Storage,
    reader: Reader,
    where: MemoryBounds = EVERYWHERE,
) -> list[tuple[Memory, float]]:
    """Stored ones of any state, and these."""
    if model is None:
        return []
    try:
        vector, *others = model.passages([text, *(memory.text for memory in also)])
    except EmbedderError:
        return []
    stored = storage.memories.nearest(vector, model.tag, list(State), reader, COMPARED, where)
    return [*((memory, float(vector @ other)) for memory, other in zip(also, others, strict=True)), *stored]


def asked_before(words: str, run: str, model: VectorModel | None, storage: Storage, reader: Reader) -> bool:
    """Whether somebody wished for the same in another Run."""
    if model is None or len(words) > LONGEST_REQUEST or not repeats(words, words):
        return False
    try:
        (vector,) = model.passages([words])
    except EmbedderError:
        return False
    said = storage.vectors.nearest(vector, model.tag, RunFilter(author="person"), reader, ASKED_BEFORE)
    return any(found.chunk.run != run and repeats(words, found.chunk.text) for found in said)


def understand(
    model: VectorModel | None,
    storage: Storage,
    writing: Callable[[], AbstractContextManager[None]],
    clock: Callable[[], datetime],
) -> None:
    """What Memories mean, for those of which it is not known yet; what fails is tried again with the next Window."""
    try:
        while model and (waiting := storage.memories.waiting(model.tag, BATCH)):
            vectors = model.passages([memory.text for memory in waiting])
            with writing():
                storage.memories.give(model.tag, waiting, vectors, clock())
    except EmbedderError:
        return


def understand_cues(
    model: VectorModel | None, storage: Storage, writing: Callable[[], AbstractContextManager[None]]
) -> None:
    """The same of their Cues, each by itself. Nobody compares Memories by them: prompts alone are."""
    try:
        while model and (waiting := storage.memories.cues_waiting(model.tag, FEW)):
            vectors = model.passages([cue for memory in waiting for cue in memory.cues])
            with writing():
                storage.memories.give_cues(model.tag, waiting, vectors)
    except EmbedderError:
        return


__all__ = [
    "asked_before",
    "belongs_to",
    "confidence_after",
    "holds_in",
    "near",
    "one_more",
    "outdated",
    "repeats",
    "same_in_run",
    "same_lesson",
    "same_saying",
    "same_words",
    "state_after",
    "understand",
    "understand_cues",
]
