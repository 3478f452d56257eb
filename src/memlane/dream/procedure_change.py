"""A correction written into the procedure it is about: which line, and where. Pure; a person decides whether."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from memlane.claims import same_claim
from memlane.domain.door import one_line

HEADING = "## Learned from corrections"


def with_rule(text: str, rule: str) -> str:
    """The text with the rule under our heading, which is made at the end if it is not there; the same text: it says so
    already."""
    line = f"- {one_line(rule)}"
    if says(text, rule):
        return text
    lines = text.splitlines(keepends=True)
    end = _end_of_ours(lines)
    if end is None:
        gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
        return f"{text}{gap}{HEADING}\n\n{line}\n"
    before = "".join(lines[:end])
    return f"{before}{'' if before.endswith(chr(10)) else chr(10)}{line}\n{''.join(lines[end:])}"


def _end_of_ours(lines: Sequence[str]) -> int | None:
    """Behind the last line of our section that is not empty."""
    begin = next((n for n, line in enumerate(lines) if line.strip() == HEADING), None)
    if begin is None:
        return None
    following = (n for n in range(begin + 1, len(lines)) if lines[n].startswith("#"))
    end = next(following, len(lines))
    while end > begin + 1 and not lines[end - 1].strip():
        end -= 1
    return end


def says(text: str, rule: str) -> bool:
    """Word for word, or as a line that claims the same."""
    wanted = one_line(rule).casefold().rstrip(".")
    lines = [line.strip().lstrip("-*#> ").strip() for line in text.splitlines()]
    return any(wanted in line.casefold() or (line and same_claim(rule, rule, line, line)) for line in lines)


def diff(before: str, after: str, name: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), f"a/{name}", f"b/{name}", lineterm="", n=2)
    return "\n".join(lines)
