"""Killed at any step while it catches, and done again: it is the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memlane.system.disk import Disk
from tests.faults.flow.kills import killed
from tests.flow.homes import a_lane
from tests.flow.listeners import Listener, catching, told
from tests.flow.test_catch import a_day, caught


def catches_in(folder: Path) -> Callable[[Disk], None]:
    def work(disk: Disk) -> None:
        with a_lane(folder, disk=disk, LANE_CATCH_TEACHINGS="false") as lane:
            catching(lane, Listener()).run()

    return work


@pytest.mark.fault("G2")
def test_killed_at_any_step_and_done_again_it_is_the_same(tmp_path: Path) -> None:
    with caught(tmp_path, a_day()) as lane:
        expected, steps = told(lane), 0
    shutil.rmtree(tmp_path / "lane")
    with a_lane(tmp_path, LANE_CATCH_TEACHINGS="false") as lane:
        lane.capture.sweep()
    shutil.copytree(tmp_path / "lane", tmp_path / "before")
    while killed(catches_in(tmp_path), steps):
        with a_lane(tmp_path, LANE_CATCH_TEACHINGS="false") as lane:
            catching(lane, Listener()).run()
            assert told(lane) == expected, f"killed at step {steps}"
        shutil.rmtree(tmp_path / "lane")
        shutil.copytree(tmp_path / "before", tmp_path / "lane")
        steps += 1
    assert steps > 5
