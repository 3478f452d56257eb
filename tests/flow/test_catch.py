"""From a transcript to a memory, once: however its bytes came in, whoever was killed, whatever was rebuilt."""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memlane.app import Lane
from memlane.domain import Memory, RunFilter, State, Window, WindowDrafts
from tests.flow import homes
from tests.flow.homes import SESSION, answer, prompt, said, transcript, write
from tests.flow.listeners import Listener, Told, catching, index_gone, told

OTHER = "22222222-2222-4333-8444-555555555555"


def a_day(turns: int = 9) -> list[dict[str, object]]:
    """A Turn a minute; every third of them says something to be remembered."""
    records: list[dict[str, object]] = []
    for n in range(1, turns + 1):
        lesson = f"Always run check number {n} before a deploy of part {n}." if n % 3 == 0 else f"look at part {n}"
        records += [prompt(lesson, n), answer([said(f"Looked at part {n}: it is fine.")], n)]
    return records


def a_lane(folder: Path) -> Lane:
    """With a Listener as the only one who finds anything: test_teachings.py has what is taught in plain words."""
    return homes.a_lane(folder, LANE_CATCH_TEACHINGS="false")


def written(records: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def caught(folder: Path, records: list[dict[str, object]], session: str = SESSION) -> Lane:
    transcript(folder, session).write_bytes(written(records))
    lane = a_lane(folder)
    lane.capture.sweep()
    catching(lane, Listener()).run()
    return lane


def test_each_lesson_is_a_memory_with_its_evidence(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        found = lane.memories.all()
        assert sorted(memory.title[:31] for memory in found) == [
            "Always run check number 3 befor",
            "Always run check number 6 befor",
            "Always run check number 9 befor",
        ]
        memory = next(memory for memory in found if "number 6" in memory.title)
        assert memory.evidence[0].step.endswith("#t6.1")
        assert memory.evidence[0].line == 11
        assert "look at part 5" in memory.source_chunk
        assert memory.formed_at.minute == 6
        assert memory.maker == "embedded@test"


def test_what_was_caught_is_not_read_again(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        before, listener = told(lane), Listener()
        report = catching(lane, listener).run(runs=[run.id for run in lane.runs.select(RunFilter())])
        assert (report.kept.windows, listener.read_windows) == (0, [])
        assert told(lane) == before


def test_nothing_is_due_when_nothing_changed(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        assert list(lane.catch.due()) == []


@functools.cache
def at_once() -> dict[str, Told]:
    with tempfile.TemporaryDirectory() as place, caught(Path(place), a_day()) as lane:
        return told(lane)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.integers(0, 4000), max_size=4))
def test_any_split_of_the_bytes_gives_the_same_memories(cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder, whole = Path(place), written(a_day())
        with a_lane(folder) as lane:
            for cut in [*sorted(min(cut, len(whole)) for cut in cuts), len(whole)]:
                transcript(folder).write_bytes(whole[:cut])
                lane.capture.sweep()
                catching(lane, Listener()).run()
            kept = {id: seen for id, seen in told(lane).items() if seen[1] != State.RETIRED.value}
        assert kept == at_once()


def test_after_a_week_only_new_turns_are_read(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        later = prompt("Never touch part 77 on a Friday.", 10) | {"timestamp": "2026-05-08T10:00:00.000Z"}
        write(transcript(tmp_path), [later])
        lane.capture.sweep()
        listener = Listener()
        report = catching(lane, listener).run()
        assert [key.split("-")[0] for key in listener.read_windows] == ["t10.1"]
        assert [memory.title for memory in report.kept.made] == ["Never touch part 77 on a Friday"]


def test_what_a_person_said_of_a_memory_stands_when_its_run_goes_on(tmp_path: Path) -> None:
    """The window it came from is read once more, now that there is more of it."""
    with caught(tmp_path, a_day(3)) as lane:
        (memory,) = lane.memories.all()
        lane.memories.edit(memory.id, {"title": "Check number three comes first"})
    with caught(tmp_path, a_day(5)) as lane:
        assert [memory.title for memory in lane.memories.all()] == ["Check number three comes first"]


def test_a_rebuild_reads_no_window_and_has_the_same_memories(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        before = told(lane)
    index_gone(tmp_path)
    with a_lane(tmp_path) as lane:
        lane.archive.rebuild()
        listener = Listener()
        catching(lane, listener).run()
        assert listener.read_windows == []
        assert told(lane) == before


def test_the_same_lesson_in_another_run_is_one_more_observation(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        lane.home.close()
    again = [
        record | {"sessionId": OTHER, "uuid": f"9{record['uuid']!s}"[:36], "timestamp": "2026-06-01T10:00:00.000Z"}
        for record in a_day(3)
    ]
    with caught(tmp_path, again, OTHER) as lane:
        (memory,) = lane.memories.all()
        assert memory.times_observed == 2
        assert {e.run for e in memory.evidence} == {run.id for run in lane.runs.select(RunFilter())}
        assert (memory.first_observed_at.month, memory.last_observed_at.month) == (5, 6)


def test_a_held_one_becomes_active_when_a_second_run_says_so(tmp_path: Path) -> None:
    transcript(tmp_path).write_bytes(written(a_day(3)))
    with a_lane(tmp_path) as lane:
        lane.capture.sweep()
        catching(lane, Listener(confidence=50)).run()
        (memory,) = lane.memories.all()
        assert memory.state is State.HELD
        again = [record | {"sessionId": OTHER, "uuid": f"9{record['uuid']!s}"[:36]} for record in a_day(3)]
        transcript(tmp_path, OTHER).write_bytes(written(again))
        lane.capture.sweep()
        catching(lane, Listener(confidence=50)).run()
        (memory,) = lane.memories.all()
        assert (memory.state, memory.times_observed) == (State.ACTIVE, 2)
        assert memory.confidence >= 60


def test_what_its_owner_forgot_is_not_made_again(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        (memory,) = lane.memories.all()
        lane.memories.forget([memory.id])
    again = [record | {"sessionId": OTHER, "uuid": f"9{record['uuid']!s}"[:36]} for record in a_day(3)]
    with caught(tmp_path, again, OTHER) as lane:
        assert list(lane.memories.all()) == []


def test_a_fork_catches_nothing_of_what_it_copied(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(6)) as lane:
        before = told(lane)
    copied = [record | {"sessionId": OTHER} for record in a_day(6)]
    later = prompt("go on with part 7", 7) | {"sessionId": OTHER}
    with caught(tmp_path, [*copied, later], OTHER) as lane:
        assert told(lane) == before


def words_left(folder: Path) -> list[str]:
    """Files of ours that still hold what was said."""
    found = (path for path in (folder / "lane").rglob("*") if path.is_file())
    return [path.name for path in found if b"check number 3" in path.read_bytes()]


@pytest.mark.fault("I9a")
def test_a_run_forgotten_takes_what_was_caught_from_it_alone_and_brings_it_back(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        before, (run,) = told(lane), lane.runs.select(RunFilter())
        lane.archive.forget_run(run.id)
        assert list(lane.memories.all()) == []
        lane.archive.restore_run(run.id)
        assert told(lane) == before


def test_a_run_forgotten_for_good_leaves_no_word_in_a_memory(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        assert words_left(tmp_path)
        (run,) = lane.runs.select(RunFilter())
        lane.archive.forget_for_good(lane.archive.plan_forget(run.id))
    transcript(tmp_path).unlink()
    assert words_left(tmp_path) == []
    with a_lane(tmp_path) as lane:
        lane.archive.rebuild()
        assert list(lane.memories.all()) == []
        assert not [finding for finding in lane.archive.verify() if finding.level.value != "ok"]


def test_what_two_runs_said_stays_when_one_is_forgotten_for_good(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        (first,) = lane.runs.select(RunFilter())
    again = [record | {"sessionId": OTHER, "uuid": f"9{record['uuid']!s}"[:36]} for record in a_day(3)]
    with caught(tmp_path, again, OTHER) as lane:
        lane.archive.forget_for_good(lane.archive.plan_forget(first.id))
        (memory,) = lane.memories.all()
        assert "check number 3" in memory.title
        assert [evidence.quote == "" for evidence in memory.evidence] == [True, False]
        assert memory.source_chunk == ""


def test_in_another_order_no_evidence_is_lost(tmp_path: Path) -> None:
    def evidence(order: list[int]) -> set[tuple[str, str]]:
        folder = tmp_path / "-".join(map(str, order))
        folder.mkdir()
        with a_lane(folder) as lane:
            for number in order:
                session = f"{number:08d}-2222-4333-8444-555555555555"
                words = ("Always run the linter before a commit.", "Always run the linter before you commit.")[
                    number % 2
                ]
                turn = [prompt(words, 1), answer([said("Yes.")], 2)]
                records = [r | {"sessionId": session, "uuid": f"{number}{str(r['uuid'])[1:]}"} for r in turn]
                transcript(folder, session).write_bytes(written(records))
                lane.capture.sweep()
                catching(lane, Listener()).run()
            return {(e.run, e.quote) for memory in lane.memories.all() for e in memory.evidence}

    assert evidence([1, 2, 3, 4]) == evidence([4, 2, 1, 3]) == evidence([3, 4, 1, 2])


class Surer(Listener):
    """Reads as an agent does, and finds nothing here."""

    name = "agent"

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 - the interface
        self.read_windows.append(window.key)
        return WindowDrafts(())


def test_what_the_classifier_was_sure_of_and_a_surer_reader_does_not_find_waits_for_a_yes(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        (memory,) = lane.memories.all()
        assert memory.state is State.ACTIVE
        surer = Surer()
        catching(lane, surer).run(runs=[run.id for run in lane.runs.select(RunFilter())])
        assert surer.read_windows
        (memory,) = lane.memories.all()
        assert memory.state is State.HELD


def test_what_a_person_kept_stays_whatever_a_surer_reader_finds(tmp_path: Path) -> None:
    with caught(tmp_path, a_day(3)) as lane:
        (memory,) = lane.memories.all()
        lane.memories.edit(memory.id, {"category": "release"})
        catching(lane, Surer()).run(runs=[run.id for run in lane.runs.select(RunFilter())])
        (memory,) = lane.memories.all()
        assert memory.state is State.ACTIVE
