"""The real Pi, offline: what it wrote is in the archive byte for byte, and its turns are what was asked of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.acceptance.command_line import Person
from tests.clients.drive import Pi
from tests.conftest import LaneHome

COUNT = 'please count @@call bash {"command": "echo MARK-$((40 + 2))"}@@'
WRITE = (
    'write it @@call write {"path": "price.py", "content": "x = 1"}@@ @@call read {"path": "none.py"}@@ @@say written@@'
)
EXTENSION = """\
export default function (pi: any) {
  pi.on("before_agent_start", async () => ({ message: { customType: "lane", content: "MARK-brief", display: false } }));
}
"""


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    return Person(lane_home.home)


def captured(person: Person) -> list[dict[str, Any]]:
    assert person.lane("capture", "--json").code == 0
    return person.lane("runs", "--agent", "pi", "--json").data


def turns(person: Person, run: dict[str, Any]) -> list[dict[str, Any]]:
    return person.lane("show", run["id"], "--json").data["turns"]


def test_a_session_of_pi_is_kept_as_it_wrote_it_and_read_as_it_was(pi: Callable[..., Pi], person: Person) -> None:
    agent = pi()
    assert agent.run(COUNT).stdout.strip() == "saw: MARK-42"
    assert agent.run(WRITE, "--continue").stdout.strip() == "written"
    (file,) = agent.transcripts()
    (run,) = captured(person)
    assert person.raw(run["id"]) == file.read_bytes()
    assert (run["session_id"], run["cwd"]) == (file.stem.partition("_")[2], str(agent.cwd))
    first, second = turns(person, run)
    assert (first["person"], first["agent"]) == (COUNT, "saw: MARK-42")
    assert (second["person"], second["agent"]) == (WRITE, "written")
    calls = [step["tool_call"] for step in second["steps"] if step.get("tool_call")]
    assert [(call["name"], call["error"]) for call in calls] == [("write", False), ("read", True)]
    assert str(agent.cwd / "price.py") in run["files"]


def test_what_pi_adds_to_a_session_is_added_to_its_run(pi: Callable[..., Pi], person: Person) -> None:
    agent = pi()
    agent.run("one @@say first@@")
    (before,) = captured(person)
    agent.run("two @@say second@@", "--continue")
    (after,) = captured(person)
    (file,) = agent.transcripts()
    assert (after["id"], after["turns"], before["turns"]) == (before["id"], 2, 1)
    assert person.raw(after["id"]) == file.read_bytes()
    assert len(list(person.lane_home.rglob("g*.raw"))) == 1  # it only grew


def test_a_fork_of_pi_stands_under_the_run_it_came_from(pi: Callable[..., Pi], person: Person) -> None:
    agent = pi()
    agent.run("one @@say first@@")
    (origin,) = agent.transcripts()
    agent.run("two @@say second@@", "--fork", origin)
    runs = {run["session_id"]: run for run in captured(person)}
    parent = runs.pop(origin.stem.partition("_")[2])
    (fork,) = runs.values()
    assert (fork["parent"], fork["relation"]) == (parent["id"], "fork")
    assert [turn["person"] for turn in turns(person, fork)] == ["one @@say first@@", "two @@say second@@"]


def test_what_an_extension_of_ours_injects_is_seen_by_the_model_and_never_found(
    pi: Callable[..., Pi], person: Person
) -> None:
    agent = pi()
    extension = person.home / ".pi" / "agent" / "extensions" / "lane.ts"
    extension.parent.mkdir(parents=True)
    extension.write_text(EXTENSION)
    session = agent.run("hello")
    assert session.stdout.strip() == "saw: MARK-brief"
    (file,) = agent.transcripts()
    entries = [json.loads(line) for line in file.read_text().splitlines()]
    assert [entry["content"] for entry in entries if entry["type"] == "custom_message"] == ["MARK-brief"]
    (run,) = captured(person)
    (turn,) = turns(person, run)
    assert turn["person"] == "hello"
    hits = person.lane("search", "MARK-brief", "--json").data
    assert [hit["author"] for hit in hits] == ["agent"]  # the model's own words, never the injected ones
