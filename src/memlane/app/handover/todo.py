"""What is left to do when a Run ends: its last request, its open plan, what its last answer says. Rules alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from memlane.domain import Spot, Step

PLANS = frozenset({"todowrite", "todo_write", "update_plan", "write_todos", "update_todo_list", "manage_todo_list"})
NAMES = ("content", "step", "description", "title")  # of an item of a plan
DONE = frozenset({"completed", "complete", "done", "cancelled", "canceled"})
_NEXT = re.compile(
    r"\b(?:next(?: steps?)?|remaining|still (?:to do|open|needs?|missing|fails?)|todo|to do|not (?:yet|done)|left to do"
    r"|follow-?ups?|als nächstes|offen|noch (?:nicht|zu))\b",
    re.IGNORECASE,
)
_NOTHING_LEFT = re.compile(
    r"\b(?:no|nothing|none|without|zero|0|kein\w*|nichts)\b[^.!?]{0,40}\b"
    r"(?:next|remain\w*|left|open|to ?do|follow|offen)"
    r"|\b(?:remaining|left|open|follow-?ups?|to ?do)\b[\s:*]*(?:none|nothing|0)\b",
    re.IGNORECASE,
)
_LINE = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?P<text>\S.*)$")


def left_to_do(
    steps: Sequence[tuple[Spot, Step]], prompts: Sequence[tuple[Spot, Step]], last: str, *, done: bool
) -> Iterator[tuple[Spot, Step, str]]:
    """`last`: the last answer that says something. `done`: the last prompt was answered."""
    asked = prompts[-1:]
    if not done:
        yield from ((spot, step, f"Not finished: {step.text}") for spot, step in asked)
    yield from _open_items(steps, since=asked[0][0].turn if asked and done else 0)
    said = [(spot, step) for spot, step in steps if step.text == last and last]
    for spot, step in said[-1:]:
        yield from ((spot, step, line.replace("**", "")) for line in _lines_to_come(step.text))


def _open_items(steps: Sequence[tuple[Spot, Step]], since: int) -> Iterator[tuple[Spot, Step, str]]:
    """Of the agent's last plan; one that was overtaken by prompts and their answers says little."""
    plans = [(spot, step) for spot, step in steps if step.call is not None and step.call.name.lower() in PLANS]
    for spot, step in plans[-1:]:
        if step.call is None or spot.turn < since - 1:
            continue
        for item in _items(step.call.input):
            words = next((str(item[key]) for key in NAMES if item.get(key)), "")
            if words and str(item.get("status", "")).lower() not in DONE:
                yield spot, step, words


def _items(given: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    for value in given.values():
        if isinstance(value, list):
            yield from (cast(Mapping[str, object], one) for one in cast(list[object], value) if isinstance(one, dict))


def _lines_to_come(text: str) -> Iterator[str]:
    """Sentences that say what is left, and the list below a heading that does."""
    below = False
    for line in text.splitlines():
        item, tells = _LINE.match(line), bool(_NEXT.search(line)) and not _NOTHING_LEFT.search(line)
        if item is not None and (below or tells):
            yield item["text"]
        elif line.strip() and item is None:
            below = tells and (line.rstrip().endswith((":", "**")) or line.lstrip().startswith("#"))
            if tells and not below:
                yield line.strip()
