"""A Run read in parts is the Run: none of its Steps twice, none missing, and no secret on a border."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.domain import Address, RunFilter
from tests.flow.homes import a_lane, answer, called, prompt, returned, said, transcript, write

SECRET = "ghp_" + "R7xK2mPq9LwT4vNz8BcD1fGh5JsY3aEu6ViQ"
TURNS, CALLS = 6, 7


def with_a_long_run(folder: Path) -> Lane:
    records: list[dict[str, object]] = []
    for turn in range(TURNS):
        records += [prompt(f"part {turn}, with {SECRET}", turn), answer([said(f"going on with {turn}")], turn)]
        for n in range(CALLS):
            call = f"c{turn}x{n}"
            records += [answer([called("Bash", {"command": f"make {turn} {n}"}, call)], turn)]
            records += [returned(f"made {SECRET}", call, turn, error=n in (2, 3))]
    for n, record in enumerate(records):
        record["uuid"] = f"00000000-0000-4000-8000-{n:012d}"
        if record["type"] == "assistant":
            record["message"]["id"] = f"msg_{n}"  # type: ignore[index]
    write(transcript(folder), records)
    opened = a_lane(folder)
    opened.capture.sweep()
    return opened


@pytest.fixture(scope="module")
def lane(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lane]:
    """For those who only read."""
    with with_a_long_run(tmp_path_factory.mktemp("h")) as opened:
        yield opened


def the_run(lane: Lane) -> str:
    (run,) = lane.runs.select(RunFilter(limit=2))
    return run.id


@pytest.mark.parametrize("most", [1, 2, 5, 9, 13, 1000])
def test_parts_put_together_are_the_whole(lane: Lane, most: int) -> None:
    run = the_run(lane)
    whole = [(turn.n, step) for turn in lane.runs.show(run).turns for step in turn.steps]
    found, at = [], 0
    while at < len(whole):
        part = lane.runs.transcript.part(run, at, most)
        assert (part.first, part.total) == (at, len(whole))
        assert [one.place for one in part.steps] == list(range(at, part.end))
        found += [(one.turn, one.step) for one in part.steps]
        at = part.end
    assert found == whole


def test_a_step_is_found_wherever_it_is_and_stands_in_its_part(lane: Lane) -> None:
    run = the_run(lane)
    for one in lane.runs.transcript.part(run, 0, 1000).steps:
        part = lane.runs.transcript.around(Address(run, one.turn, one.step.n), 9)
        assert part.asked == one.place
        assert [each.step for each in part.steps if each.place == one.place] == [one.step]
        assert len(part.steps) == 9


def test_a_step_that_is_not_there_opens_the_beginning(lane: Lane) -> None:
    run = the_run(lane)
    for address in (Address(run, 99, 1), Address(run, 1, 99)):
        part = lane.runs.transcript.around(address, 9)
        assert (part.asked, part.first) == (None, 0)


def test_no_part_and_no_outline_says_a_secret(lane: Lane) -> None:
    run = the_run(lane)
    for first in range(lane.runs.transcript.part(run, 0, 1).total):
        assert SECRET not in str(lane.runs.transcript.part(run, first, 1).steps)
    assert SECRET not in str(lane.runs.transcript.outline(run))


def test_the_outline_names_prompts_errors_and_what_worked_after_them(lane: Lane) -> None:
    marks = lane.runs.transcript.outline(the_run(lane))
    assert [mark.what for mark in marks[:4]] == ["prompt", "error", "error", "recovery"]
    assert len(marks) == 4 * TURNS
    places = {one.place: one for one in lane.runs.transcript.part(the_run(lane), 0, 1000).steps}
    assert all(places[mark.place].step.n == mark.step for mark in marks)


def test_a_run_that_grew_is_read_again(tmp_path: Path) -> None:
    with with_a_long_run(tmp_path) as lane:
        run = the_run(lane)
        before = lane.runs.transcript.part(run, 0, 1).total
        write(transcript(tmp_path), [prompt("and one more", 40) | {"uuid": "00000000-0000-4000-8000-999999999999"}])
        lane.capture.sweep()
        assert lane.runs.transcript.part(run, 0, 1).total == before + 1
