"""`python -m training.promise --moments F --splits F`: the weights that order Windows (`catch/promise.py`).

One logistic regression over a handful of named features of labelled moments of the training repositories; any worth
counts as kept, and repositories weigh by the root of their size. Prints the weights and how well they rank in ten
folds by run. Writes nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from memlane.catch.promise import features
from training.logistic import Dense, Line, Numbers, fit
from training.moments_data import Labelled, labelled, sides
from training.split import Split

STRENGTH = 0.3  # 0.03 to 1 rank alike in the folds
FOLDS = 10


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.promise", description=__doc__)
    parser.add_argument("--moments", type=Path, required=True)
    parser.add_argument("--splits", type=Path, required=True)
    asked = parser.parse_args()
    training, _validation = sides(labelled(asked.moments), Split.load(asked.splits))
    rows, kept, weights = table(training)
    line = fit(rows, kept, weights, STRENGTH)
    names = list(features(training[0].moment))
    found = {name: round(float(slope), 2) for name, slope in zip(names, line.slope, strict=True)}
    ranked = in_folds(training, rows, kept, weights)
    report = {"base": round(line.base, 2), **found, "moments": len(training), "auc": round(ranked, 3)}
    sys.stdout.write(json.dumps(report) + "\n")


def table(training: list[Labelled]) -> tuple[Dense, Numbers, Numbers]:
    rows = np.array([list(features(each.moment).values()) for each in training])
    sizes = Counter(each.repository for each in training)
    weights = np.array([sizes[each.repository] ** -0.5 for each in training])
    return Dense(rows), np.array([float(each.worth > 0) for each in training]), weights / weights.mean()


def in_folds(training: list[Labelled], rows: Dense, kept: Numbers, weights: Numbers) -> float:
    """How often something kept ranks above something that was not, by lines that did not see its run."""
    folds = np.array([hashlib.sha256(each.run.encode()).digest()[0] % FOLDS for each in training])
    odds = np.zeros(len(training))
    for fold in range(FOLDS):
        others, own = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        line: Line = fit(rows.taken(others), kept[others], weights[others], STRENGTH)
        odds[own] = line.of(rows.taken(own))
    places = np.argsort(np.argsort(odds)) + 1
    held = kept.sum()
    return float((places[kept > 0].sum() - held * (held + 1) / 2) / (held * (len(kept) - held)))


if __name__ == "__main__":
    main()
