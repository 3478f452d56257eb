"""Files among an agent's transcripts with odd names, or of an odd kind: taken where they can be, named where not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.acceptance.command_line import Person
from tests.conftest import LaneHome

NAMES = (b"two\nlines", b"bad \xff\xfe bytes", b"with space", "‮gnp‏".encode(), b'it\'s "quoted" $(rm) %41')


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    someone.claude_run("one", "deploy the shop")
    return someone


def transcript(person: Person) -> Path:
    return next(person.home.glob(".claude/projects/*/one.jsonl"))


def beside(person: Person, name: bytes) -> Path:
    return Path(os.fsdecode(os.fsencode(transcript(person).parent) + b"/" + name))


@pytest.mark.fault("A16")
def test_a_transcript_is_taken_whatever_bytes_its_name_is_made_of(person: Person) -> None:
    whole = transcript(person).read_bytes()
    for name in NAMES:
        beside(person, name + b".jsonl").write_bytes(whole)
    meta = person.lane("capture", "--json").document["meta"]
    assert (meta["runs"], meta["skipped"], meta["set_aside"]) == (1 + len(NAMES), 0, 0)
    runs = person.lane("runs", "--json").data
    assert len({run["session_id"] for run in runs}) == 1 + len(NAMES)
    assert {"one", "two\nlines", "with space"} < {run["session_id"] for run in runs}
    shown = [person.lane("show", run["id"]) for run in runs]
    assert [one.code for one in shown] == [0] * len(runs)
    assert "the agent deleted its file" not in "".join(one.out + one.err for one in shown)
    assert person.lane("capture", "--json").document["meta"]["bytes"] == 0
    assert person.lane("archive", "verify").code == 0


def test_what_is_not_taken_is_counted_and_named_by_everybody(person: Person) -> None:
    os.mkfifo(beside(person, b"pipe.jsonl"))
    beside(person, b"link.jsonl").symlink_to(transcript(person))
    beside(person, b"copy of.an.older.jsonl").write_bytes(transcript(person).read_bytes())
    beside(person, b"readme.txt").write_bytes(b"no transcript, and not called like one")
    said = person.lane("capture")
    assert (said.code, "3 files among the transcripts not taken" in said.err) == (0, True)
    reasons = {
        "pipe.jsonl": "not a regular file",
        "link.jsonl": "a link; links are not followed",
        "copy of.an.older.jsonl": "not a name this agent gives its transcripts",
    }
    assert all(f"{name}: {reason}" in said.err for name, reason in reasons.items())
    meta = person.lane("capture", "--json").document["meta"]
    assert {Path(one["path"]).name: one["reason"] for one in meta["skipped_files"]} == reasons
    assert person.lane("status", "--json").document["meta"]["skipped"] == 3
    assert "3 files not taken" in person.lane("status").out
    assert {one["level"] for one in person.lane("doctor", "--json").data if one["kind"] == "skipped"} == {"note"}
    listed = person.lane("doctor", "--files").out
    assert [name for name in reasons if name not in listed] == []
    for name in reasons:
        beside(person, name.encode()).unlink()
    assert person.lane("capture").code == 0
    assert person.lane("status", "--json").document["meta"]["skipped"] == 0
