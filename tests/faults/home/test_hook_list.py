"""The list of files that hooks look into before they ask: damaged, it would hide notes without a word."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.acceptance.command_line import Person
from tests.conftest import LaneHome

FILES = ("berths.py", "prices.py", "tides.py")


@pytest.fixture
def person(lane_home: LaneHome) -> Person:
    someone = Person(lane_home.home, quick=True)
    someone.claude_run("one", "deploy the shop")
    assert someone.lane("capture").code == 0
    for file in FILES:
        (someone.home / file).touch()
        assert someone.lane("remember", f"In {file} amounts are kept in cents").code == 0
    return someone


def named(person: Person) -> bool:
    return any(one["kind"] == "hook-list" for one in person.lane("doctor", "--json").data)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def misspelt(data: bytes) -> bytes:
    return data.replace(b"prices", b"pricez")


@pytest.mark.parametrize("damage", [cut, misspelt])
def test_a_damaged_list_is_named_and_the_next_tick_writes_it_again(
    person: Person, damage: Callable[[bytes], bytes]
) -> None:
    path = person.lane_home / "run" / "paths"
    whole = path.read_bytes()
    assert all(file.encode() in whole for file in FILES)
    assert not named(person)
    path.write_bytes(damage(whole))
    assert named(person)
    assert person.lane("tick").code == 0
    assert (path.read_bytes(), named(person)) == (whole, False)
