"""While a daemon runs, every agent's new work is captured as it is written, with or without hooks."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.capture.routes import CaptureRoute, watched
from memlane.config import load
from tests.acceptance.command_line import Person
from tests.acceptance.hooks import until
from tests.acceptance.test_cli_watch import generations, is_held, line
from tests.conftest import LaneHome


@pytest.fixture
def person(lane_home: LaneHome) -> Iterator[Person]:
    """Somebody with runs and no hooks, no timer."""
    someone = Person(lane_home.home)
    someone.claude_run("one", "deploy the shop")
    someone.lane("capture", "--quiet")
    yield someone
    someone.lane("daemon", "stop")


def is_watched(person: Person) -> bool:
    with Lane(load({"HOME": str(person.home)})) as lane:
        return watched(lane.home)


def path_of(person: Person) -> Path:
    return next(person.home.glob(".claude/projects/*/one.jsonl"))


def append(path: Path, words: str) -> None:
    with path.open("ab") as file:
        file.write(line(words))


def said_of(person: Person) -> tuple[list[str], str]:
    """How Claude Code is captured, to programs and to people."""
    document = person.lane("status", "--json").document
    (agent,) = [one for one in document["meta"]["agents"] if one["name"] == "claude-code"]
    (told,) = [row["what"] for row in document["data"] if row["kind"] == "captured"]
    return agent["captured_by"], told


def test_what_is_appended_without_a_hook_is_captured_while_the_daemon_runs(person: Person) -> None:
    path = path_of(person)
    assert said_of(person) == ([CaptureRoute.COMMAND], "Claude Code: your next `lane capture`")
    person.lane("daemon", "start")
    assert until(lambda: is_watched(person))
    append(path, "and the worker")
    assert until(is_held(person, "one", path.read_bytes()))
    new = person.claude_run("two", "something new", project="new-project")
    assert until(is_held(person, "two", new.read_bytes()))
    assert until(lambda: "two" in {run["session_id"] for run in person.lane("runs", "--json").data})
    assert said_of(person) == ([CaptureRoute.WATCHED], "Claude Code: watched")
    assert "watched" in person.lane("doctor", "--json").out
    assert person.lane("daemon", "status", "--json").document["data"]["watching"] is True


def test_a_rebuild_and_a_changed_setting_do_not_end_it(person: Person) -> None:
    path = path_of(person)
    person.lane("daemon", "start")
    assert until(lambda: is_watched(person))
    person.lane("exclude", "add", "/home/dev/hush")
    assert person.lane("rebuild").code == 0
    person.claude_run("hush", "not for keeping", project="hush")
    append(path, "after the rebuild")
    assert until(is_held(person, "one", path.read_bytes()))
    found = lambda: person.lane("search", "--json", "after the rebuild").data  # noqa: E731
    assert until(lambda: bool(found()))
    assert generations(person, "hush") == []


@pytest.mark.parametrize("how", ["stop", "kill"])
def test_it_ends_with_the_daemon_however_that_ends(person: Person, how: str) -> None:
    person.lane("daemon", "start")
    assert until(lambda: is_watched(person))
    if how == "stop":
        person.lane("daemon", "stop")
    else:
        pid = json.loads((person.lane_home / "run" / "daemon.lock").read_bytes())["pid"]
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: not is_watched(person))
    assert said_of(person)[0] == [CaptureRoute.COMMAND]


def test_it_leaves_with_an_idle_daemon(person: Person) -> None:
    person.lane("config", "set", "daemon.idle_minutes", "0.15")
    person.lane("daemon", "start")
    assert until(lambda: is_watched(person))
    assert until(lambda: not is_watched(person), looks=400)


def test_who_wants_no_watch_has_none(person: Person) -> None:
    person.lane("config", "set", "daemon.watch", "false")
    person.lane("daemon", "start")
    assert not until(lambda: is_watched(person), looks=75)
    assert person.lane("daemon", "status", "--json").document["data"]["watching"] is False


def test_a_hook_is_named_only_as_long_as_it_is_in_the_agents_own_settings(person: Person) -> None:
    assert person.lane("hook", "install", "claude-code").code == 0
    assert said_of(person)[0][0] == CaptureRoute.HOOK
    (person.home / ".claude" / "settings.json").write_text("{}")
    assert CaptureRoute.HOOK not in said_of(person)[0]
