"""Does one more sight of a Memory say it better? Its words, and when it matters. Never over what a person wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memlane.domain import ANY_OCCASION, LEAST_TRUSTED_LAST, STANDING, Memory, Occasion, State

GUESSED_BY = "embedded"  # it words what it found by rules
SURER = frozenset({"agent", "model"})  # these read and write


def improved(known: Memory, seen: Memory, by_hand: Callable[[str], bool]) -> Memory:
    """`known` as it should be said from now on; itself where it is said as well already."""
    if known.state not in STANDING or extractor_of(seen) not in SURER:
        return known
    reworded = _better(known, seen) and not known.pinned and not by_hand(known.id)
    after = _in_words_of(seen, known) if reworded else known
    return with_occasion(after, seen.occasion)


def surer(known: Memory, seen: Memory) -> Memory:
    """The same words of the same Step, read by somebody surer than who found them first."""
    active = State.ACTIVE if known.state is State.HELD and seen.state is State.ACTIVE else known.state
    return replace(known, state=active, confidence=max(known.confidence, seen.confidence))


def with_occasion(memory: Memory, then: Occasion) -> Memory:
    """What nobody has said yet about when it matters. What was said stays."""
    if memory.occasion == ANY_OCCASION:
        return replace(memory, when=then.when, always=then.always, cues=then.cues)
    return replace(memory, when=memory.when or then.when, cues=memory.cues or then.cues)


def extractor_of(memory: Memory) -> str:
    return memory.maker.partition("@")[0]


def _better(known: Memory, seen: Memory) -> bool:
    """Somebody read it who can write, where a rule worded it; or a person said it, where nobody had."""
    rank, before = LEAST_TRUSTED_LAST.index(seen.trust), LEAST_TRUSTED_LAST.index(known.trust)
    return rank <= before if extractor_of(known) == GUESSED_BY else rank < before


def _in_words_of(seen: Memory, known: Memory) -> Memory:
    return replace(
        known,
        title=seen.title,
        content=seen.content,
        reasoning=seen.reasoning or known.reasoning,
        category=known.category or seen.category,
        related_entities=known.related_entities or seen.related_entities,
        maker=seen.maker,
    )
