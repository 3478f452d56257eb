"""The fake model speaks four APIs, each well enough for its client, from one script."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.clients.fake_model import FakeModel
from tests.clients.script import Call, Script, parse, sample

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = 'go @@call Bash {"command": "ls"}@@ @@say done@@'
TOOLS = [{"name": "Bash"}]


def ask(model: FakeModel, path: str, body: Mapping[str, object]) -> str:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode())
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as answer:
        return answer.read().decode()


def events(stream: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data: ") for line in stream.splitlines() if line.startswith("data: {")]
    return [json.loads(line) for line in lines]


def test_a_script_inside_a_calls_json_is_left_to_whoever_gets_it() -> None:
    inner = 'look @@call Read {"path": "x"}@@ @@say below@@'
    assert parse(f"@@call Task {json.dumps({'prompt': inner})}@@ then @@say above@@") == Script(
        (Call("Task", {"prompt": inner}),), "above"
    )


def test_a_prompt_that_was_quoted_again_is_still_a_script() -> None:
    quoted = '@@call bash {\\"command\\": \\"ls\\"}@@ @@say done@@'
    assert parse(quoted) == Script((Call("bash", {"command": "ls"}),), "done")


def test_a_side_request_gets_json_of_the_shape_it_wants() -> None:
    schema = {
        "properties": {"who": {"enum": ["user", "model"]}, "title": {"type": "string"}, "ok": {"type": "boolean"}}
    }
    assert sample(schema) == {"who": "user", "title": "fake", "ok": True}


def test_anthropic_is_called_then_told_the_last_words(model: FakeModel) -> None:
    asked = {"role": "user", "content": SCRIPT}
    body = {"stream": True, "tools": TOOLS, "messages": [asked]}
    start, block, delta, *_, end = events(ask(model, "/v1/messages?beta=true", body))
    assert (start["type"], end["type"]) == ("message_start", "message_stop")
    assert block["content_block"]["name"] == "Bash"
    assert json.loads(delta["delta"]["partial_json"]) == {"command": "ls"}
    called = {"role": "assistant", "content": [{"type": "tool_use"}]}
    result = {"role": "user", "content": [{"type": "tool_result", "content": "x"}]}
    whole = json.loads(ask(model, "/v1/messages", {"tools": TOOLS, "messages": [asked, called, result]}))
    assert (whole["content"], whole["stop_reason"]) == ([{"type": "text", "text": "done"}], "end_turn")


def test_responses_are_called_then_told_the_last_words(model: FakeModel) -> None:
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": SCRIPT}]}
    stream = events(ask(model, "/v1/responses", {"stream": True, "tools": TOOLS, "input": [asked]}))
    assert [event["sequence_number"] for event in stream] == list(range(len(stream)))
    assert stream[-1]["response"]["output"][0]["arguments"] == '{"command": "ls"}'
    after = [asked, {"type": "function_call"}, {"type": "function_call_output"}]
    whole = json.loads(ask(model, "/v1/responses", {"tools": TOOLS, "input": after}))
    assert whole["output"][0]["content"][0]["text"] == "done"


def test_a_responses_tool_may_be_free_form_or_in_a_namespace(model: FakeModel) -> None:
    tools = [{"type": "custom", "name": "patch"}, {"type": "namespace", "name": "mcp__lane"}]
    for script, expected in (
        ('@@call patch {"input": "*** Begin"}@@', {"type": "custom_tool_call", "input": "*** Begin"}),
        ('@@call mcp__lane.search {"q": "x"}@@', {"type": "function_call", "namespace": "mcp__lane", "name": "search"}),
    ):
        whole = json.loads(ask(model, "/v1/responses", {"tools": tools, "input": script}))
        assert expected.items() <= whole["output"][0].items()


def test_chat_is_called_then_told_the_last_words(model: FakeModel) -> None:
    asked = {"role": "user", "content": SCRIPT}
    body = {"stream": True, "tools": TOOLS, "messages": [asked]}
    stream = events(ask(model, "/v1/chat/completions", body))
    assert stream[1]["choices"][0]["delta"]["tool_calls"][0]["function"]["name"] == "Bash"
    after = [asked, {"role": "assistant", "tool_calls": [{}]}, {"role": "tool", "content": "x"}]
    whole = json.loads(ask(model, "/v1/chat/completions", {"tools": TOOLS, "messages": after}))
    assert whole["choices"][0]["message"]["content"] == "done"


def test_gemini_is_called_then_told_the_last_words(model: FakeModel) -> None:
    asked = {"role": "user", "parts": [{"text": SCRIPT}]}
    (event,) = events(
        ask(model, "/v1beta/models/g:streamGenerateContent?alt=sse", {"tools": TOOLS, "contents": [asked]})
    )
    assert event["candidates"][0]["content"]["parts"][0]["functionCall"]["args"] == {"command": "ls"}
    after = [
        asked,
        {"role": "model", "parts": [{"functionCall": {}}]},
        {"role": "user", "parts": [{"functionResponse": {}}]},
    ]
    whole = json.loads(ask(model, "/v1beta/models/g:generateContent", {"tools": TOOLS, "contents": after}))
    assert whole["candidates"][0]["content"]["parts"] == [{"text": "done"}]


def test_without_a_script_it_names_every_mark_it_was_sent(model: FakeModel) -> None:
    body = {"system": "MARK-b here", "messages": [{"role": "user", "content": "hi MARK-a"}]}
    assert json.loads(ask(model, "/v1/messages", body))["content"][0]["text"] == "saw: MARK-a MARK-b"
    assert model.requests[-1].marks == ["MARK-a", "MARK-b"]


def test_an_old_script_is_over_once_the_model_has_finished(model: FakeModel) -> None:
    messages = [
        {"role": "user", "content": SCRIPT},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        {"role": "user", "content": "and now"},
    ]
    assert json.loads(ask(model, "/v1/messages", {"tools": TOOLS, "messages": messages}))["stop_reason"] == "end_turn"


def test_tokens_are_counted_and_turns_told_from_side_requests(model: FakeModel) -> None:
    assert json.loads(ask(model, "/v1/messages/count_tokens", {"messages": []}))["input_tokens"] > 0
    ask(model, "/v1/messages", {"tools": TOOLS, "messages": []})
    assert [request.path for request in model.turns] == ["/v1/messages"]


def test_what_lies_outside_is_refused_by_name(model: FakeModel) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": model.url, "https": model.url}))
    for address in ("http://outside.example/x", "https://outside.example/x"):
        with pytest.raises(urllib.error.URLError):
            opener.open(address)
    assert model.refused == ["http://outside.example/x", "outside.example:443"]
    assert model.requests == []


def test_it_also_runs_by_hand(tmp_path: Path) -> None:
    log = tmp_path / "requests.jsonl"
    command = [sys.executable, "-m", "tests.clients.fake_model", "--log", str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        ask(FakeModel(url=url), "/v1/messages", {"messages": [{"role": "user", "content": "MARK-x"}]})
        process.terminate()
        assert process.wait(10) == 0
    assert json.loads(log.read_text())["path"] == "/v1/messages"
