"""Where a home is, by the environment alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.config import load
from memlane.system.environment import home_folder


@pytest.mark.parametrize(
    ("given", "home"),
    [
        ({"HOME": "/home/noor"}, "/home/noor/.memlane"),
        ({"HOME": "/home/noor", "LANE_HOME": "/srv/lane"}, "/srv/lane"),
        ({"HOME": "/home/noor", "LANE_HOME": ""}, "/home/noor/.memlane"),
    ],
)
def test_a_home_is_where_the_environment_says_it_is(given: dict[str, str], home: str) -> None:
    assert home_folder(given) == home
    assert load(given).home == Path(home)


def test_one_that_is_named_from_here_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert home_folder({"HOME": "/home/noor", "LANE_HOME": "lane"}) == str(tmp_path / "lane")


def test_where_we_are_may_be_gone_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worktree that was removed while its agent worked in it."""
    monkeypatch.chdir(tmp_path)
    gone = tmp_path / "worktree"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert home_folder({"HOME": "/home/noor"}) == "/home/noor/.memlane"
