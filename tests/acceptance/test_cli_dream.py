"""`lane dream`, its report and its undo, as a person, a pipe and a program use them."""

from __future__ import annotations

import getpass
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.domain import Entry, Evidence, Memory, Type
from memlane.domain.journal import MEMORY
from memlane.flow.journal import write_down
from memlane.storage import memory_data
from tests.acceptance.command_line import Person, misfits, schema_of
from tests.conftest import LaneHome
from tests.rooms.app.memories import a_memory

SEED, OLD, GAP = "m_aaaaaaaaaaaa1", "m_aaaaaaaaaaaa2", "m_aaaaaaaaaaaa3"


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    return Person(lane_home.home, quick=True)


def remembered(person: Person) -> None:
    """A pattern that is ripe, a note nobody used, and a gap."""
    then = datetime.now(UTC) - timedelta(days=200)
    plain = a_memory(OLD, owner=getpass.getuser(), maker="embedded@1", title="Tests run with bun", content="With bun.")
    old = replace(plain, formed_at=then, saved_at=then, first_observed_at=then, last_observed_at=then, confidence=80)
    runs = tuple(Evidence(f"r_{n}", 1, 1, f"r_{n}#t1.1", f"Friday {n}") for n in range(3))
    seed = replace(
        plain, id=SEED, type=Type.PATTERN_SEED, title="Mails wait until Friday", evidence=runs, times_observed=3
    )
    gap = replace(plain, id=GAP, type=Type.GAP, title="Calendar and contacts do not know of each other")
    wrote(person, seed, old, gap)


def wrote(person: Person, *memories: Memory) -> None:
    with Lane(load(person.surroundings({}))) as lane:
        lane.home.begin()
        owner, machine = lane.config.user, lane.config.machine
        entries = [Entry(MEMORY, m.id, lane.home.clock(), owner, machine, "lane", memory_data(m)) for m in memories]
        write_down(entries, lane.home.tools())


def test_a_dry_run_a_dream_its_report_and_its_undo(person: Person) -> None:
    remembered(person)
    before = person.lane("mem", "list", "--json").data
    planned = person.lane("dream", "--dry-run", "--json")
    assert (planned.code, person.lane("mem", "list", "--json").data) == (0, before)
    done = person.lane("dream", "--json")
    assert planned.data["done"] == done.data["done"]
    assert [one["change"] for one in done.data["done"]] == ["graduated", "faded"]
    assert [idea["memories"] for idea in done.data["ideas"] if idea["kind"] == "gap"] == [[GAP]]
    dream = done.data["id"]
    report, listed = person.lane("dream", "report", "--json"), person.lane("dream", "report", "--list", "--json")
    assert report.data == done.data
    assert [one["id"] for one in listed.data] == [dream]
    undone = person.lane("dream", "undo", dream, OLD, "--json")
    assert undone.data["names"] == [OLD]
    rest = person.lane("dream", "undo", dream, "--json")
    assert rest.code == 0
    assert by_id(person.lane("mem", "list", "--json").data) == by_id(before)
    for ran in (planned, done, report, listed, undone, rest):
        assert misfits(ran.document, schema_of(ran.document)) == []


def by_id(memories: list[dict[str, object]]) -> dict[object, dict[str, object]]:
    return {memory["id"]: memory for memory in memories}


def test_the_report_says_what_why_and_how_to_take_it_back(person: Person) -> None:
    remembered(person)
    screen = person.on_screen("dream", "--no-color").out
    assert "Read 3 new and 0 older memories." in screen
    assert "graduated        1" in screen
    assert "seen 3 times in 3 runs" in screen
    assert '"Mails wait until Friday"' in screen
    assert "gap: Calendar and contacts do not know of each other" in screen
    assert "undo all: lane dream undo d_" in screen
    assert all(len(line) <= 80 for line in screen.splitlines())
    history = person.lane("mem", "history", SEED).out
    assert "dream d_" in history
    assert "seen 3 times in 3 runs" in history
    assert "dream d_" in person.lane("undo", "--list").out
    assert "next dream after 5 more runs" in person.lane("status").out
    assert "2 changes" in person.lane("doctor").out


def piped(person: Person, *words: str) -> list[list[str]]:
    return [line.split("\t") for line in person.lane(*words).out.splitlines()]


def test_in_a_pipe_it_says_what_it_did_and_what_it_left(person: Person) -> None:
    remembered(person)
    planned, done, told = (piped(person, "dream", *more) for more in (["--dry-run"], [], ["report"]))
    assert [(row[0], row[1]) for row in done[:3]] == [("graduated", SEED), ("faded", OLD), ("ideas", GAP)]
    assert done[0][3] == "seen 3 times in 3 runs"
    assert done[2][3] == "gap: Calendar and contacts do not know of each other"
    assert done[-1] == ["left as they are", "", "", "1 memory"]
    assert planned == done == told


def test_in_a_pipe_it_asks_also_when_it_did_nothing(person: Person) -> None:
    now = datetime.now(UTC)
    times = {"formed_at": now, "saved_at": now, "first_observed_at": now, "last_observed_at": now, "confidence": 80}
    owner = {"owner": getpass.getuser(), "maker": "embedded@1", **times}
    fine = a_memory(OLD, title="Deploy on Fridays is fine", content="Deploy on Fridays is fine.", **owner)
    never = a_memory(SEED, title="Never deploy on a Friday", content="Never deploy on a Friday.", **owner)
    wrote(person, fine, never)
    rows, screen = piped(person, "dream"), person.on_screen("dream", "report", "--no-color").out
    assert [row[0] for row in rows] == ["to decide", "left as they are"]
    assert sorted(rows[0][1].split()) == sorted((OLD, SEED))
    assert "Never deploy on a Friday" in rows[0][3]
    assert rows[1][3] == "2 memories"
    assert all(row[0] in screen for row in rows)


def test_in_a_pipe_nothing_to_do_is_said(person: Person) -> None:
    wrote(person, a_memory(OLD, owner=getpass.getuser(), maker="embedded@1"))
    assert piped(person, "dream") == [["left as they are", "", "", "1 memory"]]


def test_what_was_reworded_is_told_before_and_after_and_a_second_undo_names_the_dream(person: Person) -> None:
    formed = datetime(2026, 6, 2, 12, tzinfo=UTC)
    vague = a_memory(OLD, owner=getpass.getuser(), maker="embedded@1", title="We decided yesterday to test with bun")
    times = {"formed_at": formed, "saved_at": formed, "first_observed_at": formed, "last_observed_at": formed}
    wrote(person, replace(vague, **times), a_memory(SEED, owner=getpass.getuser(), maker="person"))
    planned, dreamt = person.on_screen("dream", "--dry-run", "--no-color").out, person.on_screen("dream").out
    for screen in (planned, dreamt, person.on_screen("dream", "report", "--no-color").out):
        assert "before: We decided yesterday to test with bun" in screen
        assert "after:  We decided on 2026-06-01 to test with bun" in screen
        assert "left as they are 1" in screen
        assert "Dreams never touch: yours (1)" in screen
    dream = person.lane("dream", "report", "--json").data["id"]
    assert person.lane("dream", "undo", dream).code == 0
    assert person.lane("dream", "undo", dream, "--json").error["message"] == f"{dream} is already undone"


def test_undo_of_a_memory_takes_back_only_what_the_dream_did_with_it(person: Person) -> None:
    remembered(person)
    person.lane("dream")
    undone = person.lane("undo", OLD, "--json")
    assert undone.document["meta"]["names"] == [OLD]
    assert person.lane("mem", "show", SEED, "--json").data["state"] == "superseded"


def test_a_dream_with_nothing_to_do_says_so_and_one_that_is_not_there_is_named(person: Person) -> None:
    wrote(person, a_memory(OLD, owner=getpass.getuser(), maker="embedded@1"))
    assert person.lane("dream", "report", "--json").error["message"] == "no dream has run yet"
    assert "Nothing to do" in person.on_screen("dream", "--no-color").out
    unknown = person.lane("dream", "report", "d_nowhere", "--json")
    assert (unknown.code, unknown.error["kind"]) == (2, "not-found")
    assert person.lane("dream", "undo", "d_nowhere").code == 2


def test_a_tick_dreams_when_it_is_due_and_only_then(person: Person) -> None:
    remembered(person)
    ticked = person.lane("tick", LANE_DREAM_AFTER_RUNS="0")
    assert "dream" in ticked.out
    assert [one["done"] != [] for one in person.lane("dream", "report", "--list", "--json").data] == [True]
    person.lane("tick", LANE_DREAM_AFTER_RUNS="0")
    assert len(person.lane("dream", "report", "--list", "--json").data) == 1
