"""Our lines in a file that belongs to somebody else: put in, changed and taken out again, the rest byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

BEGIN = "<!-- lane:begin -->"
JOINED = "<!-- lane:begin, joined -->"  # the file did not end in a newline before us
END = "<!-- lane:end -->"
_LINES = re.compile(r"[^\n]*\n|[^\n]+\Z")
_OURS = re.compile(r"- \[|- .*\(m_[a-z0-9]{13}\)$|Kept by Memory Lane: ")


@dataclass(frozen=True, slots=True)
class Cut:
    """A file cut in three; `lines` is None where nothing of ours stands in it."""

    before: str
    lines: tuple[str, ...] | None
    after: str
    joined: bool = False


def cut(text: str) -> Cut:
    lines = _LINES.findall(text)
    marks = [line.strip() for line in lines]
    begin = next((n for n, line in enumerate(marks) if line in (BEGIN, JOINED)), None)
    if begin is None:
        return Cut(text, None, "")
    end = next((n for n in range(begin + 1, len(marks)) if marks[n] == END), None)
    if end is None:  # somebody took the last line out: ours are those that look like it
        end = next((n for n in range(begin + 1, len(marks)) if not _OURS.match(marks[n])), len(marks)) - 1
        inside = marks[begin + 1 : end + 1]
    else:
        inside = marks[begin + 1 : end]
    return Cut("".join(lines[:begin]), tuple(inside), "".join(lines[end + 1 :]), marks[begin] == JOINED)


def put(text: str, lines: Sequence[str]) -> str:
    """With these lines in the place of ours, or at the end."""
    found = cut(text)
    if found.lines is None:
        joined = bool(text) and not text.endswith("\n")
        return f"{text}{chr(10) * joined}{_block(lines, joined=joined)}"
    return f"{found.before}{_block(lines, joined=found.joined)}{found.after}"


def without(text: str) -> str:
    """As if we had never been there."""
    found = cut(text)
    if found.lines is None:
        return text
    before = found.before.removesuffix("\n") if found.joined and not found.after else found.before
    return before + found.after


def _block(lines: Sequence[str], *, joined: bool) -> str:
    return "\n".join((JOINED if joined else BEGIN, *lines, END)) + "\n"
