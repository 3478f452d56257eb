"""How a Step becomes Chunks: nothing a person or the agent said is lost, what nobody looks for is left out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memlane.domain import Author, Kind, Step, ToolCall, Turn
from memlane.index import chunks_of, split
from memlane.index.chunk import LONGEST, touches_of
from tests.examples import examples

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
LONG_TEXT = st.lists(
    st.sampled_from(["word", " ", "\n", "\n\n", "漢字", "x" * 700, "\t", ". ", "a" * (LONGEST + 3)]), max_size=30
).map("".join)


def a_step(text: str = "", **more: object) -> Step:
    given: dict[str, object] = {"n": 1, "author": Author.PERSON, "kind": Kind.PROMPT, "line": 1, "text": text, **more}
    return Step(**given)  # type: ignore[arg-type]


def texts(*steps: Step) -> list[str]:
    return [chunk.text for chunk in chunks_of("r_1", Turn(3, Author.PERSON, steps, NOON))]


@settings(max_examples=examples(75), deadline=None, derandomize=True)
@given(text=LONG_TEXT)
@example("x" * LONGEST + " ")
@example("\n" * (2 * LONGEST))
def test_no_character_is_lost_and_no_piece_is_too_long(text: str) -> None:
    pieces = list(split(text))
    assert "".join(pieces) == text[: sum(map(len, pieces))]
    assert text[sum(map(len, pieces)) :].strip() == "", "only blanks at the very end"
    assert all(0 < len(piece) <= LONGEST for piece in pieces)


def test_a_long_text_is_cut_where_a_line_ends() -> None:
    line = "a line of some words\n"
    pieces = list(split(line * 200))
    assert len(pieces) > 1
    assert all(piece.endswith("\n") for piece in pieces)


def test_a_chunk_knows_where_it_stands() -> None:
    steps = (a_step("said"), a_step("y " * LONGEST, n=2, author=Author.AGENT, kind=Kind.TEXT))
    chunks = list(chunks_of("r_1", Turn(3, Author.PERSON, steps, NOON)))
    assert [(c.run, c.turn, c.step, c.part, c.author) for c in chunks] == [
        ("r_1", 3, 1, 0, "person"),
        ("r_1", 3, 2, 0, "agent"),
        ("r_1", 3, 2, 1, "agent"),
    ]
    assert chunks[0].at == NOON


@pytest.mark.parametrize("kind", [Kind.META, Kind.THINKING, Kind.INTERRUPT])
def test_harness_text_and_thoughts_are_not_worth_a_chunk(kind: Kind) -> None:
    assert texts(a_step("zebra", kind=kind)) == []


def test_what_we_put_there_ourselves_is_never_found() -> None:
    assert texts(a_step("a recalled note", ours=True)) == []


def test_of_a_long_result_its_beginning_and_its_end_are_kept() -> None:
    result = "first words " + "between " * 2000 + "last words"
    call = ToolCall("Bash", {"command": "make"}, result, error=True)
    text = "".join(texts(a_step(call=call, kind=Kind.TOOL_CALL, author=Author.AGENT)))
    assert "make" in text
    assert "first words" in text
    assert "last words" in text
    assert len(text) < 4000


def test_a_file_that_is_only_read_out_is_kept_by_its_head() -> None:
    call = ToolCall("Read", {"file_path": "a.py"}, "import os\n" * 1000)
    text = "".join(texts(a_step(call=call, kind=Kind.TOOL_CALL)))
    assert "a.py" in text
    assert len(text) < 600


@pytest.mark.fault("E10")
def test_base64_is_left_out() -> None:
    call = ToolCall("Bash", {}, "before " + "QUJD" * 500 + " behind")
    text = "".join(texts(a_step(call=call, kind=Kind.TOOL_CALL)))
    assert "before … behind" in text


def test_a_chunk_knows_whose_tool_it_is_of() -> None:
    steps = (a_step("said"), a_step(author=Author.TOOL, kind=Kind.TOOL_CALL, n=2, call=ToolCall("Bash", {"a": "ls"})))
    assert [c.tool for c in chunks_of("r_1", Turn(3, Author.PERSON, steps, NOON))] == ["", "Bash"]


def test_what_a_turn_does_again_with_the_same_result_is_found_once() -> None:
    def built(n: int, result: str) -> Step:
        return a_step(author=Author.TOOL, kind=Kind.TOOL_CALL, n=n, call=ToolCall("Bash", {"a": "make"}, result))

    found = chunks_of("r_1", Turn(3, Author.PERSON, (built(1, "ok"), built(2, "failed"), built(3, "ok")), NOON))
    assert [chunk.step for chunk in found] == [1, 2]


@pytest.mark.parametrize("name", ["Read", "read", "view", "read_file"])
def test_of_a_file_that_was_only_looked_at_the_beginning_is_enough_whatever_the_tool_is_called(name: str) -> None:
    call = ToolCall(name, {"path": "/a.py"}, "first line\n" + "x y " * 2000 + "last")
    (text,) = texts(a_step(author=Author.TOOL, kind=Kind.TOOL_CALL, call=call))
    assert "first line" in text
    assert len(text) < 500


def test_files_a_step_touched_are_known_by_who_changed_them() -> None:
    calls = [
        ToolCall("Read", {}, files=("/a.py",)),
        ToolCall("Edit", {}, files=("/a.py", "/b.py"), changes=True),
        ToolCall("Bash", {}),
    ]
    steps = tuple(a_step(author=Author.TOOL, kind=Kind.TOOL_CALL, n=n, call=call) for n, call in enumerate(calls, 1))
    found = list(touches_of("r_1", Turn(3, Author.PERSON, (*steps, replace(steps[1], ours=True)), NOON)))
    assert [(t.step, t.path, t.changed, t.tool, t.at) for t in found] == [
        (1, "/a.py", False, "Read", NOON),
        (2, "/a.py", True, "Edit", NOON),
        (2, "/b.py", True, "Edit", NOON),
    ]
