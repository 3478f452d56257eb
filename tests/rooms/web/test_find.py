"""Words in a Run are counted in what its page shows: as typed, in any case, folded or not."""

from __future__ import annotations

import pytest

from memlane.app.runs.transcript import StepAt
from memlane.domain import Author, Kind, Step, ToolCall
from memlane.surfaces.web.find import found


def steps(*every: Step) -> list[StepAt]:
    return [StepAt(n, 1, step) for n, step in enumerate(every)]


def text(words: str, kind: Kind = Kind.TEXT, author: Author = Author.AGENT) -> Step:
    return Step(1, author, kind, 1, words)


def call(given: dict[str, object], result: str = "") -> Step:
    return Step(1, Author.AGENT, Kind.TOOL_CALL, 1, call=ToolCall("Bash", given, result))


@pytest.mark.parametrize(
    ("step", "words", "times"),
    [
        (text("[INFO] webpack, Webpack and WEBPACK5"), "webpack", 3),
        (text("**web**pack"), "webpack", 1),
        (text("[docs](https://webpack.example/)"), "webpack", 0),  # an address is not on the page
        (text("a <b> & c", Kind.PROMPT, Author.PERSON), "<b> &", 1),
        (text("a <b> & c"), "<b> &", 1),
        (text("of two\n  words"), "two words", 1),
        (text("a.b ab"), "a.b", 1),  # no pattern
        (text("[x]"), "[x]", 1),
        (call({"command": "npm run build"}, "x" * 20_000 + "webpack"), "webpack", 1),  # beyond what is there at once
        (call({"command": "webpack"}), "webpack", 1),  # in its line and in its command: one
        (call({"file_path": "webpack.js", "old_string": "a", "new_string": "webpack"}), "webpack", 2),
        (call({"command": "x\x1b"}), "⟨", 1),
        (text("anything"), "  ", 0),
    ],
)
def test_how_often_it_is_there(step: Step, words: str, times: int) -> None:
    assert sum(one.times for one in found(steps(step), words)) == times


def test_each_step_is_named_with_its_first_place_marked() -> None:
    first, second = found(steps(text("no"), text("[a] webpack\nb webpack"), text("webpack " * 90)), "webpack")
    assert (first.at, first.place, first.times) == ("t1.1", 1, 2)
    assert list(first.pieces) == [
        ("", False),
        ("[a] ", False),
        ("webpack", True),
        ("\nb ", False),
        ("webpack", True),
        ("\n", False),
    ]
    assert second.times == 90
    assert list(second.pieces)[-1][0].endswith(" …")
