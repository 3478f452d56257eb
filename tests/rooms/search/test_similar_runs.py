"""Runs that were about the same: by their telling words and by meaning, never the same Run or its kin."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import RunFilter
from tests.conftest import LaneHome

TIDES = "The tide table is wrong after the clocks change: the harbour shows high water one hour late."
FERRY = "The ferry booking page loses the passenger's name when the payment is declined."


def runs(*told: tuple[str, str, Sequence[str]]) -> str:
    """Each an id, its parent, and what was asked."""
    lines = list[dict[str, str]]()
    for name, parent, asked in told:
        lines.append({"type": "run", "id": name, "agent": "chat", "started": "2026-11-01T10:00:00Z"})
        if parent:
            lines[-1] |= {"parent": parent, "relation": "fork"}
        lines += [
            {"type": "turn", "id": f"{name}-{n}", "person": words, "agent": "I had a look."}
            for n, words in enumerate(asked)
        ]
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def lane(lane_home: LaneHome) -> Iterator[Lane]:
    file = lane_home.home / "runs.jsonl"
    file.write_text(
        runs(
            ("tides", "", [TIDES, "Use the harbour's own time zone for high water."]),
            ("fork", "tides", [TIDES, "Leave the harbour's clocks alone then."]),
            ("grandchild", "fork", ["High water at the harbour is an hour late again."]),
            ("again", "", ["High water at the harbour is an hour late since the clocks went back."]),
            ("ferry", "", [FERRY, "Keep the passenger's name in the booking."]),
            ("bread", "", ["How long does sourdough rise in a cold kitchen?"]),
        )
    )
    with Lane(load(lane_home.variables)) as lane:
        lane.capture.imports.take([file])
        yield lane


def like(lane: Lane, name: str, which: RunFilter = RunFilter(), limit: int = 10) -> list[str]:  # noqa: B008
    ids = {run.native_id: run.id for run in lane.runs.select(RunFilter())}
    return [run.native_id for run, _score in lane.search.similar(ids[name], which, limit)]


def test_the_run_about_the_same_comes_first_and_kin_are_left_out(lane: Lane) -> None:
    found = like(lane, "tides")
    assert found[0] == "again"
    assert not {"tides", "fork", "grandchild"} & set(found)


def test_kin_are_known_from_below_too(lane: Lane) -> None:
    assert not {"tides", "fork", "grandchild"} & set(like(lane, "grandchild"))
    assert "tides" in like(lane, "again")


def test_scores_fall_and_lie_between_nothing_and_one(lane: Lane) -> None:
    run = next(run.id for run in lane.runs.select(RunFilter()) if run.native_id == "again")
    scores = [score for _run, score in lane.search.similar(run, RunFilter(), 10)]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_filter_and_a_limit_hold(lane: Lane) -> None:
    assert like(lane, "tides", RunFilter(agent="nobody")) == []
    assert like(lane, "again", limit=1) == like(lane, "again")[:1]
