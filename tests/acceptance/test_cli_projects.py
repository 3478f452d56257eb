"""`lane projects`: as a script and as a person use it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.config import load
from tests.acceptance.command_line import Person, misfits, schema_of

TIDES, MOVED = "/home/x/code/tides", "/home/y/src/tides"


@pytest.fixture
def person(tmp_path: Path) -> Person:
    someone = Person(tmp_path, quick=True)
    with Lane(load(someone.surroundings({}))) as lane:
        lane.memories.remember("Harbour times are shown in UTC", Path(TIDES))
        lane.memories.remember("Deploys go through make ship", Path(MOVED))
        lane.memories.remember("Moons are counted from zero", Path("/home/x/code/moons"))
    return someone


def said(person: Person, *words: str) -> dict[str, object]:
    """What a program gets; it is what the schema says."""
    done = person.lane("projects", *words, "--json")
    assert done.code == 0, done.err
    assert misfits(done.document, schema_of(done.document)) == []
    return done.document


def test_two_are_joined_renamed_and_split_and_each_step_is_undone(person: Person) -> None:
    listed = said(person)
    assert [row["key"] for row in listed["data"]] == ["/home/x/code/moons", TIDES, MOVED]
    assert [one["why"] for one in listed["meta"]["proposals"]] == ["same name; nothing else agrees"]
    joined = said(person, "join", TIDES, MOVED)
    assert (joined["data"]["key"], joined["meta"]["joined"]) == (MOVED, TIDES)
    (row,) = said(person, "list", "--joined")["data"]
    assert (row["key"], row["paths"], row["memories"]) == (MOVED, [MOVED, TIDES], 2)
    assert [one["reasons"] for one in row["keys"]] == [[], [{"kind": "hand", "text": "you said so"}]]
    assert said(person, "rename", "tides", "Tide tables")["data"]["name"] == "Tide tables"
    assert said(person, "split", TIDES)["data"]["key"] == TIDES
    assert said(person, "list", "--joined")["data"] == []
    for _step in ("split", "rename"):
        assert person.lane("undo").code == 0
    (row,) = said(person, "list", "--joined")["data"]
    assert row["name"] == "tides"


def test_a_name_that_fits_two_or_none_is_said(person: Person) -> None:
    several = person.lane("projects", "join", "tides", "moons")
    assert several.code != 0
    assert TIDES in several.err
    assert MOVED in several.err
    assert "there is no project" in person.lane("projects", "rename", "ferries", "x").err
    assert "already one project" in person.lane("projects", "join", "moons", "moons").err


def test_bare_lists_and_says_what_may_be_one(person: Person) -> None:
    assert person.lane("projects").out == person.lane("projects", "list").out
    (row,) = [line.split("\t") for line in person.lane("projects").out.splitlines() if TIDES in line]
    assert row == ["tides", TIDES, "", "0", "1"], "its key stands there once; the third column is for other names"
