"""From a cosine to how likely a note is needed, and from that and the rest to its score. No storage."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memlane.domain import HIGH, CueMatch, Feedback, Match, Memory
from memlane.recall.need import Need
from memlane.recall.weights import RecallWeights
from memlane.recall.words import content_terms
from memlane.storage import MemoryMatch

_DAY = 86_400
_SURE = 0.999  # no probability is surer than that, either way
THUMBS_DOWN, THUMBS_UP = "thumbs down on prompts like this", "a thumb up on prompts like this"
_FADES = 7.0  # days outside of the time a prompt speaks of, after which it counts half


@dataclass(frozen=True, slots=True)
class LikelyMemory:
    """A Memory that may be the one, and all that is known about how it fits."""

    memory: Memory
    similarity: float
    source: str  # entity, asked, meaning, words, file
    covers: int = 0  # Entities of the prompt it is about
    rare_word: bool = False
    downs: float = 0.0  # net, each weighed by how like its prompt was
    judged: bool = True  # False: nobody could tell what it means; its similarity says nothing
    asked: str = ""  # why the prompt asks for it itself: by name, by type, by time
    needed: float | None = None  # how likely it would change what the agent does; None: no second look was taken
    note: float | None = None  # how like the prompt is to what it says
    cue: CueMatch | None = None  # and to its nearest Cue


def felt(how: float, downs: float, weights: RecallWeights) -> float:
    """How sure recall is of it, with what people said about it on prompts like this one."""
    if downs >= 0:
        return _shown(how * weights.factor(downs))
    return likelier(how, weights.of_up * min(-downs, weights.most_ups))


def _because(one: LikelyMemory, weights: RecallWeights) -> str:
    """What decides beside its likeness."""
    if weights.not_wanted(one.downs):
        return f"{THUMBS_DOWN}: not recalled there"
    sure = one.similarity if one.needed is None else one.needed
    now = felt(sure, one.downs, weights)
    if one.judged and round(now, 2) != round(sure, 2):
        return f"{THUMBS_DOWN if now < sure else THUMBS_UP}: {sure:.0%} counts as {now:.0%}"
    return one.asked


def score(one: LikelyMemory, need: Need, now: datetime, weights: RecallWeights) -> Match:
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
    whole = round(sum(rounded.values()), 4)
    because = _because(one, weights)
    return Match(memory, one.similarity, whole, rounded, one.source, one.needed, one.note, one.cue, because)


def _recent(memory: Memory, need: Need, now: datetime, weights: RecallWeights) -> float:
    age = max(0.0, (now - memory.last_observed_at).total_seconds() / _DAY)
    if need.within is None:
        return weights.recency * 2 ** (-age / weights.half_life_days)
    newest, oldest = need.within
    outside = max(newest - age, age - oldest, 0.0)
    return weights.time_window * 2 ** (-outside / _FADES)


@dataclass(frozen=True, slots=True)
class Calibration:
    """Weights of what speaks for a note, in log odds; all nought but `plain`: the cosine is the similarity."""

    cosine: float = 0.0
    behind: float = 0.0  # how much farther it is than the nearest: where one fits, its neighbours do not
    shared: float = 0.0  # words it has in common with the prompt, by how few of the near ones have them
    bias: float = 0.0
    plain: bool = False
    cued: Calibration | None = None  # of a Memory with Cues, where that was fitted

    @classmethod
    def of(cls, stored: Mapping[str, float]) -> Calibration:
        fitted = cls(stored["cosine"], stored["behind"], stored["shared"], stored["bias"])
        cued = of_cued(stored)
        return replace(fitted, cued=cls.of(cued)) if cued else fitted


CUED = "cued_"  # how the names of weights for Memories with Cues begin


def of_cued(stored: Mapping[str, float]) -> Mapping[str, float]:
    """The weights for Memories with Cues, by their own names."""
    return {name.removeprefix(CUED): weight for name, weight in stored.items() if name.startswith(CUED)}


AS_IT_IS = Calibration(plain=True)


def nearness(note: float, cue: float | None) -> float:
    """How near a Memory is: the mean of the cosines of what it says and of its best Cue, if it has any. Other shares,
    the greater of the two and the second best Cue beside them were no better on the tuning side."""
    return note if cue is None else (note + cue) / 2


def nearness_of(found: MemoryMatch) -> float:
    return nearness(found.note, found.cue.likeness if found.cue else None)


def similarities(near: Sequence[MemoryMatch], prompt: frozenset[str], calibration: Calibration) -> list[float]:
    """A Memory without Cues is compared by what notes say, whatever Cues the others have: it is worth what it was
    worth before any had one."""
    if calibration.plain or not near:
        return [_shown(nearness_of(one)) for one in near]
    worth = shared_words([content_terms(one.memory.text) for one in near], prompt)
    nearest, nearest_note = max(map(nearness_of, near)), max(one.note for one in near)
    found = list[float]()
    for one, words in zip(near, worth, strict=True):
        means = (calibration.cued or calibration) if one.cue else calibration
        cosine, best = (nearness_of(one), nearest) if one.cue else (one.note, nearest_note)
        found.append(_shown(odds(means, cosine, cosine - best, words)))
    return found


def shared_words(texts: Sequence[frozenset[str]], prompt: frozenset[str]) -> list[float]:
    """What each has in common with the prompt: a word that all near ones have tells none of them from the others."""
    many = len(texts)
    rarity = {term: math.log(1 + many / max(1, sum(term in text for text in texts))) for term in prompt}
    return [math.log1p(sum(sorted(rarity[term] for term in prompt & text))) for text in texts]


def odds(calibration: Calibration, cosine: float, behind: float, shared: float) -> float:
    weighed = calibration.cosine * cosine + calibration.behind * behind + calibration.shared * shared
    return 1 / (1 + math.exp(-(weighed + calibration.bias)))


def likelier(how: float, by: float) -> float:
    """A probability, moved by something else that speaks for it or against it, in log odds."""
    sure = min(max(how, 1 - _SURE), _SURE)
    return _shown(1 / (1 + math.exp(-(math.log(sure / (1 - sure)) + by))))


def _shown(similarity: float) -> float:
    """To the tenth of a percent, so that half precision decides nothing at a floor."""
    return round(min(1.0, max(0.0, similarity)), 3)


AN_AGENTS = 0.5  # of a person's
MOST_OF_AGENTS = 2.0  # all of theirs together


def net_downs(verdicts: Iterable[tuple[Feedback, float]]) -> float:
    """Each with how like its prompt is. What agents find useful only makes up for what agents found not useful: it
    lifts no Memory, and takes back nothing a person said."""
    people, agents = 0.0, 0.0
    for one, weight in verdicts:
        said = -weight if one.up else weight
        if one.by:
            agents += AN_AGENTS * said
        else:
            people += said
    return people + min(max(agents, 0.0), MOST_OF_AGENTS)
