"""Rows of a screen: pieces of text, each at its own column, so that a character of unexpected width moves nothing else.

It knows columns and colours; nothing about searching.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from memlane.domain.tokenizer import terms
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import cut, width

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_RESET = "\x1b[0m"
_WORD = re.compile(r"\S+")

Row = Sequence[tuple[int, str]]  # column and text


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the screen."""

    top: int
    left: int
    height: int
    width: int


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything on the screen at one moment, and where the cursor blinks."""

    rows: Sequence[Row]
    cursor: tuple[int, int]


def plain(line: str) -> str:
    return COLOURS.sub("", line)


def fitted(line: str, columns: int, ellipsis: str = "…") -> str:
    """No wider than this, its colours ended."""
    if columns <= 0:
        return ""
    if "\x1b" not in line:
        return cut(line, columns, ellipsis)
    if width(plain(line)) <= columns:
        return line
    kept, room = list[str](), columns
    for n, piece in enumerate(re.split(rf"({COLOURS.pattern})", line)):
        if n % 2:
            kept.append(piece)
        elif room > 0:
            kept.append(cut(piece, room, ellipsis))
            room -= min(room, width(piece))
    return "".join(kept) + _RESET


def marked(screen: Screen, line: str, wanted: Collection[str], find: str) -> str:
    """Found words are bright; what is being found in the preview stands out from them."""
    if not screen.colour:
        return line
    bare = plain(line)
    if find and find.lower() in bare.lower():
        pattern = re.compile(re.escape(find), re.IGNORECASE)
        return pattern.sub(lambda found: f"\x1b[7m{found[0]}{_RESET}", bare)
    if not wanted or line.startswith("\x1b"):
        return line
    return _WORD.sub(lambda found: _bright(screen, found[0], frozenset(wanted)), bare)


def _bright(screen: Screen, word: str, wanted: frozenset[str]) -> str:
    return word if wanted.isdisjoint(terms(word)) else screen.styled(word, "bold yellow")
