"""What a machine is lent: what the grants that hold now open and no more, and whose votes count for whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import Joining, Reading
from memlane.domain import WITHHELD, LentMemory, Memory, Scope, Selection, State, Type
from memlane.flow.journal import encode
from tests.flow.homes import a_lane
from tests.flow.test_grants import TABLE, World

AT = datetime(2026, 11, 1, 9, tzinfo=UTC)
PROJECT, TAG, MEMORY = TABLE[4], TABLE[6], TABLE[8]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("lent"))
    yield made
    made.close()


@pytest.fixture
def machine(world: World, tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path, LANE_USER="mira", LANE_MACHINE="laptop") as lane:
        lane.home.clock = world.now
        lane.home.begin()
        yield lane


def brought(world: World, machine: Lane) -> None:
    """What an exchange does."""
    version, lent = world.mira.loans.lend("laptop")
    if version != machine.home.lent.note.version:
        machine.home.lent.take(version, lent)
    assert world.mira.loans.mark("laptop", version) == version


def recalled(machine: Lane) -> dict[str, str]:
    """Title → whose, of all that may be told there."""
    found = machine.home.recalled().memories.found(Selection(states=(State.ACTIVE,)), machine.home.reader)
    return {one.title.removeprefix("lesson of "): one.owner for one in found}


@pytest.mark.parametrize("reading", list(Reading))
def test_a_machine_has_what_grants_open_and_nothing_else(world: World, machine: Lane, reading: Reading) -> None:
    machine.memories.remember("my own", Path("/home/mira/shop"), scope=Scope.PERSON)
    for row in TABLE:
        with world.given(row, "mira", reading), world.given(TABLE[5], "jo"):
            brought(world, machine)
            assert recalled(machine) == {"my own": "mira", **dict.fromkeys(row.lessons, "noor")}
        brought(world, machine)
        assert recalled(machine) == {"my own": "mira"}


def test_quotes_come_only_with_transcripts(world: World, machine: Lane) -> None:
    for reading in Reading:
        with world.given(TABLE[0], "mira", reading):
            brought(world, machine)
            (lesson, *_) = machine.memories.shared(Selection("lesson of shop"))
            assert (WITHHELD in lesson.evidence) is (reading is Reading.LESSONS)
            assert ("till" in str(lesson.evidence)) is (reading is Reading.TRANSCRIPTS)


def test_what_has_an_end_is_not_recalled_after_it_without_any_contact(world: World, machine: Lane) -> None:
    soon = (world.now() + timedelta(hours=1)).isoformat()
    with world.given(MEMORY, "mira"):
        ends = world.give(PROJECT, "mira", until=soon)
        brought(world, machine)
        assert set(recalled(machine)) == PROJECT.lessons | MEMORY.lessons
        world.later += timedelta(hours=2)
        assert set(recalled(machine)) == MEMORY.lessons, "what another grant opens for good stays"
        world.central.control.grants.revoke(ends.id, "noor")
    brought(world, machine)
    assert recalled(machine) == {}


@pytest.mark.fault("K7")
def test_lent_memories_are_nobodys_to_change_export_or_count(world: World, machine: Lane) -> None:
    with world.given(PROJECT, "mira"):
        brought(world, machine)
        assert machine.memories.all() == []
        assert machine.memories.counts() == (0, 0)
        (id, *_) = (one.id for one in machine.memories.shared(Selection()))
        assert machine.memories.read(id).owner == "noor"
        for change in (machine.memories.forget, machine.memories.pause):
            with pytest.raises(Exception, match="there is no"):
                change([id])


def a_lesson(number: int, owner: str) -> Memory:
    said = f"the till of shop {number} is closed before the stock is counted"
    return Memory(f"m_{number}", owner, Type.DECISION, said, said, AT, AT, AT, AT, scope=Scope.PERSON)


def learned(lane: Lane, lent: Sequence[LentMemory]) -> None:
    lane.home.lent.take("1", lent)
    storage = lane.home.lent.storage()
    assert storage is not None
    encode(replace(lane.home.tools(), storage=storage))


def test_a_vote_changes_the_order_of_whoever_gave_it_alone(tmp_path: Path) -> None:
    """Mira and Jo are lent the same two; Mira votes one down, and Jo's order stays as it was."""
    lent = [LentMemory(replace(a_lesson(n, "noor"), id=f"m_{'a' * 12}{n}")) for n in (2, 3)]
    lanes = dict[str, Lane]()
    for name in ("mira", "jo"):
        (tmp_path / name).mkdir()
        lanes[name] = a_lane(tmp_path / name, LANE_USER=name)
        lanes[name].home.begin()
        learned(lanes[name], lent)

    def scores(lane: Lane) -> dict[str, float]:
        found = lane.recall.asked("when is the till closed and the stock counted?", tmp_path)
        return {match.memory.id: match.score for match in (*found.shown, *found.near)}

    before = {name: scores(lane) for name, lane in lanes.items()}
    assert before["mira"] == before["jo"]
    mira = lanes["mira"]
    told = mira.recall.asked("when is the till closed and the stock counted?", tmp_path)
    assert told.shown
    mira.recall.keep(told)
    down = told.shown[0].memory.id
    mira.recall.feedback.judge(down, up=False, recall=told.id)
    assert scores(mira)[down] < before["mira"][down]
    assert scores(lanes["jo"]) == before["jo"]
    for lane in lanes.values():
        lane.close()


def test_a_receipt_names_machines_until_they_say_that_they_have_none_of_it(world: World, machine: Lane) -> None:
    control = world.central.control
    code, _made = control.codes.invite("mira")
    joined = control.machines.join(Joining(code, "mira", "laptop", fresh=True)).machine
    code, _made = control.codes.invite("mira")
    control.machines.join(Joining(code, "mira", "tablet", fresh=True, thin=True))

    def receipt(grant: str) -> tuple[list[str], list[str]]:
        found = control.receipt(control.grants.one(grant, "noor"))
        return [one.title for one in found.reached], [one.title for one in found.waiting]

    with world.given(PROJECT, "mira") as share, world.given(TAG, "mira"):
        version, lent = world.mira.loans.lend(joined.id)
        machine.home.lent.take(version, lent)
    assert receipt(share.id) == ([], ["laptop"]), "it was sent, and nothing was heard since"
    assert world.mira.loans.mark(joined.id, version) != version
    assert receipt(share.id) == ([], ["laptop"]), "it still has what it had"
    version, lent = world.mira.loans.lend(joined.id)
    machine.home.lent.take(version, lent)
    assert receipt(share.id) == ([], ["laptop"]), "sent is not there"
    world.mira.loans.mark(joined.id, version)
    assert receipt(share.id) == (["laptop"], [])
