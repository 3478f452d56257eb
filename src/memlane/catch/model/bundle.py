"""Several Windows in one question, for a reader with a long context, and which of them each part of an answer is about.

Every Window has a name of its own (`w2`), and its Steps are marked with it (`w2.t3.1`), because two Runs both have a
`t3.1`. The instructions and the Memories nearby are told once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from memlane.catch.model.json_answer import NoJsonError, found_in
from memlane.catch.model.prompt import fence, head, known, nonce_of, shown_steps, task
from memlane.catch.quotes import standing
from memlane.domain import Memory, Window

_MARK = re.compile(r"w(\d{1,4})\.(t\d+\.\d+)")


def rendered_many(windows: Sequence[Window], nearby: Sequence[Memory]) -> str:
    """All that is asked about these Windows, without the instructions; `nearby` is what is known about any of them."""
    steps = [shown_steps(window, f"w{n}.") for n, window in enumerate(windows, 1)]
    nonce = nonce_of(line for each in steps for line in each)
    told = [f"There are {len(windows)} windows. A step's mark begins with its window: w1.t3.1. Quote each step by it."]
    parts = (_part(n, window, shown, nonce) for n, (window, shown) in enumerate(zip(windows, steps, strict=True), 1))
    return "\n".join([*told, *known(nearby), *(line for part in parts for line in part)])


def _part(n: int, window: Window, steps: Sequence[str], nonce: str) -> list[str]:
    return ["", f"Window w{n}.", *head(window, f"w{n}."), task(window, f"w{n}."), *fence(steps, nonce, f"w{n}")]


def answers_of(text: str, windows: Sequence[Window]) -> list[str]:
    """One answer about many Windows as one answer about each, in their order, with marks as each Window has them.

    A lesson belongs to the Window of its first quote. What cannot be read or placed stays in the first answer as it
    is, so that it is refused there with its reason.
    """
    try:
        lessons = found_in(text).get("memories")
    except NoJsonError:
        return [text] * len(windows)
    if not isinstance(lessons, list):
        return [text] * len(windows)
    split: list[list[object]] = [[] for _window in windows]
    for lesson in cast("list[object]", lessons):
        at, placed = _placed(lesson, windows)
        split[at].append(placed)
    return [json.dumps({"memories": each}, ensure_ascii=False) for each in split]


def _placed(lesson: object, windows: Sequence[Window]) -> tuple[int, object]:
    """Which Window it is about, and the same lesson with that Window's marks."""
    if not isinstance(lesson, dict):
        return 0, lesson
    table = cast("dict[str, object]", lesson)
    quotes = [quote for quote in _quotes(table) if _window_of(quote, windows) is not None]
    at = _window_of(quotes[0], windows) if quotes else None
    if at is None:
        return 0, table
    own = [quote | {"step": _own_mark(quote)} for quote in quotes if _window_of(quote, windows) == at]
    return at, table | {"quotes": own}


def _quotes(table: Mapping[str, object]) -> Iterator[dict[str, object]]:
    quotes = table.get("quotes")
    for quote in cast("list[object]", quotes) if isinstance(quotes, list) else ():
        if isinstance(quote, dict):
            yield cast("dict[str, object]", quote)


def _own_mark(quote: Mapping[str, object]) -> str:
    found = _MARK.fullmatch(str(quote.get("step", "")).strip())
    return found[2] if found else str(quote.get("step", ""))


def _window_of(quote: Mapping[str, object], windows: Sequence[Window]) -> int | None:
    """By its mark; by its words where the mark lacks the Window's name and only one Window has them at that Step."""
    mark = str(quote.get("step", "")).strip()
    if found := _MARK.fullmatch(mark):
        at = int(found[1]) - 1
        return at if 0 <= at < len(windows) else None
    words = str(quote.get("words", ""))
    holders = [n for n, window in enumerate(windows) if _has(window, mark, words)]
    return holders[0] if len(holders) == 1 else None


def _has(window: Window, mark: str, words: str) -> bool:
    return any(str(spot) == mark and standing(words, step) is not None for spot, step in window.steps())
