"""Fits what the embedded extractor reads with: a line for each type over named features, one over words, one over
sentences written for it. Their scores are added; the parts are weighed and cut by `training/moments.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memlane.catch.embedded.features import SIZE, features, grams, own_words
from training.logistic import Dense, Line, Numbers, Sparse, fit, sigmoid
from training.moments_data import TYPES, Labelled, Written

REPLY_CHARACTERS = 500
GRAMS_OF_MOMENTS, GRAMS_OF_LESSONS = 2, 3
_SEEN_IN = 3  # texts: rarer runs of words are noise


@dataclass(frozen=True, slots=True)
class Plan:
    """Chosen in folds by run and by person over the training repositories: benchmarks/results/moments.json."""

    features: float = 0.01  # strength of each part: smaller is smoother
    words: float = 1.0
    lessons: float = 3.0
    repository: float = 0.5  # a repository of n moments weighs n to the power of this
    worth_one: float = 0.3
    worth_three: float = 1.3
    of_words: float = 0.3  # what a part weighs beside the features
    of_lessons: float = 0.8  # by leaving whole repositories out: within one repository less is better
    steps: int = 300


@dataclass(frozen=True, slots=True)
class Table:
    """Everything about many moments, computed once for all folds."""

    names: tuple[str, ...]
    values: Numbers
    person: tuple[Counter[int], ...]
    reply: tuple[Counter[int], ...]
    lesson: tuple[Counter[int], ...]

    @classmethod
    def of(cls, found: Sequence[Labelled]) -> Table:
        rows = [features(each.moment) for each in found]
        own = [own_words(each.moment.person) for each in found]
        return cls(
            tuple(rows[0]),
            np.asarray([list(row.values()) for row in rows]),
            tuple(grams(text, GRAMS_OF_MOMENTS) for text in own),
            tuple(grams(each.moment.next[:REPLY_CHARACTERS], GRAMS_OF_MOMENTS) for each in found),
            tuple(grams(text, GRAMS_OF_LESSONS) for text in own),
        )


@dataclass(frozen=True, slots=True)
class Words:
    """A line over runs of words; `rarity` is learnt from the texts it was fitted on."""

    rarity: Numbers
    line: Line

    def of(self, text: str) -> float:
        return float(self.line.of(weighed([grams(text, GRAMS_OF_LESSONS)], self.rarity))[0])


def rarity(texts: Sequence[Counter[int]]) -> Numbers:
    seen = np.bincount([place for text in texts for place in text], minlength=SIZE)
    return np.where(seen >= _SEEN_IN, np.log((1 + len(texts)) / (1 + seen)) + 1, 0.0)


def weighed(texts: Sequence[Counter[int]], rare: Numbers) -> Sparse:
    rows = [{place: (1 + np.log(n)) * rare[place] for place, n in text.items()} for text in texts]
    lengths = [max(float(np.sqrt(sum(v * v for v in row.values()))), 1e-9) for row in rows]
    return Sparse.of([{p: v / size for p, v in row.items()} for row, size in zip(rows, lengths, strict=True)], SIZE)


def lessons(examples: Written, plan: Plan) -> Words:
    """Independent of every labelled moment, so that it is fitted once for all folds."""
    texts = [grams(text, GRAMS_OF_LESSONS) for text in (*examples.lessons, *examples.requests)]
    wanted = np.r_[np.ones(len(examples.lessons)), np.zeros(len(examples.requests))]
    share = float(wanted.mean())
    balance = np.where(wanted > 0, 0.5 / share, 0.5 / (1 - share))
    rare = rarity(texts)
    return Words(rare, fit(weighed(texts, rare), wanted, balance, plan.lessons, plan.steps))


def row_weights(found: Sequence[Labelled], plan: Plan) -> Numbers:
    """Repositories by the root of their size, so that the largest does not decide alone; mean 1."""
    size = Counter(each.repository for each in found)
    by_worth = {0: 1.0, 1: plan.worth_one, 2: 1.0, 3: plan.worth_three}
    raw = [by_worth[each.worth] * size[each.repository] ** (plan.repository - 1) for each in found]
    return np.asarray(raw) / np.mean(raw)


@dataclass(frozen=True, slots=True)
class Fitted:
    mean: Numbers
    spread: Numbers
    types: tuple[Line, ...]  # in the order of TYPES, over named features and the lesson score
    person: Numbers  # rarity
    reply: Numbers
    words: Line

    def parts(self, table: Table, lesson_scores: Numbers) -> tuple[Numbers, Numbers]:
        """For each moment the log-odds of each type, and the score of its words."""
        values = (np.c_[table.values, lesson_scores] - self.mean) / self.spread
        by_type = np.stack([line.of(Dense(values)) for line in self.types])
        return by_type, self.words.of(_both(table, self.person, self.reply))


def fitted(found: Sequence[Labelled], table: Table, lesson_scores: Numbers, plan: Plan) -> Fitted:
    weights = row_weights(found, plan)
    values = np.c_[table.values, lesson_scores]
    mean, spread = values.mean(0), np.maximum(values.std(0), 1e-6)
    rows = Dense((values - mean) / spread)
    types = tuple(
        fit(rows, np.asarray([float(e.positive and e.type is kind) for e in found]), weights, plan.features, plan.steps)
        for kind in TYPES
    )
    wanted = np.asarray([float(each.positive) for each in found])
    person, reply = rarity(table.person), rarity(table.reply)
    words = fit(_both(table, person, reply), wanted, weights, plan.words, plan.steps)
    return Fitted(mean, spread, types, person, reply, words)


def _both(table: Table, person: Numbers, reply: Numbers) -> Sparse:
    """The person's words, and beside them the reply's."""
    left, right = weighed(table.person, person), weighed(table.reply, reply)
    return Sparse(
        np.r_[left.row, right.row],
        np.r_[left.place, right.place + SIZE],
        np.r_[left.value, right.value],
        (left.shape[0], 2 * SIZE),
    )


def taken(table: Table, rows: Sequence[int]) -> Table:
    pick = [tuple(column[i] for i in rows) for column in (table.person, table.reply, table.lesson)]
    return Table(table.names, table.values[list(rows)], *pick)


def any_type(by_type: Numbers) -> Numbers:
    """How much speaks for a memory of whatever type."""
    return np.log(sigmoid(by_type).sum(0))
