"""A home is made for its owner alone, whichever command is the first to need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.system.disk import private_folder
from tests.flow.homes import a_lane


@pytest.mark.fault("M6")
def test_every_folder_on_the_way_is_private(tmp_path: Path) -> None:
    private_folder(tmp_path / "a" / "b" / "c")
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in ("a", "a/b", "a/b/c")] == [0o700] * 3


@pytest.mark.fault("M6")
def test_a_new_home_can_be_read_by_nobody_else(tmp_path: Path) -> None:
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    everything = [lane.config.home, *lane.config.home.rglob("*")]
    assert [str(path) for path in everything if path.stat().st_mode & 0o077] == []
