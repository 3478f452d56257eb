"""Words on a terminal: harmless, and as wide as they look."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from wcwidth import wcswidth

from memlane.domain.door import one_line
from memlane.domain.door import plain as clean
from memlane.surfaces.cli.output import shown
from memlane.surfaces.cli.text import ago, bright, cut, lasted, long_ago, marked, padded, size, width, wrapped
from tests.hostile import HOSTILE, PLACEHOLDER, obeyed

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


@pytest.mark.fault("E15")
@pytest.mark.parametrize(
    ("hostile", "harmless"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]52;c;cm0gLXJm\x07copied", "copied"),
        ("\x1b]0;title\x1b\\text", "text"),
        ("\x1bPq#0;2\x1b\\after", "after"),
        ("\x9b31mred", "red"),
        ("\x1b[2J\x1b[Hgone?", "gone?"),
        ("\x1b]8;;http://evil\x07link\x1b]8;;\x07", "link"),
        ("over\rwritten", "over\nwritten"),
        ("bell\x07 back\x08 null\x00", "bell back null"),
        ("right\u202eleft", "rightleft"),
        ("torn \x1b[", "torn "),
        ("half a pair \udc80", "half a pair "),
    ],
)
def test_what_would_move_a_terminal_is_gone(hostile: str, harmless: str) -> None:
    assert clean(hostile) == harmless


def test_an_unfinished_sequence_does_not_swallow_what_follows() -> None:
    assert "the rest is here" in clean("\x1b]52;c;\nthe rest is here")
    assert clean("tab\tand\nline") == "tab\tand\nline"


def test_one_line_is_one_line() -> None:
    assert one_line(" a\n\tb\r\nc ") == "a b c"


@pytest.mark.parametrize(
    "text", ["plain", "日本語のタイトル", "👩‍💻 emoji", "e\u0301 combining", "混ぜた mixed テキスト"]
)
@pytest.mark.parametrize("columns", [1, 4, 5, 9, 30])
def test_a_cut_text_is_never_wider_than_asked(text: str, columns: int) -> None:
    assert width(cut(text, columns)) <= columns
    assert width(padded(cut(text, columns), columns)) == columns


def test_a_cut_is_marked_and_a_fitting_text_is_left_alone() -> None:
    assert cut("日本語のタイトル", 9) == "日本語の…"
    assert cut("日本語", 6) == "日本語"
    assert cut("abcdef", 5, "...") == "ab..."


@pytest.mark.parametrize("columns", [20, 33, 60])
def test_wrapping_loses_no_word_and_fits(columns: int) -> None:
    text = (
        "A line of words, 日本語の長い文章がここに続きます and https://example.org/a/long/path/without/spaces\n\n  in"
    )
    lines = list(wrapped(text, columns))
    assert all(wcswidth(line) <= columns for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert "" in lines


@pytest.mark.parametrize(
    ("seconds", "short", "long"),
    [
        (5, "now", "just now"),
        (125, "2m", "2 min ago"),
        (3 * 3600, "3h", "3 hours ago"),
        (86400, "1d", "1 day ago"),
        (21 * 86400, "3w", "3 weeks ago"),
        (120 * 86400, "3mo", "3 months ago"),
        (800 * 86400, "2y", "2 years ago"),
    ],
)
def test_times_are_told_as_people_tell_them(seconds: int, short: str, long: str) -> None:
    then = NOW - timedelta(seconds=seconds)
    assert (ago(then, NOW), long_ago(then, NOW)) == (short, long)


def test_sizes_and_lengths_are_short() -> None:
    assert [size(n) for n in (0, 999, 1500, 12_000_000, 2_600_000_000)] == ["0 B", "999 B", "1.5 kB", "12 MB", "2.6 GB"]
    assert [lasted(s) for s in (0.25, 5, 48.4, 151, 11_400)] == ["0.2 s", "5 s", "48 s", "2 min 31 s", "3 h 10 min"]


def test_the_last_step_before_a_terminal_keeps_our_styles_and_nothing_else() -> None:
    styled = "\x1b[1mbold\x1b[0m \x1b[33m\x1b[2mdim\x1b[0m"
    assert shown(styled) == styled
    assert shown(f"{styled} {HOSTILE}").startswith(styled)
    assert obeyed(shown(f"{styled} {HOSTILE} \x1b[30mblack on black\x1b[0;8mgone")) == []
    assert PLACEHOLDER in shown(HOSTILE)


def test_found_words_are_bright_and_no_bracket_of_the_text_is() -> None:
    pieces = [("[INFO] \ufdd0the ", False), ("web", True), ("[x] and the long ", False), ("webpack", True)]
    lines = list(wrapped(marked(pieces), 26))
    assert [width(line) for line in lines] == [25, 12]  # marks take no room
    assert list(bright(lines, str.upper)) == ["[INFO] the WEB[x] and the", "long WEBPACK"]


def test_a_found_word_is_bright_on_every_line_it_is_broken_over() -> None:
    lines = wrapped(marked([("a ", False), ("longwordlongword", True), (" b", False)]), 10)
    assert list(bright(lines, str.upper)) == ["a", "LONGWORDLO", "NGWORD b"]
