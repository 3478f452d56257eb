"""A tool call as a person reads it, whatever agent made it."""

from __future__ import annotations

import pytest

from memlane.domain import ToolCall
from memlane.domain.door import named as visible
from memlane.surfaces.web.calls import LONGEST, called
from memlane.surfaces.web.formats import one_line


@pytest.mark.parametrize(
    ("given", "brief"),
    [
        ({"command": "npm test", "description": "x"}, "npm test"),
        ({"command": ["bash", "-lc", "ls"]}, "bash -lc ls"),
        ({"file_path": "/home/dev/app/src/a.py", "old_string": "a", "new_string": "b"}, "src/a.py"),
        ({"pattern": "TODO", "path": "src"}, "src"),
        ({"input": "*** Begin Patch\n*** Update File: a.py\n-x\n+y\n*** End Patch"}, "a.py"),
        ({}, ""),
    ],
)
def test_it_is_known_by_what_says_most(given: dict[str, object], brief: str) -> None:
    assert called(ToolCall("T", given, files=("a.py",)), "/home/dev/app").brief == brief


def test_an_edit_is_a_diff() -> None:
    shown = called(ToolCall("Edit", {"file_path": "a", "old_string": "one\ntwo\n", "new_string": "one\nthree\n"}))
    assert [(line.sign, line.text) for line in shown.diff if line.sign in "+-"] == [("-", "two"), ("+", "three")]
    assert (shown.added, shown.removed, shown.given) == (1, 1, "")


def test_a_new_file_is_all_added_and_several_edits_are_one_diff() -> None:
    assert called(ToolCall("Write", {"file_path": "a", "content": "x\ny"})).added == 2
    edits = [{"old_string": "a", "new_string": "b"}, {"old_string": "c", "new_string": "d"}]
    assert called(ToolCall("MultiEdit", {"file_path": "a", "edits": edits})).removed == 2


def test_a_patch_is_a_diff_too() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n z\n*** End Patch"
    assert [line.sign for line in called(ToolCall("apply_patch", {"input": patch})).diff].count("+") == 1


def test_a_long_result_is_cut_and_says_by_how_much() -> None:
    call = ToolCall("Bash", {"command": "yes"}, result="y" * (LONGEST + 5))
    assert (len(called(call).result), called(call).more) == (LONGEST, 5)
    assert (len(called(call, whole=True).result), called(call, whole=True).more) == (LONGEST + 5, 0)


def test_half_a_character_is_no_reason_to_fail() -> None:
    assert called(ToolCall("T", {"a": "\ud800", "b": [1, None, {"c": "\ud800"}]})).given


def test_what_cannot_be_seen_is_named() -> None:
    assert visible("a\x1b[31mb\u202ec") == "a⟨U+001B⟩[31mb⟨right-to-left override⟩c"
    assert one_line("a\n\n  b\tc" + "x" * 500, 10) == "a b cxxxx…"


def test_colours_of_a_terminal_are_left_out_and_things_to_do_are_ticked_off() -> None:
    assert (
        called(ToolCall("Bash", {"command": "ls"}, result="\x1b[1;31mred\x1b[0m, \x07rung")).result == "red, \x07rung"
    )
    todos = [{"content": "write it", "status": "completed"}, {"content": "read it", "status": "pending"}]
    assert called(ToolCall("TodoWrite", {"todos": todos})).given == "✓ write it\n○ read it"
