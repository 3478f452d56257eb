"""The picker without a terminal: what each key does, and how it looks in any room."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from memlane.surfaces.cli.frame import screen
from memlane.surfaces.cli.picker.bindings import ViewBounds, pressed
from memlane.surfaces.cli.picker.paint import COLOURS, Row, fitted, plain
from memlane.surfaces.cli.picker.panes import PickerFrame
from memlane.surfaces.cli.picker.view import Focus, PickerAnswer, PickerChoice, PickerView, Preview, opened
from memlane.surfaces.cli.text import padded, width
from tests.conftest import LaneHome

LINES = ["you", "  deploy the shop", "agent", "  ポッドが再起動し続けます", "  deployed", "  the end"]
AROUND = ViewBounds(hits=3, hits_shown=2, preview=LINES, preview_rows=2, machine="overlook")


def after(*keys: str, words: str = "deploy", around: ViewBounds = AROUND, **given: str) -> PickerView:
    view = opened(words, {"mode": "auto", "sort": "best", **given})
    for key in keys:
        view = pressed(view, key, around)
    return view


def test_typing_asks_another_question_from_its_first_hit_on() -> None:
    view = after("<down>", "<down>", " ", "x")
    assert (view.query.text, view.row, view.question.words) == ("deploy x", 0, "deploy x")


def test_the_choice_stays_within_the_hits() -> None:
    assert after("<up>").row == 0
    assert after("<down>", "<pagedown>", "<pagedown>").row == 2
    assert after("<down>", around=ViewBounds()).row == 0


def test_ctrl_s_cycles_both_words_meaning() -> None:
    modes = [after(*["<ctrl-s>"] * n).filters["mode"] for n in range(4)]
    assert modes == ["auto", "words", "meaning", "auto"]


def test_ctrl_r_cycles_everything_this_project_this_machine() -> None:
    places = [after(*["<ctrl-r>"] * n).filters for n in range(4)]
    assert [(one["project"], one["machine"]) for one in places] == [("", ""), (".", ""), ("", "overlook"), ("", "")]


def test_a_question_mark_and_a_slash_are_keys_until_somebody_types() -> None:
    assert after("?").focus is Focus.KEYS
    assert after("/").focus is Focus.FIND
    assert after("s", "/", "?").query.text == "deploys/?"
    assert after("s", "<down>", "/").focus is Focus.FIND
    assert after(*"/etc", words="").query.text == "/etc"
    assert after("s", "<f1>").focus is Focus.KEYS


def test_finding_in_the_preview_goes_from_place_to_place() -> None:
    scrolls = [after("/", *"deploy", "<enter>", *["n"] * n).scroll for n in range(3)]
    assert scrolls == [1, 4, 1]
    assert after("/", *"deploy", "<enter>", "N").scroll == 4
    nowhere = after("/", *"zebra")
    assert (nowhere.scroll, "zebra" in nowhere.note) == (0, True)


def test_a_filter_is_typed_and_becomes_part_of_the_question() -> None:
    view = after("<ctrl-f>", "<down>", "<down>", *"codex", "<enter>")
    assert view.focus is Focus.HITS
    assert view.question.given["agent"] == "codex"
    assert view.query.text == "deploy"


def test_escape_goes_one_step_back_and_only_from_the_hits_out() -> None:
    for into in ("<ctrl-f>", "<right>", "?"):
        assert (after(into, "<esc>").focus, after(into, "<esc>").act) == (Focus.HITS, "")
    assert after("<esc>").act == "leave"
    assert (after("<ctrl-c>").act, after("<enter>").act, after("<tab>").act) == ("stop", "open", "copy")


def test_the_question_can_be_typed_again_as_a_command() -> None:
    view = after("<ctrl-s>", words='it\'s a "test"', agent="codex")
    words = shlex.split(view.command_line)
    assert words == ["lane", "search", 'it\'s a "test"', "--mode", "words", "--agent", "codex"]
    assert shlex.split(after(words="-x").command_line) == ["lane", "search", "--", "-x"]


def hits(count: int) -> list[PickerChoice]:
    return [
        PickerChoice(
            f"r_{n}#t1.1", f"ポッド {n} " * 20, "claude-code  shop  10 Nov", "words 62 %  meaning 71 %", "deploy it"
        )
        for n in range(count)
    ]


def drawing(columns: int, rows: int, view: PickerView, *, unicode: bool = True) -> PickerFrame:
    plainly = replace(screen(json=False), unicode=unicode, colour=unicode, terminal=True)
    answer = PickerAnswer(
        view.question, hits(30), "3 runs, 30 turns, by words", ["71 % indexed"], frozenset({"deploi"})
    )
    preview = Preview("r_0#t1.1", [*LINES, *(f"\x1b[31m{'长' * 200}\x1b[0m" for _n in range(100))])
    return PickerFrame(plainly, view, answer, preview, columns, rows)


@pytest.mark.parametrize("keys", [(), ("<down>",) * 40, ("?",), ("<ctrl-f>",), ("/", "d"), ("<right>",)])
@pytest.mark.parametrize("columns", [1, 2, 9, 20, 41, 60, 80, 99, 100, 120, 300])
@pytest.mark.parametrize("rows", [1, 2, 3, 6, 10, 14, 24, 60])
def test_whatever_room_there_is_nothing_leaves_it(
    lane_home: LaneHome, columns: int, rows: int, keys: tuple[str, ...]
) -> None:
    picture = drawing(columns, rows, after(*keys, around=replace(AROUND, hits=30))).picture()
    assert len(picture.rows) == rows
    assert all(at >= 0 and at + width(plain(text)) <= columns for row in picture.rows for at, text in row if text)
    assert 0 <= picture.cursor[0] < rows
    assert 0 <= picture.cursor[1] < columns


def seen(shown: PickerFrame) -> str:
    return "\n".join(line_of(row) for row in shown.picture().rows)


def line_of(row: Row) -> str:
    line = ""
    for at, text in row:
        line = padded(line, at) + plain(text)
    return line


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40)])
def test_hits_preview_and_what_is_known_are_there_at_once(lane_home: LaneHome, columns: int, rows: int) -> None:
    shown = seen(drawing(columns, rows, after()))
    for words in (
        "search: deploy",
        "30 turns, by words. 71 % indexed",
        "> ポッド 0",
        "the shop",
        "Esc leave",
        "words 62 %",
    ):
        assert words in shown
    assert ("machine" in shown) == (columns >= 100)


def test_a_plain_terminal_gets_plain_lines_and_no_colour(lane_home: LaneHome) -> None:
    rows = drawing(120, 40, after(), unicode=False).picture().rows
    ours = [text for row in rows for _at, text in row if "长" not in text and "ポ" not in text]
    assert not set("".join(ours)) & set("│─…\x1b")


def test_the_list_of_keys_can_be_searched(lane_home: LaneHome) -> None:
    shown = seen(drawing(80, 24, after("?", *"pager")))
    assert "open the run at that turn" in shown
    assert "copy" not in shown
    assert "keys: pager" in shown


def test_a_coloured_line_is_cut_by_what_is_seen_and_its_colour_ends() -> None:
    line = f"\x1b[31m{'red' * 10}\x1b[0m and more"
    cut = fitted(line, 12)
    assert width(plain(cut)) == 12
    assert COLOURS.findall(cut)[-1] == "\x1b[0m"
    assert fitted(line, 100) == line
