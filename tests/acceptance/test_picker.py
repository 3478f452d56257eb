"""`lane search -i` in a real terminal: type, look, open, leave, and the terminal is as it was."""

from __future__ import annotations

import os
import shlex
import signal

import pytest

from tests.acceptance.command_line import Person
from tests.acceptance.terminal import seated

DOWN, ESC, ENTER = "\x1b[B", "\x1b", "\r"
CTRL = {letter: chr(ord(letter) - 96) for letter in "cfrs"}
HOSTILE = "\x1b[31mred\x1b[0m \x1b]52;c;ZXZpbA==\x07 \x9b2J over\rwritten \u202egnp.exe hostile"


@pytest.fixture(scope="module")
def person(tmp_path_factory: pytest.TempPathFactory) -> Person:
    someone = Person(tmp_path_factory.mktemp("h"), {"LANE_USER": "sam", "LANE_MACHINE": "overlook"})
    someone.claude_run("one", "the worker says connection refused after a deploy", "now write a test", project="shop")
    someone.claude_run("two", "rename the parser's variable", project="parser")
    someone.claude_run("three", "ポッドが再起動し続けます。直してください", project="shop")
    someone.claude_run("four", HOSTILE, answer=HOSTILE)
    assert someone.lane("capture").code == 0
    return someone


def test_typing_finds_and_escape_leaves_the_question_as_a_command(person: Person) -> None:
    with seated(person, "search", "-i") as seat:
        seat.sees("the newest runs", "rename the parser's variable")
        seat.press("connection refused")
        screen = seat.sees("> the worker says", "words ", "#t1.1")
        assert "agent" in screen  # the answer, in the preview
        seat.press(ESC)
        assert seat.ends() == 0
        assert "1049" not in seat.glass.modes
        assert seat.cooked
        assert "lane search 'connection refused'" in seat.raw.decode().rpartition("\x1b[?1049l")[2]


def test_the_printed_command_finds_the_same(person: Person) -> None:
    with seated(person, "search", "-i", "connection", "--project", "shop") as seat:
        seat.sees("> the worker says")
        seat.press(CTRL["s"])
        seat.sees("by words")
        seat.press(ESC)
        seat.ends()
        printed = seat.raw.decode().rpartition("\x1b[?1049l")[2].strip()
    lane, *words = shlex.split(printed.splitlines()[-1])
    assert lane == "lane"
    assert words == ["search", "connection", "--mode", "words", "--project", "shop"]
    assert (
        person.lane(*words, "--json").data[0]["title"] == person.lane("search", "connection", "--json").data[0]["title"]
    )


def test_a_hit_opens_in_the_pager_at_its_turn_and_comes_back(person: Person) -> None:
    with seated(person, "search", "-i", "write a test", LANE_PAGER="sed s/^/PAGED:/") as seat:
        seat.sees("> the worker says", "#t2.1")
        seat.press(ENTER)
        screen = seat.sees("PAGED:", "now write a test", "(Enter: back)")
        assert "connection refused" not in screen  # of the turn before
        seat.press(ENTER)
        seat.sees_no("PAGED:")
        seat.sees("search: write a test", "> the worker says")
        seat.press(ESC)
        assert seat.ends() == 0
        assert "PAGED:" not in seat.raw.decode().rpartition("\x1b[?1049l")[2]


def test_the_keys_are_listed_and_can_be_searched(person: Person) -> None:
    with seated(person, "search", "-i", "parser") as seat:
        seat.sees("> rename the parser")
        seat.press("?")
        seat.sees("open the run at that turn", "Ctrl+R")
        seat.press("pager")
        seat.sees_no("Ctrl+R")
        seat.press(ESC)
        seat.sees("> rename the parser")


def test_finding_in_the_preview_does_not_change_the_question(person: Person) -> None:
    with seated(person, "search", "-i", "parser") as seat:
        seat.sees("> rename the parser", "Done.")
        seat.press("/")
        seat.sees("find:")
        seat.press("Done")
        seat.sees("find: Done", "search: parser")
        seat.press(ENTER)
        seat.sees("1 found")


def test_a_filter_is_typed_and_a_wrong_one_is_answered(person: Person) -> None:
    with seated(person, "search", "-i", "the", columns=110) as seat:
        seat.sees("project any")
        seat.press(CTRL["f"] + DOWN + DOWN)
        seat.press("nobody")
        seat.sees("there is no agent 'nobody'")
        seat.press("\x15")
        seat.sees("> rename")
        seat.press(DOWN + "parser" + ENTER)
        seat.sees_no("connection")
        assert "rename the parser" in seat.sees("project parser")


def test_a_window_of_any_size_is_used_and_a_change_of_it_followed(person: Person) -> None:
    with seated(person, "search", "-i", "connection") as seat:
        seat.sees("> the worker says")
        for columns, rows, shown in ((20, 5, "search: conn"), (1, 1, "…"), (60, 14, "> the w"), (160, 50, "machine")):
            seat.resize(columns, rows)
            seat.sees(shown)
        seat.sees("> the worker says")
        seat.press(ESC)
        assert seat.ends() == 0


def test_what_a_transcript_orders_the_terminal_to_do_is_only_text(person: Person) -> None:
    with seated(person, "search", "-i", "hostile", NO_COLOR="1") as seat:
        seat.sees("red", "hostile")
        seat.press(ESC)
        seat.ends()
        assert seat.glass.colours == 0
        assert b"\x1b]52" not in seat.raw
        assert "\u202e" not in seat.raw.decode()


def test_wide_characters_stay_in_their_place(person: Person) -> None:
    with seated(person, "search", "-i", "再起動", columns=110) as seat:
        screen = seat.sees("> ポッドが再起動")
        bars = {tuple(n for n, cell in enumerate(line) if cell == "│") for line in seat.glass.lines if "│" in line}
        assert len(bars) == 1, screen


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_ended_from_outside_it_gives_the_terminal_back(person: Person, number: signal.Signals, code: int) -> None:
    with seated(person, "search", "-i", "connection") as seat:
        seat.sees("> the worker says")
        os.kill(seat.child, number)
        assert seat.ends() == code
        assert seat.cooked
        assert not seat.glass.modes & {"1049", "2004"}


def test_ctrl_c_leaves_without_a_word(person: Person) -> None:
    with seated(person, "search", "-i", "connection") as seat:
        seat.sees("> the worker says")
        seat.press(CTRL["c"])
        assert seat.ends() == 130
        assert seat.cooked
        assert "lane search" not in seat.raw.decode().rpartition("\x1b[?1049l")[2]


def test_a_paste_is_typed_not_obeyed(person: Person) -> None:
    with seated(person, "search", "-i") as seat:
        seat.sees("the newest runs")
        seat.press("\x1b[200~connection\nrefused\x1b[201~")
        seat.sees("search: connection refused", "> the worker says")


def test_without_a_terminal_it_says_what_to_do_instead(person: Person) -> None:
    ran = person.lane("search", "-i", "connection")
    assert (ran.code, ran.out) == (2, "")
    assert "without -i" in ran.err
    assert person.lane("search", "-i", "x", "--json").error["kind"] == "usage"
    with seated(person, "search", "-i", "x", TERM="dumb") as seat:
        assert seat.ends() == 2
