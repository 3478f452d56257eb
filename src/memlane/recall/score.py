"""The formula: what each thing that speaks for a Memory is worth. Its parts add up to its score, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memlane.domain import HIGH, Match, Memory
from memlane.recall.need import Need
from memlane.recall.weights import Weights

_DAY = 86_400
_FADES = 7.0  # days outside of the time a prompt speaks of, after which it counts half


@dataclass(frozen=True, slots=True)
class Likely:
    """A Memory that may be the one, and all that is known about how it fits."""

    memory: Memory
    similarity: float
    source: str  # entity, meaning, words, file
    covers: int = 0  # Entities of the prompt it is about
    rare_word: bool = False
    downs: float = 0.0  # net, each weighed by how like its prompt was
    judged: bool = True  # False: nobody could tell what it means; its similarity says nothing
    needed: float | None = None  # how likely it would change what the agent does; None: no second look was taken


def score(one: Likely, need: Need, now: datetime, weights: Weights) -> Match:
    memory = one.memory
    sure = weights.confidence * memory.confidence / 100
    parts = {"recent": _recent(memory, need, now, weights), "confidence": sure}
    if one.judged:
        called = "words" if one.source == "words" else "meaning"
        seen = min(memory.times_observed, weights.most_observed) / weights.most_observed
        kind = weights.high_type if memory.type in HIGH else 0.0
        alike = {called: weights.similarity * one.similarity}
        if one.needed is not None:  # it knows better: what likeness is worth becomes what this is worth
            alike["second look"] = weights.similarity * (one.needed - one.similarity)
        parts = {**alike, **parts, "seen": weights.observed * seen, "type": kind}
    parts["votes"] = (weights.factor(one.downs) - 1) * sum(parts.values())
    parts["intent"] = weights.intent if memory.type in need.boosted else 0.0
    parts["rare word"] = weights.rare_word if one.rare_word else 0.0
    rounded = {name: round(part, 4) for name, part in parts.items() if part}
    return Match(memory, one.similarity, round(sum(rounded.values()), 4), rounded, one.source, one.needed)


def _recent(memory: Memory, need: Need, now: datetime, weights: Weights) -> float:
    age = max(0.0, (now - memory.last_observed_at).total_seconds() / _DAY)
    if need.within is None:
        return weights.recency * 2 ** (-age / weights.half_life_days)
    newest, oldest = need.within
    outside = max(newest - age, age - oldest, 0.0)
    return weights.time_window * 2 ** (-outside / _FADES)
