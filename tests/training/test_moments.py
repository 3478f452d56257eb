"""The embedded extractor's training, on a handful of sentences written for this test."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from memlane.catch.embedded.classifier import ACTIVE, HELD, Classifier
from memlane.catch.moment import Moment
from training.logistic import Dense, Sparse, fit
from training.moments import bars, fold_of, train
from training.moments_data import labelled, sides, written
from training.moments_fit import Plan, lessons
from training.split import Split

QUICK = Plan(steps=25)
PLACES = ("harbour", "orchard", "mill", "tower")
LESSONS = (
    "don't mock the clock, pass it in",
    "no, we never commit generated files",
    "that's wrong, the port is 8080 because nginx owns 80",
    "always run the formatter before you push",
    "we should not cache tokens, they expire in a minute",
    "stop adding comments that repeat the code",
)
REQUESTS = (
    "run the tests",
    "can you open the settings page?",
    "add a button to the header",
    "what is the name of that file?",
    "push it",
    "show me the diff please",
)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    lines = [
        _line(
            f"{said} in the {PLACES[n]}",
            lesson=said in LESSONS,
            run=n,
            repository="tower" if n == 3 else f"repo-{n % 2}",
        )
        for n in range(4)
        for said in (*LESSONS, *REQUESTS)
    ]
    _write(tmp_path / "moments.jsonl", lines)
    memory = {"source": "written", "repo": "mill", "quote": "never touch the lock file", "probes": ["update it"]}
    _write(tmp_path / "written.jsonl", [memory | {"non_probes": ["lock the door", f"ask {n}"]} for n in range(8)])
    split = {"validation": {"repositories": ["tower"], "written_projects": []}}
    (tmp_path / "splits.json").write_text(json.dumps(split))
    return tmp_path


def _line(said: str, *, lesson: bool, run: int, repository: str) -> dict[str, object]:
    memory = {"worth": 2, "type": "correction"}
    return {
        "run": f"run-{run}",
        "repo": repository,
        "person": said,
        "before_agent": "I changed it.",
        "before_tools": [f'Bash {{"command": "cat /home/person{run}/a"}}'],
        "before_errors": [],
        "next": "You're right, I changed it back." if lesson else "Done.",
        "next_tools": [],
        "memories": [memory] if lesson else [],
    }


def _write(path: Path, records: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_a_few_sentences_teach_it_to_tell_a_lesson_from_a_request(world: Path) -> None:
    split = Split.load(world / "splits.json")
    training, validation = sides(labelled(world / "moments.jsonl"), split)
    assert {each.repository for each in validation} == {"tower"}
    trained = train(training, lessons(written(world / "written.jsonl", None, split), QUICK), QUICK)
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **trained.arrays)
    file.seek(0)
    reader = Classifier(dict(np.load(file, allow_pickle=False)))
    after = "You're right, I changed it back."
    lesson = reader.judge(Moment("don't ever commit generated files", "I changed it.", next=after))
    request = reader.judge(Moment("can you show me the settings?", "I changed it.", next="Done."))
    assert lesson.score > request.score


def test_few_moments_are_above_the_bars_and_fewer_above_the_higher_one() -> None:
    scores = np.linspace(1, 0, 1000)
    held, active, surest = bars(scores, np.ones(1000, bool))
    assert 0 < (scores >= active).sum() < (scores >= held).sum() < 100
    assert held < active < surest


def test_what_a_veto_stops_moves_no_bar() -> None:
    noise = np.r_[np.full(100, 2.0), np.linspace(1, 0, 400)]  # above all of them, and never shown
    _held, active, surest = bars(noise, np.r_[np.zeros(100, bool), np.ones(400, bool)])
    assert active < surest <= 1


def test_confidence_is_40_at_the_held_bar_and_60_at_the_active_one() -> None:
    reader = Classifier({"names": np.asarray([]), "types": np.asarray([]), "bars": np.asarray([1.0, 2.0, 3.0])})
    assert [reader.confidence(score) for score in (1.0, 2.0, 3.0)] == [HELD, ACTIVE, 90]
    assert reader.confidence(-5.0) == 0
    assert reader.confidence(99.0) == 95


def test_a_group_is_never_in_two_folds() -> None:
    groups = ["a"] * 5 + ["b"] * 3 + ["c"] * 3 + ["a"] * 2
    folds = fold_of(groups, 2)
    assert len({(group, int(fold)) for group, fold in zip(groups, folds, strict=True)}) == 3


def test_a_sparse_matrix_is_fitted_like_the_same_dense_one() -> None:
    dice = np.random.default_rng(5)
    values = dice.normal(size=(60, 4)) * (dice.random((60, 4)) < 0.5)
    wanted = (values[:, 0] > 0).astype(float)
    rows = [{place: float(v) for place, v in enumerate(row) if v} for row in values]
    dense, sparse = (fit(each, wanted, np.ones(60), 1.0) for each in (Dense(values), Sparse.of(rows, 4)))
    assert np.allclose(dense.slope, sparse.slope)
    assert dense.slope[0] > abs(dense.slope[1])
