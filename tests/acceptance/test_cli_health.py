"""How things stand, what is wrong, and a capture that is cut off."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3

import pytest

from tests.acceptance.command_line import Person
from tests.acceptance.hooks import until
from tests.conftest import LaneHome


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    someone.claude_run("one", "deploy the shop")
    assert someone.lane("capture").code == 0
    return someone


def findings(person: Person, *words: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for finding in person.lane("doctor", *words, "--json").data:
        found.setdefault(finding["kind"], []).append(f"{finding['level']}: {finding['what']}")
    return found


def noted(person: Person, name: str, value: str) -> None:
    (index,) = person.lane_home.glob("index/*.db")
    database = sqlite3.connect(index)
    with database:
        database.execute("UPDATE notes SET value = ? WHERE name = ?", (value, name))
    database.close()


def test_status_counts_what_is_there(person: Person) -> None:
    meta = person.lane("status", "--json").document["meta"]
    assert (meta["runs"], meta["turns"], meta["memories"], meta["waiting"]) == (1, 1, 0, 0)
    (agent,) = meta["agents"]
    assert (agent["name"], agent["runs"], agent["here"]) == ("claude-code", 1, True)
    assert agent["last_captured"]


def test_doctor_says_who_else_may_ask_and_that_it_answers(person: Person) -> None:
    assert findings(person)["http"] == ["ok: off (http.port is 0); agents get the MCP tools through `lane mcp`"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    assert findings(person)["daemon"] == ["ok: not running; the next hook starts it"]
    person.lane("daemon", "start")
    try:
        person.lane("config", "set", "http.port", port)
        (said,) = findings(person)["http"]
        assert said.startswith(f"FAIL: Lane does not answer on port {port}")
        person.lane("daemon", "restart")
        answers = [f"ok: http://127.0.0.1:{port} answers HTTP and MCP, on this computer only"]
        assert until(lambda: findings(person)["http"] == answers, looks=100)
    finally:
        person.lane("daemon", "stop")


def test_what_is_no_memory_is_told_where_to_find_one(person: Person) -> None:
    (run,) = person.lane("runs", "--json").data
    asked = {"m_zzzz": "lane mem list", run["id"]: f"lane show {run['id']}", "7": "lane mem list"}
    assert [name for name, hint in asked.items() if hint not in person.lane("mem", "show", name).err] == []


def test_what_was_caught_is_counted_by_status_and_doctor(person: Person) -> None:
    person.claude_run("two", "Never commit to main, always open a pull request", "thanks", "bye", "ok")
    assert person.lane("capture").code == 0
    assert "runs not read yet" in findings(person)["memories"][0]
    assert "nothing read yet" in person.lane("status").out
    caught = person.lane("catch", "--json")
    windows = caught.document["meta"]["windows"]
    made, held = len(caught.data["made"]), len(caught.data["held"])
    assert made + held > 0
    assert findings(person)["memories"] == [f"ok: {made} active, {held} held; {windows} passages read"]
    meta = person.lane("status", "--json").document["meta"]
    assert (meta["memories"], meta["held"], meta["windows"]) == (made, held, {"embedded": windows})
    assert f"{windows} passages read" in person.lane("status").out


def with_timer(person: Person, *, there: bool) -> str:
    """A PATH on which systemd answers, or nothing does."""
    folder = person.home / f"path-{there}"
    folder.mkdir(exist_ok=True)
    if there:
        systemctl = folder / "systemctl"
        systemctl.write_text('#!/bin/sh\ncase "$*" in *is-enabled*) exit 1;; esac\n')
        systemctl.chmod(0o700)
    return str(folder)


@pytest.mark.fault("M1")
def test_a_tick_older_than_a_quarter_of_an_hour_is_a_failure_where_there_can_be_a_timer(person: Person) -> None:
    assert findings(person)["tick"][0].startswith("note")
    assert person.lane("tick").code == 0
    assert findings(person)["tick"][0].startswith("ok")
    noted(person, "ticked", "2026-01-01T00:00:00+00:00")
    late = person.lane("doctor", PATH=with_timer(person, there=True))
    assert (late.code, "lane init restores the timer" in late.out) == (1, True)
    by_turns = person.lane("doctor", PATH=with_timer(person, there=False))
    assert (by_turns.code, "after the next agent turn" in by_turns.out) == (0, True)
    assert "no timer here" in by_turns.out


def test_record_types_nobody_knows_are_counted(person: Person) -> None:
    path = next(person.home.glob(".claude/projects/*/one.jsonl"))
    with path.open("a") as file:
        for number in range(3):
            record = {"type": "brand-new-thing", "uuid": f"n{number}", "sessionId": "one"}
            file.write(json.dumps({**record, "timestamp": "2026-11-10T11:00:00Z"}) + "\n")
        file.write("{broken\n")
    person.lane("capture")
    found = findings(person)
    assert "brand-new-thing 3" in found["unknown-records"][0]
    assert "1 lines" in found["broken-lines"][0]
    assert "one.jsonl line 6" in person.lane("doctor", "--files").out


@pytest.mark.fault("C18")
def test_a_home_in_a_synced_folder_is_warned_about(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home, {"LANE_HOME": str(lane_home.home / "Dropbox" / "lane")}, quick=True)
    someone.claude_run("one", "deploy the shop")
    someone.lane("capture")
    assert findings(someone)["sync-folder"][0].startswith("warn")


def test_an_archive_that_is_not_mounted_is_a_failure_and_nothing_is_forgotten(person: Person) -> None:
    archive = person.lane_home / "archive"
    archive.rename(person.home / "unmounted")
    assert person.lane("doctor").code == 1
    assert any("is missing" in what for what in findings(person)["archive"])
    (person.home / "unmounted").rename(archive)
    assert person.lane("archive", "verify").code == 0


@pytest.mark.fault("M1")
def test_an_archived_run_the_index_lost_is_noticed(person: Person) -> None:
    (index,) = person.lane_home.glob("index/*.db")
    database = sqlite3.connect(index)
    with database:
        for table in ("runs", "marks"):
            database.execute(f"DELETE FROM {table}")
    database.close()
    assert findings(person)["words"][0].startswith(("FAIL", "note"))
    person.lane("rebuild")
    assert findings(person)["words"][0].startswith("ok")


def test_our_files_are_ours_alone(person: Person) -> None:
    assert person.lane_home.stat().st_mode & 0o777 == 0o700
    open_to_others = [p for p in person.lane_home.rglob("*") if p.is_dir() and p.stat().st_mode & 0o077]
    assert open_to_others == []
    raw = [p for p in person.lane_home.rglob("*.raw") if p.stat().st_mode & 0o077]
    assert raw == []


def test_a_capture_that_is_interrupted_goes_on_where_it_was(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home, quick=True)
    for number in range(400):
        someone.claude_run(f"run-{number}", f"prompt number {number}", project=f"p{number % 7}")
    process = someone.start("capture")
    assert until(lambda: len(list(someone.lane_home.glob("archive/*/runs/*/*/metadata.json"))) > 5)
    process.send_signal(signal.SIGINT)
    _out, err = process.communicate()
    assert process.returncode == 130
    assert b"kept" in err
    assert b"Traceback" not in err
    assert someone.lane("capture", "--quiet").code == 0
    runs = [run["session_id"] for run in someone.lane("runs", "--json").data]
    assert sorted(runs) == sorted(f"run-{number}" for number in range(400))
    assert someone.lane("archive", "verify").code == 0


def test_the_bar_is_on_the_screen_only_and_ends_full(lane_home: LaneHome) -> None:
    someone = Person(lane_home.home, quick=True)
    for number in range(300):
        someone.claude_run(f"run-{number}", f"prompt number {number} " * 40)
    seen = someone.on_screen("capture").out
    drawn = [line for line in seen.replace("\r", "\n").splitlines() if line.startswith(("Copying", "Indexing"))]
    for stage in {line.split()[0] for line in drawn}:  # a fast machine draws none: tests/rooms/cli/test_progress.py
        last = [line for line in drawn if line.startswith(stage)][-1]
        assert "300/300" in last
        assert "100%" in last
        assert "#" * 30 in last
    assert "done  300 runs" in seen
    assert someone.lane("capture").err.startswith("nothing new in 300 files")
