"""Which few are worth saying, and in which order? Pure: memories, numbers and what was already said in, Matches out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane.domain import HIGH, Match, Memory, Query, Scope
from memlane.recall.likeness import content_terms, is_technical
from memlane.recall.weights import Budget, Weights

CHARACTERS_PER_TOKEN = 4
_SCOPE_ORDER = (Scope.PROJECT, Scope.PERSON, Scope.TOOL, Scope.GLOBAL)


@dataclass(frozen=True, slots=True)
class Said:
    """What this run was already told, since its context began or was compacted."""

    memories: frozenset[str]
    count: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Choice:
    """What to show, what just missed, and why it is not more."""

    shown: tuple[Match, ...]
    near: tuple[Match, ...]
    why: str


def score(memory: Memory, similarity: float, now: datetime, weights: Weights) -> Match:
    """The formula of SPEC 6; its parts add up to its score."""
    age_days = max(0.0, (now - memory.last_observed_at).total_seconds() / 86_400)
    parts = {
        "words": weights.similarity * similarity,
        "recent": weights.recency * 2 ** (-age_days / weights.half_life_days),
        "confidence": weights.confidence * memory.confidence / 100,
        "seen": weights.observed * min(memory.times_observed, weights.most_observed) / weights.most_observed,
        "type": weights.high_type if memory.type in HIGH else 0.0,
    }
    rounded = {name: round(part, 4) for name, part in parts.items()}
    return Match(memory, round(similarity, 4), round(sum(rounded.values()), 4), rounded, "words")


def choose(
    query: Query,
    gathered: Sequence[tuple[Memory, float]],
    said: Said,
    now: datetime,
    weights: Weights,
    budget: Budget,
) -> Choice:
    if not content_terms(query.words):
        return Choice((), (), "the prompt carries no need of its own")
    floor = weights.technical_floor if is_technical(query.words) else weights.floor
    ranked = sorted((score(memory, similarity, now, weights) for memory, similarity in gathered), key=_order)
    good = [m for m in ranked if m.similarity >= floor and m.memory.confidence >= weights.least_confidence]
    passed = {m.memory.id for m in good}
    near = tuple(m for m in ranked if m.memory.id not in passed)[: budget.near_misses]
    fresh = [m for m in good if m.memory.id not in said.memories]
    if not good:
        return Choice((), near, f"nothing reached the floor of {floor:.0%}" if ranked else "nothing shares its words")
    if not fresh:
        return Choice((), near, "already told in this run")
    shown = _within(fresh, said, budget)
    return Choice(tuple(shown), near, "" if shown else "this run has been told enough")


def _order(match: Match) -> tuple[float, int, str]:
    return (-match.score, _SCOPE_ORDER.index(match.memory.scope), match.memory.id)


def _within(matches: Sequence[Match], said: Said, budget: Budget) -> list[Match]:
    room = min(budget.per_prompt, budget.per_run - said.count)
    tokens, shown = said.tokens, list[Match]()
    for match in matches:
        cost = tokens_of(match.memory)
        if len(shown) >= room:
            break
        if tokens + cost <= budget.tokens_per_run:
            shown.append(match)
            tokens += cost
    return shown


def tokens_of(memory: Memory) -> int:
    return (len(memory.title) + len(memory.content)) // CHARACTERS_PER_TOKEN + 30


def said_before(ids: Collection[str], tokens: int) -> Said:
    return Said(frozenset(ids), len(ids), tokens)
