"""`python -m training.moments --moments F --splits F --written F [--trivial F] [--out FILE] [--save FILE]`.

The embedded extractor's weights. Every choice is made in folds over the training repositories: ten by run, and ten by
person, which is what a new repository is like. Validation is never opened here. Written sentences are examples of
lessons and of requests in other domains. Nothing of a text is kept but numbers.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memlane.catch.embedded import tells_enough
from memlane.catch.embedded.classifier import ACTIVE, SUREST
from memlane.catch.embedded.writer import VERY_SURE
from training.logistic import Numbers
from training.moments_data import TYPES, Labelled, labelled, people, sides, written
from training.moments_fit import Fitted, Plan, Table, Words, any_type, fitted, lessons, taken, weighed
from training.split import Split

COMMAND = (
    "python -m training.moments --moments moments-dev.jsonl.xz --splits splits.json --written recall-train.jsonl.xz"
    " --trivial trivial-prompts.jsonl"
)
FOLDS = 10
ACTIVE_SHARE = 0.0176  # of all moments become active with a sentence that tells enough: both folds are right in 0.8
HELD_SHARE = 0.0261  # are held or active: every second of those between was worth keeping


@dataclass(frozen=True, slots=True)
class Scores:
    """Every moment scored by a model that has not seen it."""

    anything: Numbers
    words: Numbers
    lesson: Numbers

    def scale(self) -> tuple[Numbers, Numbers]:
        parts = np.stack([self.anything, self.words, self.lesson])
        return parts.mean(1), np.maximum(parts.std(1), 1e-9)

    def together(self, plan: Plan, mean: Numbers, spread: Numbers) -> Numbers:
        parts = np.stack([self.anything, self.words, self.lesson])
        return part_weights(plan) @ ((parts - mean[:, None]) / spread[:, None])


def part_weights(plan: Plan) -> Numbers:
    return np.asarray([1.0, plan.of_words, plan.of_lessons])


def fold_of(groups: Sequence[str], folds: int = FOLDS) -> NDArray[np.int64]:
    """Whole groups, the largest first, each into the emptiest fold."""
    sizes = {group: groups.count(group) for group in dict.fromkeys(groups)}
    loads, chosen = [0] * folds, dict[str, int]()
    for group in sorted(sizes, key=lambda g: (-sizes[g], g)):
        chosen[group] = loads.index(min(loads))
        loads[chosen[group]] += sizes[group]
    return np.asarray([chosen[group] for group in groups])


def out_of_fold(found: Sequence[Labelled], table: Table, lesson: Numbers, groups: Sequence[str], plan: Plan) -> Scores:
    folds = fold_of(groups)
    anything, words = np.zeros(len(found)), np.zeros(len(found))
    for fold in sorted(set(folds.tolist())):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        model = fitted([found[i] for i in inside.tolist()], taken(table, inside.tolist()), lesson[inside], plan)
        by_type, words[outside] = model.parts(taken(table, outside.tolist()), lesson[outside])
        anything[outside] = any_type(by_type)
    return Scores(anything, words, lesson)


# -- bars -----------------------------------------------------------------------------------------------------------


def bars(scores: Numbers, kept: NDArray[np.bool_]) -> tuple[float, float, float]:
    """Scores from which a moment is held, is active, and which one in ten active ones reaches.

    `kept` are those with a sentence that tells enough: the only ones that count.
    """
    ranked = np.sort(scores[kept])[::-1]
    active, held = (min(len(ranked), max(1, round(share * len(kept)))) - 1 for share in (ACTIVE_SHARE, HELD_SHARE))
    return float(ranked[held]), float(ranked[active]), float(ranked[active // 10])


# -- figures --------------------------------------------------------------------------------------------------------


def average_precision(scores: Numbers, positive: NDArray[np.bool_]) -> float:
    hits = positive[np.argsort(-scores, kind="stable")]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def recall_at(scores: Numbers, positive: NDArray[np.bool_], precision: float) -> float:
    hits = np.cumsum(positive[np.argsort(-scores, kind="stable")])
    good = np.flatnonzero(hits / np.arange(1, len(hits) + 1) >= precision)
    return float(hits[good[-1]] / positive.sum()) if len(good) else 0.0


def figures(
    scores: Numbers, positive: NDArray[np.bool_], cut: tuple[float, float, float], enough: Numbers
) -> dict[str, float]:
    """The ranking is of all moments; held and active are what no veto stops.

    `enough` is 1 for a sentence that tells enough, 0 for one in doubt, NaN where nothing is shown.
    """
    very_sure = cut[1] + (VERY_SURE - ACTIVE) * (cut[2] - cut[1]) / (SUREST - ACTIVE)
    active = (enough == 1) & (scores >= cut[1])
    held = (enough == 1) & (scores >= cut[0]) & ~active | (enough == 0) & (scores >= very_sure)
    shares = {
        "moments": len(positive),
        "base_rate": positive.mean(),
        "average_precision": average_precision(scores, positive),
        "recall_at_0.60": recall_at(scores, positive, 0.60),
        "recall_at_0.75": recall_at(scores, positive, 0.75),
        "active": int(active.sum()),
        "active_precision": positive[active].mean() if active.any() else 0.0,
        "active_recall": positive[active].sum() / positive.sum(),
        "held": int(held.sum()),
        "held_precision": positive[held].mean() if held.any() else 0.0,
    }
    return {name: round(float(value), 4) for name, value in shares.items()}


# -- the file -------------------------------------------------------------------------------------------------------


def arrays(
    model: Fitted, lesson: Words, names: Sequence[str], scale: tuple[Numbers, Numbers], cut: Sequence[float], plan: Plan
) -> dict[str, NDArray[np.generic]]:
    small = np.float16
    return {
        "names": np.asarray(names),
        "types": np.asarray([kind.value for kind in TYPES]),
        "mean": model.mean,
        "spread": model.spread,
        "slopes": np.stack([line.slope for line in model.types]),
        "bases": np.asarray([line.base for line in model.types]),
        "person_rarity": model.person.astype(small),
        "reply_rarity": model.reply.astype(small),
        "words_slope": model.words.slope.astype(small),
        "words_base": np.asarray(model.words.base),
        "lesson_rarity": lesson.rarity.astype(small),
        "lesson_slope": lesson.line.slope.astype(small),
        "lesson_base": np.asarray(lesson.line.base),
        "part_mean": scale[0],
        "part_spread": scale[1],
        "part_weight": part_weights(plan),
        "bars": np.asarray(cut),
    }


@dataclass(frozen=True, slots=True)
class Trained:
    arrays: dict[str, NDArray[np.generic]]
    record: dict[str, object]


def train(found: Sequence[Labelled], lesson: Words, plan: Plan) -> Trained:
    """Scales come from the folds by person: a new repository is a new person."""
    table = Table.of(found)
    lesson_scores = lesson.line.of(weighed(table.lesson, lesson.rarity))
    positive = np.asarray([each.positive for each in found])
    by_run = out_of_fold(found, table, lesson_scores, [each.run for each in found], plan)
    by_person = out_of_fold(found, table, lesson_scores, people(found), plan)
    scale = by_person.scale()
    scores, of_runs = by_person.together(plan, *scale), by_run.together(plan, *by_run.scale())
    told = [tells_enough(each.moment, lesson.of) for each in found]
    enough = np.asarray([np.nan if each is None else each for each in told], float)
    cut = bars(scores, enough == 1)
    model = fitted(found, table, lesson_scores, plan)
    record: dict[str, object] = {
        "plan": asdict(plan),
        "bars": [round(bar, 4) for bar in cut],
        "shown_if_sure": round(float((enough == 1).mean()), 4),
        "held_if_very_sure": round(float((enough == 0).mean()), 4),
        "folds_by_run": figures(of_runs, positive, cut, enough),
        "folds_by_person": figures(scores, positive, cut, enough),
    }
    return Trained(arrays(model, lesson, table.names, scale, cut, plan), record)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.moments", description=__doc__)
    for name in ("moments", "splits", "written"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--trivial", type=Path)
    parser.add_argument("--out", type=Path, help="the weights; their checksum belongs into classifier.py")
    parser.add_argument("--save", type=Path, help="keep the figures of the folds in this file")
    asked = parser.parse_args()
    split, plan = Split.load(asked.splits), Plan()
    training, _validation = sides(labelled(asked.moments), split)
    trained = train(training, lessons(written(asked.written, asked.trivial, split), plan), plan)
    if asked.out:
        np.savez_compressed(asked.out, allow_pickle=False, **trained.arrays)
        trained.record["sha256"] = hashlib.sha256(asked.out.read_bytes()).hexdigest()
    said = json.dumps({"command": COMMAND, "benchmark": "moments-training", **trained.record}, indent=2) + "\n"
    if asked.save:
        asked.save.write_text(said)
    sys.stdout.write(said)


if __name__ == "__main__":
    main()
