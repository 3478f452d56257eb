"""`lane tree -i` in a real terminal: walk, open a branch, read a run, leave, and the terminal is as it was."""

from __future__ import annotations

import pytest

from tests.acceptance.command_line import Person
from tests.acceptance.terminal import seated

UP, DOWN, LEFT, RIGHT, ENTER = "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C", "\r"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    someone = Person(tmp_path_factory.mktemp("h"), {"LANE_USER": "sam", "LANE_MACHINE": "overlook"})
    for n in range(3):
        someone.claude_run(f"run{n}", f"question number {n} about ferries", project="shop")
    assert someone.lane("capture").code == 0
    return someone


def test_arrows_walk_enter_reads_and_leaving_prints_the_run(person: Person) -> None:
    rows = person.lane("tree", "--json").data
    with seated(person, "tree", "-i", LANE_PAGER="cat") as seat:
        seat.sees("1 of 3", "> ", rows[0]["title"])
        seat.press(DOWN)
        seat.sees("2 of 3")
        seat.press(DOWN + DOWN + DOWN)
        seat.sees("3 of 3")
        seat.press(UP + "q")
        assert seat.ends() == 0
        assert seat.cooked
        assert "1049" not in seat.glass.modes
        assert f"lane show {rows[1]['id']}" in seat.raw.decode().rpartition("\x1b[?1049l")[2]


def test_enter_opens_the_run_in_the_pager_and_comes_back(person: Person) -> None:
    with seated(person, "tree", "-i", LANE_PAGER="sed s/^/PAGED:/") as seat:
        seat.sees("1 of 3")
        seat.press(ENTER)
        seat.sees("PAGED:", "(Enter: back)")
        seat.press(ENTER)
        seat.sees("1 of 3")
        seat.press("q")
        assert seat.ends() == 0
        assert "PAGED:" in seat.raw.decode()


def test_without_a_terminal_it_says_what_it_needs(person: Person) -> None:
    refused = person.lane("tree", "-i")
    assert refused.code == 2
    assert "-i needs an interactive terminal" in refused.err
