"""Bytes of a terminal as keys, and a line that is typed with them."""

from __future__ import annotations

import pytest

from memlane.surfaces.cli.keyboard import Keys
from memlane.surfaces.cli.picker.view import LONGEST, Field


def keys(*pieces: bytes) -> list[str]:
    reader = Keys()
    found = [key for piece in pieces for key in reader.came(piece)]
    return [*found, *reader.nothing_more()]


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (b"ab", ["a", "b"]),
        ("é再👍".encode(), ["é", "再", "👍"]),
        (b"\x1b[A\x1b[B\x1bOC\x1bOD", ["<up>", "<down>", "<right>", "<left>"]),
        (b"\x1b[5~\x1b[6~\x1b[3~", ["<pageup>", "<pagedown>", "<delete>"]),
        (b"\x1b[1;2A\x1b[1;2B", ["<shift-up>", "<shift-down>"]),
        (b"\x1bOP\x1b[11~", ["<f1>", "<f1>"]),
        (b"\r\t\x7f\x13\x12", ["<enter>", "<tab>", "<backspace>", "<ctrl-s>", "<ctrl-r>"]),
        (b"\x1b", ["<esc>"]),
        (b"\x1b\x1b", ["<esc>", "<esc>"]),
        (b"\x1b[99;9z\x1b[?1;2cx", ["x"]),  # what a terminal says of itself is no key
        (b"\x1b[200~one\r\ntwo\x1b[A\x1b[201~!", [*"one two\x1b[A", "!"]),
        (b"\xff\xfea", ["a"]),
    ],
)
def test_what_a_terminal_sends_is_read_as_keys(sent: bytes, meant: list[str]) -> None:
    assert keys(sent) == meant


@pytest.mark.parametrize("sent", ["é再👍".encode(), b"\x1b[1;2A\x1b[Bx", b"\x1b[200~one two\x1b[201~y"])
def test_keys_are_the_same_however_their_bytes_are_torn(sent: bytes) -> None:
    assert keys(*(bytes([byte]) for byte in sent)) == keys(sent)


def typed(*pressed: str) -> Field:
    field = Field()
    for key in pressed:
        field = field.pressed(key) or field
    return field


def test_a_line_is_edited_where_its_cursor_stands() -> None:
    assert typed(*"helo", "<left>", "l") == Field("hello", 4)
    assert typed(*"one two", "<ctrl-w>") == Field("one ", 4)
    assert typed(*"one", "<home>", "<delete>") == Field("ne", 0)
    assert typed(*"one", "<backspace>", "<backspace>", "<backspace>", "<backspace>") == Field()
    assert typed(*"one two", "<left>", "<left>", "<ctrl-u>") == Field("wo", 0)
    assert Field().pressed("<up>") is None


def test_a_line_has_an_end() -> None:
    assert len(typed(*("x" * (LONGEST + 5))).text) == LONGEST
