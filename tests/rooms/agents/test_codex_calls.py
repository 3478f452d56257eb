"""Tool calls of Codex: one step each, with result, error, and the files they touch, whatever record tells it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memlane.domain import Kind, ToolCall
from tests.rooms.agents.codex_rollouts import (
    BARE,
    BRIEFED,
    LEGACY,
    RESUMED,
    call,
    event,
    item,
    message,
    meta,
    prompt,
    read,
    rollout,
    steps,
)


def calls(source: str | bytes) -> list[ToolCall]:
    return [step.call for step in steps(read(source)[0]) if step.call]


def one(*records: dict[str, Any]) -> ToolCall:
    (only,) = calls(rollout(meta(), *prompt("go"), *records))
    return only


def test_a_call_and_everything_said_about_it_is_one_step() -> None:
    read_file, patch, test = calls(LEGACY)[:3]
    assert (read_file.name, read_file.result, read_file.files) == (
        "shell_command",
        "total = sum(prices)\n",
        ("/home/dev/shop/shop/basket.py",),
    )
    assert not read_file.changes
    assert patch.files == ("/home/dev/shop/shop/basket.py", "/home/dev/shop/tests/test_basket.py")
    assert patch.changes
    assert (test.error, test.result) == (True, "Exit code: 1\n1 failed\n")


def test_a_recorded_failure_is_an_error() -> None:
    assert [(each.result, each.error) for each in calls(RESUMED)] == [
        ("hi\n", False),
        ("Exit code: 3\n", True),
        ("a.txt\n", False),
    ]


def test_a_patch_run_as_a_command_changes_its_files() -> None:
    patch = calls(BRIEFED)[-1]
    assert patch.files == ("/home/dev/shop/shop.py", "/home/dev/shop/notes/why.md")
    assert (patch.changes, patch.error) == (True, False)
    assert patch.result.startswith("Success.")


def test_a_script_owns_what_its_calls_did() -> None:
    (script,) = [each for each in calls(LEGACY) if each.name == "exec"]
    assert script.files == ("/home/dev/shop/deploy.toml",)
    assert script.error  # one of its commands ended with 2
    assert not script.changes  # a call that failed did not surely write


def test_what_a_script_patched_is_known_from_the_event_alone() -> None:
    script = item("custom_tool_call", name="exec", input="await tools.apply_patch(patch)", call_id="c1")
    patched = event("patch_apply_end", call_id="exec-1f", success=True, changes={"/home/dev/shop/a.py": {}})
    told = one(script, patched)
    assert (told.files, told.changes) == (("/home/dev/shop/a.py",), True)


def test_an_old_shell_call_and_a_search_are_calls() -> None:
    (shell,) = calls(BARE)
    assert (shell.name, shell.result) == ("local_shell", "Python 3.11.2\n")
    (search,) = [each for each in calls(LEGACY) if each.name == "web_search"]
    assert search.input == {"type": "search", "query": "canary rollout"}


def test_a_tool_of_a_server_is_named_with_its_server() -> None:
    opened = item("function_call", name="search", namespace="mcp__docs", arguments="{}", call_id="c1")
    assert one(opened).name == "mcp__docs.search"
    assert one(item("function_call", name="spawn", namespace="helpers", arguments="{}", call_id="c1")).name == "spawn"


@pytest.mark.parametrize(
    ("output", "result", "error"),
    [
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nfine", "fine", False),
        ("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nbad", "Exit code: 2\nbad", True),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1 it says", "Exit code: 1 it says", False),
        ("Chunk ID: 1\nProcess running with session ID 7\nOutput:\nstill going", "still going", False),
        ('{"output":"no","metadata":{"exit_code":1}}', "no", True),
        ({"content": "no", "success": False}, "no", True),
        ([{"type": "input_text", "text": "seen"}, {"type": "input_image"}], "seen\n[image]", False),
        ("apply_patch verification failed: no such lines", "apply_patch verification failed: no such lines", True),
        ("exec_command failed for `ls`: rejected by user", "exec_command failed for `ls`: rejected by user", True),
        ("unsupported call: dance", "unsupported call: dance", True),
        ("aborted by user after 2.0s", "aborted by user after 2.0s", False),  # the interruption is a step of its own
        ("Plan updated", "Plan updated", False),
        (None, "", False),
        (7, "", False),
    ],
)  # fmt: skip
def test_an_output_tells_the_result_and_whether_it_failed(output: object, result: str, error: bool) -> None:
    told = one(*call("exec_command", {"cmd": "x"}, output))
    assert (told.result, told.error) == (result, error)


@pytest.mark.parametrize(
    "told",
    [
        {"type": "exec_command_end", "exit_code": 1},
        {"type": "exec_command_end", "status": "declined"},
        {"type": "patch_apply_end", "success": False},
        {"type": "mcp_tool_call_end", "result": {"Err": "timed out"}},
        {"type": "mcp_tool_call_end", "result": {"Ok": {"isError": True, "content": []}}},
        {"type": "item_completed", "item": {"type": "CommandExecution", "id": "c1", "exit_code": 2}},
        {"type": "item_completed", "item": {"type": "FileChange", "id": "c1", "status": "failed"}},
        {"type": "item_completed", "item": {"type": "McpToolCall", "id": "c1", "status": "failed"}},
    ],
)
def test_an_event_can_tell_of_a_failure_the_output_hides(told: dict[str, Any]) -> None:
    opened, output = call("tool", {}, "looks fine")
    assert one(opened, event(**{"kind": told["type"], "call_id": "c1", **_without_type(told)}), output).error
    assert not one(opened, output).error


def _without_type(told: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key != "type"}


def test_a_call_without_output_has_what_the_client_saw() -> None:
    opened, _ = call("shell_command", {"command": "ls"}, "")
    seen = event("exec_command_end", call_id="c1", exit_code=0, aggregated_output="a.txt\n")
    assert one(opened, seen).result == "a.txt\n"


def test_parallel_calls_get_their_own_results() -> None:
    first, first_out = call("a", {}, "1", "c1")
    second, second_out = call("b", {}, "2", "c2")
    found = calls(rollout(meta(), *prompt("go"), first, second, second_out, first_out))
    assert [(each.name, each.result) for each in found] == [("a", "1"), ("b", "2")]


def test_an_output_whose_call_is_not_in_the_turn_is_not_lost() -> None:
    opened, output = call("slow", {}, "late")
    turns, _ = read(rollout(meta(), *prompt("one"), opened, *prompt("two"), output))
    assert [(step.call.name, step.call.result) for step in steps(turns) if step.call] == [
        ("slow", ""),
        ("unknown", "late"),
    ]


@pytest.mark.parametrize("arguments", ["not json", "[1]", "", '{"a":' * 5000, None, 7, ["ls"]])
def test_arguments_of_any_shape_are_kept(arguments: object) -> None:
    told = one(item("function_call", name="odd", arguments=arguments, call_id="c1"))
    assert list(told.input) == ["arguments"]


def test_moved_files_are_touched_at_both_ends() -> None:
    opened, output = call("apply_patch", {}, "Success")
    moved = event("patch_apply_end", call_id="c1", success=True, changes={"/a/old.py": {"move_path": "/a/new.py"}})
    assert one(opened, moved, output).files == ("/a/old.py", "/a/new.py")


def test_relative_paths_are_told_from_the_folder_of_the_call() -> None:
    patch = "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: ../x.py\n*** End Patch\nE"
    assert one(*call("exec_command", {"cmd": patch, "workdir": "/srv/app"}, "")).files == ("/srv/x.py",)
    assert one(*call("exec_command", {"cmd": patch}, "")).files == ("/home/dev/x.py",)


def test_each_step_knows_its_line_its_time_and_its_model() -> None:
    turns, _ = read(RESUMED)
    first = turns[0].steps[1]
    assert (first.line, first.model, first.native_id) == (10, "gpt-5", "call_992424c3e472")
    assert all(step.at and step.native_id for step in steps(turns))


def test_a_whole_screen_of_base64_does_not_become_text() -> None:
    image = [{"type": "input_image", "image_url": "data:image/png;base64," + "A" * 10_000}]
    assert one(*call("view_image", {"path": "a.png"}, image)).result == "[image]"


def test_a_tool_search_is_answered_by_its_tools() -> None:
    turns, _ = read(
        rollout(
            meta(),
            *prompt("go"),
            item("tool_search_call", call_id="c1", arguments={"query": "mail"}),
            item("tool_search_output", call_id="c1", tools=[{"name": "send"}]),
            message("assistant", "."),
        )
    )
    assert [step.kind for step in steps(turns)] == [Kind.PROMPT, Kind.TOOL_CALL, Kind.TEXT]
    assert json.dumps(dict(steps(turns)[1].call.input)) == '{"query": "mail"}'  # type: ignore[union-attr]
