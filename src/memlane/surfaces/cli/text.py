"""Words on a terminal: as wide as they look, and told in the reader's own time.

It knows columns and characters; nothing about runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from memlane.domain.door import one_line, plain

TAB = 4
BESIDE = 20  # characters before what is different


# Where a found word begins and ends, while lines are broken: two noncharacters, which Unicode keeps out of every text.
BEGIN, END = "\ufdd0", "\ufdd1"
_MARKS = str.maketrans("", "", BEGIN + END)


def marked(pieces: Iterable[tuple[str, bool]]) -> str:
    """One line, in which the pieces that were found are marked for `bright`."""
    whole = [(plain(text).translate(_MARKS), found) for text, found in pieces]
    return " ".join("".join(f"{BEGIN}{text}{END}" if found else text for text, found in whole).split())


def bright(lines: Iterable[str], style: Callable[[str], str]) -> Iterator[str]:
    """What was marked, in its style; a mark may reach over the end of a line."""
    inside = False
    for line in lines:
        shown = list[str]()
        for piece in re.split(f"([{BEGIN}{END}])", line):
            if piece in (BEGIN, END):
                inside = piece == BEGIN
            else:
                shown.append(style(piece) if inside and piece else piece)
        yield "".join(shown)


def width(text: str) -> int:
    """Columns, not characters: 東京 is four."""
    return len(text) if text.isascii() else sum(map(_wide, text))


@lru_cache(4096)
def _wide(character: str) -> int:
    from wcwidth import wcwidth  # thirty modules, for text that has it

    return 0 if character in (BEGIN, END) else max(0, wcwidth(character))


def cut(text: str, columns: int, ellipsis: str = "…") -> str:
    """No wider than this; what is missing is marked."""
    if width(text) <= columns:
        return text
    room, kept = columns - width(ellipsis), list[str]()
    for character in text:
        room -= _wide(character)
        if room < 0:
            break
        kept.append(character)
    return ("".join(kept).rstrip() + ellipsis) if columns >= width(ellipsis) else ""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def wrapped(text: str, columns: int) -> Iterator[str]:
    """Each line broken at spaces, or inside a word (and between CJK characters) where there is no other way."""
    for line in text.expandtabs(TAB).split("\n"):
        yield from _wrapped_line(line.rstrip(), max(columns, 8))


def _wrapped_line(line: str, columns: int) -> Iterator[str]:
    if width(line) <= columns:
        yield line
        return
    indent = line[: len(line) - len(line.lstrip())][: columns // 2]
    now, used = indent, width(indent)
    for piece in re.findall(r"\S+\s*", line):
        if used + width(piece.rstrip()) > columns and now.strip():
            yield now.rstrip()
            now, used = indent, width(indent)
        for character in piece:
            wide = _wide(character)
            if used + wide > columns and not character.isspace():
                yield now.rstrip()
                now, used = indent, width(indent)
            now, used = now + character, used + wide
    if now.strip():
        yield now.rstrip()


# -- time, sizes, counts -----------------------------------------------------------------------------------------------


def iso(at: datetime | None) -> str:
    """With offset, in the reader's zone."""
    return at.astimezone().isoformat(timespec="seconds") if at else ""


def ago(at: datetime | None, now: datetime) -> str:
    """`2m`, `3h`, `5d`: for columns."""
    if at is None:
        return ""
    seconds = (now - at).total_seconds()
    if seconds < 60:
        return "now"
    for size, letter, most in ((60, "m", 60), (3600, "h", 24), (86400, "d", 14), (604800, "w", 9), (2629800, "mo", 12)):
        if seconds < size * most:
            return f"{int(seconds // size)}{letter}"
    return f"{int(seconds // 31557600)}y"


def long_ago(at: datetime | None, now: datetime) -> str:
    """`2 min ago`, `3 weeks ago`: for sentences."""
    short = ago(at, now)
    if short in ("", "now"):
        return short and "just now"
    number, unit = re.fullmatch(r"(\d+)(\w+)", short, re.ASCII).groups()  # type: ignore[union-attr]
    word = {"m": "min", "h": "hour", "d": "day", "w": "week", "mo": "month", "y": "year"}[unit]
    return f"{number} {word}{'' if number == '1' or unit == 'm' else 's'} ago"


def day(at: datetime | None, now: datetime) -> str:
    """`24 Oct`, with the year once it is not this one."""
    if at is None:
        return ""
    here = at.astimezone()
    return f"{here.day} {here:%b}" if here.year == now.astimezone().year else f"{here.day} {here:%b %Y}"


def clock(at: datetime | None) -> str:
    return f"{at.astimezone():%H:%M}" if at else ""


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 999.5:
            return f"{count:.0f} {unit}" if unit == "B" or count >= 9.95 else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def many(count: int, one: str, more: str = "") -> str:
    """`1 run`, `1,204 memories`."""
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def lasted(seconds: float) -> str:
    """`48 s`, `2 min 31 s`, `3 h 10 min`."""
    whole = int(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 and seconds != whole else f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min"


def duration(length: timedelta) -> str:
    return lasted(length.total_seconds())


def utc(at: datetime) -> datetime:
    return at.astimezone(UTC)


def different(before: str, after: str, longest: int) -> tuple[str, str]:
    """Of two long texts the stretch where they differ, not what both begin with."""
    was, became = one_line(before), one_line(after)
    same = next((n for n, (one, other) in enumerate(zip(was, became, strict=False)) if one != other), len(was))
    start = was.rfind(" ", 0, max(0, same - BESIDE)) + 1 if max(len(was), len(became)) > longest else 0
    lead = "…" if start else ""
    return cut(lead + was[start:], longest), cut(lead + became[start:], longest)
