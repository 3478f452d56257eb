"""When a machine is in contact with its Central: at once, or a while after the last time, and one process each time."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from memlane.app.home import contact


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / contact.MEMBERSHIP).touch()
    return tmp_path


def later(home: Path, seconds: float) -> None:
    place = home / "run" / "contact"
    before = place.stat().st_mtime - seconds
    os.utime(place, (before, before))


def test_the_first_command_goes_at_once_and_the_next_one_waits_its_turn(home: Path) -> None:
    assert contact.book(home) == 0
    contact.note(home)
    wait = contact.book(home)
    assert wait is not None
    assert 0 < wait <= contact.EVERY
    assert abs((home / "run" / "contact").stat().st_mtime - time.time() - wait) < 1


def test_what_is_booked_is_nobody_elses(home: Path) -> None:
    contact.note(home)
    assert contact.book(home) is not None
    assert contact.book(home) is None
    assert not contact.is_due(home)


def test_who_booked_and_never_went_is_not_waited_for(home: Path) -> None:
    contact.note(home)
    contact.book(home)
    later(home, 2 * contact.EVERY)
    assert contact.is_due(home)
    assert contact.book(home) == 0


def test_a_clock_that_was_put_back_stops_nothing(home: Path) -> None:
    contact.note(home)
    later(home, -86_400)
    assert contact.is_due(home)
    assert contact.book(home) == 0


def test_without_a_central_there_is_nothing_to_book(tmp_path: Path) -> None:
    assert contact.book(tmp_path) is None
    assert not contact.is_due(tmp_path)
    assert not (tmp_path / "run").exists()
