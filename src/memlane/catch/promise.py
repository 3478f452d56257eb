"""How much reading a Window promises, and in which order Windows are read when not all of them can be.

The weights come from labelled moments (`training/promise.py`, training repositories only). They order; they decide
nothing: with no cap, every Window is read. Knows no clock and no storage.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memlane.catch.moment import Moment, moments
from memlane.catch.windows.steps import length
from memlane.domain import RunSummary, Signal, Window

HALF = timedelta(days=60)  # after so long a Window promises half: what is true lately is asked for next. Not learned
OVERHEAD = 4_500  # characters of instructions that every Window costs
SOME_STEPS = 30  # a Run costs this much before its first Step: a Run of two Steps promises little in all
NOT_TYPED = 0.03  # nobody labelled what a program asked: a guess
TRIGGER = 0.1  # for each: labelled lines know neither recoveries nor undone work. 0 to 0.5 order training runs alike
_SHORT, _LONG = 4, 1200  # words; characters
_MOST_WORDS, _MOST_TEACHING = 150, 4
_TEACHING = re.compile(
    r"\b(?:always|never|must|should|shouldn't|don't|do not|prefer|instead|rather|remember|rule|from now on|no longer"
    r"|want|need|not|wrong|why|because|actually|only|better|please)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(r"edit|write|apply_patch|replace", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PromiseWeights:
    """Log-odds that a careful reader keeps something of what was typed (1,765 moments, AUC 0.67 in folds by run)."""

    base: float = -1.61
    words: float = 0.24  # for each e-fold
    short: float = -0.83  # "yes", "go on"
    long: float = -0.54  # mostly pasted
    teaching: float = 0.73  # words that teach or object: always, never, instead, why
    correction: float = 0.91
    dismay: float = 0.62
    errors: float = 0.19  # calls failed before it
    first: float = -0.75  # no agent has spoken: the task, not yet a lesson
    talk: float = -0.89  # nothing was done after it
    changes: float = 0.21  # files were changed after it


WEIGHTS = PromiseWeights()


def features(moment: Moment) -> dict[str, float]:
    """By the names of the weights, from fields that a labelled line has too."""
    words, signals = len(moment.person.split()), moment.signals
    return {
        "words": math.log1p(min(words, _MOST_WORDS)),
        "short": float(words <= _SHORT),
        "long": float(len(moment.person) >= _LONG),
        "teaching": min(len(_TEACHING.findall(moment.person)), _MOST_TEACHING) / _MOST_TEACHING,
        "correction": float(Signal.CORRECTION in signals),
        "dismay": float(Signal.DISMAY in signals),
        "errors": float(bool(moment.before_errors)),
        "first": float(not moment.before_agent),
        "talk": float(not moment.next_tools),
        "changes": float(any(_CHANGE.match(call) for call in moment.next_tools)),
    }


def promise(window: Window, weights: PromiseWeights = WEIGHTS) -> float:
    """How many things worth keeping a careful reader would find in it, about."""
    return TRIGGER * len(window.triggers) + sum(_likely(moment, weights) for moment in moments(window))


def _likely(moment: Moment, weights: PromiseWeights) -> float:
    if not moment.typed or not moment.person:
        return NOT_TYPED
    odds = weights.base + sum(getattr(weights, name) * value for name, value in features(moment).items())
    return 1 / (1 + math.exp(-odds))


def by_promise(runs: Sequence[Sequence[Window]], now: datetime) -> list[Window]:
    """Windows of each Run oldest first, as given; of all Runs the one first whose next Windows promise most for their
    length. A poor Window is read early only where a rich one stands behind it."""
    pieces = [piece for run in runs for piece in _pieces([_Weighed.of(window, now) for window in run])]
    pieces.sort(key=lambda piece: -piece.worth)
    return [window for piece in pieces for window in piece.windows]


def run_promise(run: RunSummary, now: datetime) -> float:
    """Before its Windows are known: how often somebody typed, for its length."""
    fresh = 0.5 ** ((now - run.ended) / HALF) if run.ended and run.ended < now else 1.0
    return fresh * run.person_turns / (run.steps + SOME_STEPS)


@dataclass(frozen=True, slots=True)
class _Weighed:
    windows: tuple[Window, ...]
    promise: float
    cost: int

    @classmethod
    def of(cls, window: Window, now: datetime) -> _Weighed:
        formed = window.formed_at
        fresh = 0.5 ** ((now - formed) / HALF) if formed and formed < now else 1.0
        cost = OVERHEAD + sum(length(step) for spot, step in window.steps() if spot >= window.first)
        return cls((window,), promise(window) * fresh, cost)

    @property
    def worth(self) -> float:
        return self.promise / self.cost

    def and_then(self, other: _Weighed) -> _Weighed:
        return _Weighed((*self.windows, *other.windows), self.promise + other.promise, self.cost + other.cost)


def _pieces(run: Sequence[_Weighed]) -> Iterator[_Weighed]:
    """A Run cut so that no piece promises more than the one before it: sorted by worth they stay in their order."""
    found: list[_Weighed] = []
    for each in run:
        found.append(each)
        while len(found) > 1 and found[-1].worth > found[-2].worth:
            last = found.pop()
            found[-1] = found[-1].and_then(last)
    return iter(found)
