"""Killed at any step, or cut off in the middle of its lines: a dream has happened or it has not."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memlane.domain import Change, Memory, Proposal, State, Thought, Type
from memlane.dream import merged
from memlane.system.disk import Disk
from tests.faults.flow.kills import killed
from tests.flow.dreams import TODAY, Clock, Says, a_home, caught, dreaming, known, stand

ONE = caught("Release notes are short", runs=("r_a",), days_ago=9)
OTHER = caught("Short release notes", runs=("r_b",), days_ago=6)
OLD = caught("Tests run with bun", days_ago=5)
SEED = caught("Mails wait until Friday", runs=("r_a", "r_b", "r_c"), type=Type.PATTERN_SEED)
QUICK = {"LANE_RECALL_MODEL": "none", "LANE_EMBED_MODEL": "none"}  # nothing here is about what words mean
ALL = (ONE, OTHER, OLD, SEED)


def a_thought() -> Thought:
    left = replace(OTHER, state=State.SUPERSEDED, superseded_by=ONE.id)
    made = replace(SEED, id="m_made", type=Type.COMMITMENT)
    return Thought(
        (
            Proposal(Change.MERGED, (ONE, OTHER), (merged(ONE, [OTHER]), left), "the same"),
            Proposal(Change.RETIRED, (OLD,), (replace(OLD, state=State.RETIRED),), "bun is gone"),
            Proposal(
                Change.GRADUATED, (SEED,), (replace(SEED, state=State.SUPERSEDED, superseded_by=made.id), made), "3"
            ),
        )
    )


def dreams_in(folder: Path) -> Callable[[Disk], None]:
    def work(disk: Disk) -> None:
        with a_home(folder, disk=disk, **QUICK) as lane:
            dreaming(lane, Says(a_thought())).run()

    return work


@pytest.mark.fault("G4")
def test_killed_at_any_step_a_dream_has_happened_or_it_has_not(tmp_path: Path) -> None:
    with a_home(tmp_path, **QUICK) as lane:
        known(lane, *ALL)
        before = stand(lane)
    shutil.copytree(tmp_path / "lane", tmp_path / "before")
    with a_home(tmp_path, **QUICK) as lane:
        assert len(dreaming(lane, Says(a_thought())).run().done) == 3
        after = stand(lane)
    steps, seen = 0, set[bool]()
    while True:
        shutil.rmtree(tmp_path / "lane")
        shutil.copytree(tmp_path / "before", tmp_path / "lane")
        if not killed(dreams_in(tmp_path), steps):
            break
        with a_home(tmp_path, Clock(TODAY.replace(hour=12)), **QUICK) as lane:
            dreaming(lane, Says(Thought())).run()  # whoever comes next
            now = stand(lane)
            assert now in (before, after), f"killed at step {steps}"
            seen.add(now == after)
            dreaming(lane, Says(a_thought())).run()
            assert stand(lane) == after, f"done again after step {steps}"
        steps += 1
    assert steps > 5
    assert seen == {True, False}


def test_a_dream_that_was_cut_off_before_its_last_line_has_not_happened(tmp_path: Path) -> None:
    with a_home(tmp_path, **QUICK) as lane:
        known(lane, *ALL)
        before = stand(lane)
        (journal,) = lane.home.layout.journal_files()
        begins = journal.stat().st_size
        dreaming(lane, Says(a_thought())).run()
        after, lines = stand(lane), journal.read_bytes()
    ends = [n + 1 for n, byte in enumerate(lines) if byte == ord("\n") and n >= begins]
    assert len(ends) == 6
    for cut in (begins, *ends):
        journal.write_bytes(lines[:cut])
        with a_home(tmp_path, Clock(TODAY.replace(hour=12)), **QUICK) as lane:
            lane.archive.rebuild(accepted=["all"])
            expected = after if cut == len(lines) else before
            assert stand(lane) == expected
            assert told_of(ONE, lane.memories.history(ONE.id)[-1].after) == told_of(ONE, expected[ONE.id])
            dreaming(lane, Says(a_thought())).run()
            lane.archive.rebuild(accepted=["all"])
            assert stand(lane) == after


def told_of(memory: Memory, now: Memory | None) -> tuple[bool, int]:
    return now is not None and now.id == memory.id, now.times_observed if now else 0
