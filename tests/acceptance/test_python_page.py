"""The programs of docs/guides/python.md, each run in a fresh home with the sample runs in it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memlane import Lane
from memlane.demo import PERSON, RELATED, write_home
from tests.conftest import LaneHome
from tests.house.tree import ROOT

PROGRAMS = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/guides/python.md").read_text(), re.DOTALL | re.MULTILINE)
SEARCH, REMEMBER, RECALL, WALK, FOLLOW = PROGRAMS
EVENT = "UserPromptSubmit"


@pytest.fixture
def person(lane_home: LaneHome, monkeypatch: pytest.MonkeyPatch) -> LaneHome:
    """A home in which the sample runs are captured; the program runs in one of its projects."""
    write_home(lane_home.home, datetime.now(UTC))
    with Lane.open() as lane:
        lane.capture.sweep()
    monkeypatch.chdir(lane_home.home / "code" / "ferry-api")
    return lane_home


@pytest.fixture
def output_of(person: LaneHome, capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[str]]:
    def run(program: str) -> list[str]:
        exec(compile(program, "docs/guides/python.md", "exec"), {"__name__": "__main__"})
        return capsys.readouterr().out.splitlines()

    return run


def test_the_first_finds_where_it_was_said(output_of: Callable[[str], list[str]]) -> None:
    found = output_of(SEARCH)
    assert 0 < len(found) <= 3
    assert all(re.match(r"r_\w+#t\d+ .+ \| .+", line) for line in found)


def test_the_second_remembers_and_the_third_recalls_it(output_of: Callable[[str], list[str]]) -> None:
    (line,) = output_of(REMEMBER)
    assert re.match(r"m_\w+ active Deploys go through make ship", line)
    said, first, *_more = output_of(RECALL)
    assert said.startswith("shown ")
    assert "Deploys go through make ship" in first


def test_the_fourth_walks_through_runs(output_of: Callable[[str], list[str]]) -> None:
    lines = output_of(WALK)
    assert len(lines) == 5
    assert any("'Bash'" in line for line in lines)


def test_the_fifth_prints_a_recall_as_it_happens(person: LaneHome) -> None:
    following = subprocess.Popen(
        [sys.executable, "-c", FOLLOW], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert following.stdout is not None
    assert following.stdout.readline() == "waiting\n"
    with Lane.open() as lane:
        given = {"session_id": "s1", "cwd": str(Path.cwd()), "hook_event_name": EVENT, "prompt": RELATED}
        answer = lane.recall.hooked("claude-code", EVENT, given)
        assert answer.recall is not None
        lane.recall.keep(answer.recall)
    assert "claude-code" in following.stdout.readline()
    following.send_signal(signal.SIGINT)
    following.communicate()


def test_a_home_is_opened_by_its_path_with_its_own_settings(person: LaneHome, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('user = "ann"\n')
    with Lane.open(tmp_path) as other:
        assert (other.config.home, other.config.user) == (tmp_path, "ann")
        other.capture.sweep()
        assert {run.owner for run in other.runs.select()} == {"ann"}
    with Lane.open() as own:
        assert own.config.home == person.path
        assert {run.owner for run in own.runs.select()} == {PERSON.user}
