"""`python -m training.catch --moments FILE --splits FILE --encoder FILE --tokenizer FILE`: does it help the catcher?

Average precision of a logistic regression over what a person typed, in folds by run of the training side: words alone,
the encoder's vector alone, and both. An experiment: nothing that ships comes from here. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score
from sklearn.model_selection import GroupKFold

from training import bert
from training.bert import BertEncoder
from training.measure import vectors
from training.progress import say
from training.split import Side, Split

FOLDS = 5
WORTH = 2  # a memory of less is not one
LONGEST = 600  # characters of what was typed and of what was said before it


def read(path: Path, split: Split) -> list[dict[str, Any]]:
    with path.open() as lines:
        found = [json.loads(line) for line in lines]
    return [moment for moment in found if split.side(moment["repo"]) is not Side.VALIDATION]


def folded(given: Any, wanted: np.ndarray, runs: list[str]) -> tuple[float, list[float]]:
    """Over all folds together, and in each."""
    said, each = np.zeros(len(wanted)), list[float]()
    for train, test in GroupKFold(FOLDS).split(wanted, groups=runs):
        model = LogisticRegression(C=1.0, max_iter=1000, class_weight="balanced").fit(given[train], wanted[train])
        said[test] = model.decision_function(given[test])
        each.append(round(float(average_precision_score(wanted[test], said[test])), 4))
    return round(float(average_precision_score(wanted, said)), 4), each


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("moments", "splits", "encoder", "tokenizer"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    moments = read(given.moments, Split.load(given.splits))
    wanted = np.array([any(m["worth"] >= WORTH for m in moment["memories"]) for moment in moments])
    runs = [moment["run"] for moment in moments]
    typed = [moment["person"][:LONGEST] for moment in moments]
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True).fit_transform(typed)
    encoder = BertEncoder(bert.load(given.encoder), given.tokenizer, 96)
    meant = csr_matrix(vectors(encoder, typed) * 3.0)
    say("moments", len(moments), "share", round(float(wanted.mean()), 4))
    for name, features in (("words", words), ("meaning", meant), ("both", hstack([words, meant]).tocsr())):
        say(name, *folded(features, wanted, runs))


if __name__ == "__main__":
    main()
