"""An agent by the walk-through: the code of the guide, installed as somebody's package, is captured."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from memlane.storage import EVERYTHING
from tests.flow.homes import a_lane, prompt, transcript, write

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "add-an-agent.md").read_text()


def install(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pip would: a module and the metadata that names its entry point."""
    (folder / "parrot_lane.py").write_text(code)
    about = folder / "parrot_lane-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: parrot-lane\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[memlane.sources]\nparrot = parrot_lane:Parrot\n")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "parrot_lane", raising=False)


def test_the_walk_through_works_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, *_rest = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    records, *_more = re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL)
    site = tmp_path / "site"
    site.mkdir()
    install(site, code, monkeypatch)
    talk = tmp_path / "home" / ".parrot" / "talks" / "t1.jsonl"
    talk.parent.mkdir(parents=True)
    talk.write_text(records)
    lane = a_lane(tmp_path)
    lane.capture.sweep()
    (run,) = lane.runs.select(EVERYTHING)
    assert (run.agent, run.turns, run.cwd, run.tool_calls) == ("parrot", 1, "/home/dev/app", 1)
    assert b"".join(lane.runs.raw(run.id)) == talk.read_bytes()
    assert [json.loads(line)["who"] for line in records.splitlines()] == ["human", "parrot", "tool"]


@pytest.mark.parametrize(
    "code", ["raise ImportError('no bird')", "class Parrot: name = 'claude-code'", "Parrot = dict"]
)
def test_a_package_that_cannot_be_loaded_costs_only_its_own_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    install(site, code, monkeypatch)
    home = a_lane(tmp_path).home
    assert "parrot" not in home.sources
    assert "claude-code" in home.sources
    assert [unloaded.name for unloaded in home.unloaded_sources] == ["parrot"]


@pytest.mark.parametrize("method", ["places", "recognise", "peek", "read"])
def test_one_that_breaks_costs_its_own_files_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    code, *_rest = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    site = tmp_path / "site"
    site.mkdir()
    install(site, code + f"\ndef broken(*_): raise KeyError('oh')\nParrot.{method} = broken\n", monkeypatch)
    talk = tmp_path / "home" / ".parrot" / "talks" / "t1.jsonl"
    talk.parent.mkdir(parents=True)
    talk.write_text('{"who": "human", "words": "hello"}\n')
    write(transcript(tmp_path), [prompt("hello")])
    lane = a_lane(tmp_path)
    report = lane.capture.sweep()
    assert [run.agent for run in lane.runs.select(EVERYTHING) if run.agent != "parrot"] == ["claude-code"]
    named = [problem.reason for problem in report.set_aside] + [u.reason for u in lane.home.unloaded_sources]
    assert method == "peek" or any("KeyError" in reason for reason in named), "a peek that fails costs only the date"
