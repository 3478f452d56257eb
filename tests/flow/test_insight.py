"""What an admin is told of what people learn: numbers, and the names of projects that several people know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memlane.app import Lane
from memlane.app.control import Role, of_owner
from memlane.app.home.journal import memory_line
from memlane.app.insight import WEEKS, learned
from memlane.domain import Memory, Scope, State, Type
from tests.flow.homes import a_lane

SHOP = "/srv/shop"  # on the machines of several people
NOW = datetime.now(UTC)


@pytest.fixture
def central(tmp_path: Path) -> Iterator[Lane]:
    with a_lane(tmp_path) as opened:
        opened.home.begin()
        for name in ("noor", "mira", "jo"):
            opened.control.codes.invite_person(name, Role.MEMBER)
        yield opened


def learn(central: Lane, person: str, project: str, *, type_: Type = Type.DECISION, **more: object) -> None:
    """A run there, if the project has none, and one memory of it."""
    with Lane(of_owner(central.config, person)) as lane:
        lane.home.begin()
        file = central.config.home / f"{person}.jsonl"
        run = {"type": "run", "id": project, "agent": "pi", "started": NOW.isoformat(), "cwd": project}
        turn = {"type": "turn", "at": NOW.isoformat(), "person": "the till", "agent": "done"}
        file.write_text(f"{json.dumps(run)}\n{json.dumps(turn)}\n")
        lane.capture.imports.take([file])
        lane.capture.take_up()
        formed = NOW - timedelta(weeks=int(str(more.pop("ago", 0))))
        place = {"scope": Scope.PROJECT, "project": project.rpartition("/")[2], "project_key": project, **more}
        id, title = lane.home.tools().new_id("m"), f"a lesson of {person}"
        times = (formed, formed, formed, formed)
        lane._writer.write([memory_line(Memory(id, person, type_, title, title, *times, **place))])  # type: ignore[arg-type]


def told(central: Lane) -> dict[tuple[str, str], int]:
    """Over all weeks."""
    found = dict[tuple[str, str], int]()
    for one in learned(central.home, central.control.people):
        found[one.project, one.type] = found.get((one.project, one.type), 0) + one.memories
    return found


def test_a_project_is_named_as_soon_as_two_people_know_it(central: Lane) -> None:
    learn(central, "noor", SHOP)
    assert told(central) == {("", "decision"): 1}
    learn(central, "mira", SHOP, type_=Type.CORRECTION)
    learn(central, "mira", SHOP)
    assert told(central) == {("shop", "decision"): 2, ("shop", "correction"): 1}


def test_what_one_person_alone_knows_is_counted_with_the_rest(central: Lane) -> None:
    for name in ("noor", "mira"):
        learn(central, name, SHOP)
        learn(central, name, f"/home/{name}/diary")  # one name, but two projects
    learn(central, "jo", "/home/jo/secret-launch")
    assert told(central) == {("shop", "decision"): 2, ("", "decision"): 3}


def test_a_name_that_means_a_project_of_ones_own_too_is_not_told_for_it(central: Lane) -> None:
    for name in ("noor", "mira"):
        learn(central, name, SHOP)
    learn(central, "mira", "/home/mira/shop")
    assert told(central) == {("shop", "decision"): 1, ("", "decision"): 2}


def test_only_what_holds_and_was_learned_lately_is_counted_in_its_week(central: Lane) -> None:
    learn(central, "noor", SHOP)
    learn(central, "noor", SHOP, ago=1)
    learn(central, "noor", SHOP, ago=WEEKS + 1)
    learn(central, "noor", SHOP, state=State.HELD)
    weeks = [one.week for one in learned(central.home, central.control.people)]
    assert len(weeks) == 2
    assert weeks[0] - weeks[1] == timedelta(weeks=1)
    assert {week.weekday() for week in weeks} == {0}
