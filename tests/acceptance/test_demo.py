"""`lane demo` as a stranger runs it: it works, it counts, and it leaves nothing behind."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.demo import LOOKED_FOR, NOTE, PERSON, RELATED, RUNS, UNRELATED, planted_secret, write_home
from memlane.surfaces.cli.demo_scenes import DemoLoop, Scene
from tests.conftest import LaneHome

SCENES = ["transcripts", "capture", "search", "catch", "remember", "recall", "silence", "rebuild", "verify", "secret"]
NO_NETWORK = """
import sys
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto", "subprocess.Popen", "os.posix_spawn"):
        raise RuntimeError(f"{event} {arguments}")
sys.addaudithook(refuse)
from memlane.surfaces.cli import main
main()
"""


@pytest.fixture
def scratch(lane_home: LaneHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders go; and a person's home in which there is something to leave alone."""
    theirs = lane_home.home / ".claude" / "projects" / "p"
    theirs.mkdir(parents=True)
    (theirs / "0b4f8f0e-0000-4000-8000-000000000000.jsonl").write_text('{"type":"user"}\n')
    (tmp_path / "t").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "t"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "t"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memlane", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))


def demo(*arguments: str) -> dict[str, Any]:
    done = run("demo", "--json", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def everything_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_scene_is_played_and_every_check_in_it_holds(scratch: Path) -> None:
    document = demo()
    assert document["schema"] == "lane.demo/1"
    assert list(document["data"]) == SCENES
    assert [name for name, scene in document["data"].items() if not scene["good"]] == []
    assert document["meta"]["failed"] == []


def test_the_numbers_are_those_of_the_sample_runs(scratch: Path) -> None:
    data = demo()["data"]
    turns = sum(len(sample.asked) for sample in RUNS)
    subagents = sum(bool(sample.under) for sample in RUNS)
    captured = data["capture"]
    assert (captured["runs"], captured["turns"], captured["subagents"]) == (len(RUNS), turns, subagents)
    assert captured["projects"] == len({sample.at for sample in RUNS})
    assert captured["bytes"] == sum(agent["bytes"] for agent in data["transcripts"].values() if isinstance(agent, dict))
    assert data["rebuild"]["runs"] == len(RUNS)
    caught = data["catch"]
    assert caught["windows"] >= len(RUNS) - subagents
    written = caught["windows"] + len(caught["memories"]) + 3  # each window, what came of them, the note, two recalls
    assert data["rebuild"]["journal_lines"] == written
    assert data["secret"]["files_with_it"] == 0 < data["secret"]["files_looked_into"]


def test_the_note_is_recalled_for_the_prompt_that_needs_it_and_for_no_other(scratch: Path) -> None:
    data = demo()["data"]
    assert data["recall"]["shown"] == [data["remember"]["memory"]]
    assert NOTE in data["recall"]["brief"]
    assert data["silence"]["output"] == {}
    assert data["silence"]["why"] != ""


def test_a_person_reads_what_a_program_is_told(scratch: Path) -> None:
    done = run("demo")
    assert (done.returncode, done.stderr) == (0, "")
    words = " ".join(done.stdout.replace("|", " ").split())
    assert f"{len(RUNS)} runs, {sum(len(sample.asked) for sample in RUNS)} turns" in words
    for told in (LOOKED_FOR, NOTE, RELATED, UNRELATED, "<lane-memory", "0 damaged", "[masked: "):
        assert told in words
    assert planted_secret() not in done.stdout
    assert "FAIL" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_its_last_line_is_a_command_that_works_in_this_installation(scratch: Path) -> None:
    last = run("demo").stdout.splitlines()[-1]
    command = last.removeprefix("Your own runs:  ")
    helped = subprocess.run([*shlex.split(command), "--help"], capture_output=True, text=True, check=False, timeout=60)
    assert (helped.returncode, "Set up Lane here" in helped.stdout) == (0, True)


def test_nothing_is_left_behind_and_nothing_of_the_person_is_touched(scratch: Path, lane_home: LaneHome) -> None:
    before = everything_in(lane_home.home)
    demo()
    assert list(scratch.iterdir()) == []
    assert everything_in(lane_home.home) == before


def test_it_speaks_to_no_other_program_and_no_network(scratch: Path) -> None:
    command = [sys.executable, "-c", NO_NETWORK, "demo", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_kept_home_is_an_ordinary_one(scratch: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept"
    demo("--keep", str(kept))
    monkeypatch.setenv("LANE_HOME", str(kept / ".memlane"))
    with Lane(load()) as lane:
        assert lane.health.now().runs == len(RUNS)
    assert [folder.name for folder in (kept / ".memlane" / "archive").iterdir()] == [PERSON.user]


def test_a_folder_with_something_in_it_is_not_written_to(scratch: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    done = run("demo", "--keep", str(tmp_path / "full"))
    assert done.returncode == 2
    assert "is not empty" in done.stderr
    assert everything_in(tmp_path / "full") == {"letter.txt": b"dear"}


def scenes_with_a_flipped_bit(home: Path) -> Iterator[Scene]:
    written = write_home(home, datetime(2026, 11, 15, 12, tzinfo=UTC))
    with Lane(load({"HOME": str(home), "LANE_HOME": str(home / ".memlane")})) as lane:
        for scene in DemoLoop(lane, home, written).scenes():
            yield scene
            if scene.name == "rebuild":
                raws = sorted((home / ".memlane" / "archive").rglob("g1.raw"))
                victim = next(raw for raw in raws if planted_secret().encode() not in raw.read_bytes())
                data = victim.read_bytes()
                victim.write_bytes(bytes([data[0] ^ 1]) + data[1:])
            if scene.name == "verify":
                return


def test_it_would_say_so_if_something_were_wrong(tmp_path: Path) -> None:
    (tmp_path / "h").mkdir()
    good = {scene.name: scene.good for scene in scenes_with_a_flipped_bit(tmp_path / "h")}
    assert [name for name, fine in good.items() if not fine] == ["verify"]
