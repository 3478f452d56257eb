"""A checked Draft becomes a Memory: the same one however often its Window is read. Everything is handed in."""

from __future__ import annotations

from datetime import datetime

from memlane.catch.confidence import ACTIVE_FROM, STORED_FROM
from memlane.catch.excerpt import source_chunk
from memlane.catch.trust import may_be_active, trust_of
from memlane.claims import meaning
from memlane.domain import Address, Draft, Evidence, Memory, Quote, State, Step, Trust, Window, derived_id

__all__ = ["ACTIVE_FROM", "STORED_FROM", "memory_of"]
TELLING = 2  # words that nobody says twice by chance in one Run


def memory_of(draft: Draft, window: Window, saved_at: datetime, maker: str) -> Memory:
    """`maker` is `extractor@version`. Whoever calls has made sure that the Draft may be stored."""
    steps = dict(window.steps())
    trust = trust_of(draft, window)
    said = steps[draft.quotes[0].spot].at or window.formed_at or saved_at
    return Memory(
        id=memory_id(draft, window),
        owner=window.owner,
        type=draft.type,
        title=draft.title,
        content=draft.content,
        formed_at=said,
        saved_at=saved_at,
        first_observed_at=said,
        last_observed_at=said,
        category=draft.category,
        source_chunk=source_chunk(window, draft.quotes),
        evidence=tuple(_evidence(quote, steps[quote.spot], window) for quote in draft.quotes),
        related_entities=draft.mentions,
        target_agents=draft.target_agents,
        scope=draft.scope,
        project=window.project.name,
        project_key=window.project.key,
        confidence=draft.confidence,
        reasoning=draft.reasoning,
        alternatives=draft.alternatives,
        trust=trust,
        maker=maker,
        state=_state(draft, window, trust),
    )


def memory_id(draft: Draft, window: Window) -> str:
    """By what was said and what sort of lesson it is, not by how an extractor worded it. "yes" is said often: words
    that mean nothing alone are known by their Step too."""
    heart, step = draft.quotes[0], dict(window.steps())[draft.quotes[0].spot]
    words = " ".join(heart.words.casefold().split())
    place = "" if len(meaning(words)) >= TELLING else step.native_id or str(heart.spot)
    return derived_id("m", window.owner, window.run, words, draft.type.value, place)


def _evidence(quote: Quote, step: Step, window: Window) -> Evidence:
    place = Address(window.run, quote.spot.turn, quote.spot.step)
    return Evidence(window.run, window.generation, step.line, str(place), quote.words)


def _state(draft: Draft, window: Window, trust: Trust) -> State:
    sure = draft.confidence >= ACTIVE_FROM
    return State.ACTIVE if sure and may_be_active(draft, window, trust) else State.HELD
