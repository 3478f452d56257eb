"""More Runs than any page shows: what asks for all of them is given all of them, the oldest too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import RunFilter
from tests.flow.homes import a_lane, answer, prompt, said, transcript, write
from tests.flow.listeners import Listener, catching

NEWER = 1200
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def lane(tmp_path: Path) -> Iterator[Lane]:
    """A talk in May, and 1,200 Runs since."""
    write(transcript(tmp_path), [prompt("Always run the linter before a commit."), answer([said("I will.")])])
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        (oldest,) = lane.runs.select(RunFilter())
        for n in range(NEWER):
            at = NOON + timedelta(minutes=n)
            newer = replace(oldest, id=f"r_newer{n:04}", native_id=f"newer-{n}", started=at, ended=at)
            lane.home.storage().runs.put(newer)
        yield lane


@pytest.mark.fault("E17")
def test_a_list_has_all_of_them(lane: Lane) -> None:
    runs = lane.runs.select(RunFilter())
    assert len(runs) == NEWER + 1
    assert runs[-1].ended is not None
    assert runs[-1].ended < NOON


def test_what_a_model_would_read_is_estimated_over_all_of_them(lane: Lane) -> None:
    looked_at = list[int]()
    found = lane.catch.model.estimate(on=lambda _done, all_of_them: looked_at.append(all_of_them))
    assert set(looked_at) == {NEWER + 1}
    assert found.windows == 1
    assert found.tokens_in > 0


@pytest.mark.fault("G7")
def test_what_a_model_reads_better_is_due_however_old(lane: Lane) -> None:
    oldest = lane.runs.select(RunFilter())[-1].id
    catching(lane, Listener()).run(runs=[oldest])
    assert oldest in lane.catch.due("model")
    assert [window.run for window in lane.catch.open_windows("model")] == [oldest]
