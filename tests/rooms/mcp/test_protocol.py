"""What goes over the line, whatever the revision and however broken the message."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given as over
from hypothesis import settings
from hypothesis import strategies as some

from memlane.surfaces.mcp import AgentDesk
from memlane.surfaces.mcp.protocol import STATELESS, WITH_HANDSHAKE, answered
from memlane.surfaces.mcp.tools import TOOLS
from memlane.surfaces.mcp.transport import LARGEST, posted, serve
from tests.examples import examples

NEW = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "some-agent", "version": "1"},
}
ANYTHING = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=20),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)


def nobody() -> AgentDesk:
    def closed() -> Any:
        raise AssertionError("nothing here needs a home")

    return AgentDesk(closed)


def ask(method: str, params: dict[str, Any] | None = None, desk: AgentDesk | None = None) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": method}
    reply = answered(message | ({"params": params} if params is not None else {}), desk or nobody()).reply
    assert isinstance(reply, dict)
    return reply  # type: ignore[return-value]


@pytest.mark.parametrize("version", WITH_HANDSHAKE)
def test_a_caller_gets_the_revision_it_asks_for(version: str) -> None:
    desk = nobody()
    hello = ask("initialize", {"protocolVersion": version, "clientInfo": {"name": "codex-mcp-client"}}, desk)["result"]
    assert hello["protocolVersion"] == version
    assert desk.agent == "codex-mcp-client"


def test_a_caller_from_the_future_gets_the_newest_with_a_handshake() -> None:
    assert ask("initialize", {"protocolVersion": "2031-01-01"})["result"]["protocolVersion"] == WITH_HANDSHAKE[0]


def test_the_newest_revision_needs_no_handshake_and_stamps_every_result() -> None:
    found = ask("server/discover", {"_meta": NEW})["result"]
    assert (found["supportedVersions"], found["resultType"]) == ([STATELESS], "complete")
    tools = ask("tools/list", {"_meta": NEW})["result"]
    assert tools["cacheScope"] == "private"
    assert tools["ttlMs"] > 0
    assert "resultType" not in ask("tools/list")["result"]  # older callers never see it


def test_another_revision_in_the_envelope_is_told_which_there_are() -> None:
    meta = NEW | {"io.modelcontextprotocol/protocolVersion": "2029-01-01"}
    error = ask("tools/list", {"_meta": meta})["error"]
    assert (error["code"], error["data"]) == (-32022, {"supported": [STATELESS], "requested": "2029-01-01"})


def test_the_twelve_tools_are_listed_with_strict_schemas_and_few_words() -> None:
    tools = ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == [
        *("search", "recall", "remember", "forget", "share", "standing", "feedback"),
        *("record_outcome", "read_run", "entities", "catch_next", "catch_submit"),
    ]
    assert all(tool["inputSchema"]["additionalProperties"] is False for tool in tools)
    assert max(len(tool["description"]) for tool in tools) <= 120
    assert len(json.dumps(tools)) < 8_900  # characters that stand in every request of an agent


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([], -32600),
        ("hello", -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "nope"}, -32601),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}, -32602),
        ({"jsonrpc": "2.0", "id": 1, "method": "server/discover"}, -32602),
    ],
)
def test_what_cannot_be_answered_is_an_error_with_its_code(message: object, code: int) -> None:
    reply = answered(message, nobody()).reply
    assert isinstance(reply, dict)
    assert reply["error"]["code"] == code  # type: ignore[index]


def test_a_notification_is_never_answered() -> None:
    assert answered({"jsonrpc": "2.0", "method": "notifications/initialized"}, nobody()).reply is None
    assert answered([{"jsonrpc": "2.0", "method": "notifications/cancelled"}], nobody()).reply is None


def test_a_batch_is_answered_in_one() -> None:
    batch = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (1, 2)]
    assert [one["id"] for one in answered(batch, nobody()).reply] == [1, 2]  # type: ignore[union-attr, index]


@over(ANYTHING)
@settings(max_examples=examples(50), deadline=None)
def test_no_message_ends_the_conversation(message: object) -> None:
    for given in (message, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": message}):
        answered(given, nobody())


@over(some.sampled_from(sorted(TOOLS)), some.dictionaries(some.text(max_size=8), ANYTHING, max_size=3))
@settings(max_examples=examples(75), deadline=None)
def test_what_no_schema_names_never_reaches_a_home(tool: str, given: dict[str, object]) -> None:
    odd = {**given, "not an argument": 1}
    reply = ask("tools/call", {"name": tool, "arguments": odd})["result"]
    assert reply["isError"]
    assert "not an argument" in reply["content"][0]["text"]


# -- on a pipe ---------------------------------------------------------------------------------------------------------


def piped(*lines: bytes) -> list[dict[str, Any]]:
    told = io.BytesIO()
    serve(nobody(), io.BytesIO(b"\n".join(lines) + b"\n"), told)
    return [json.loads(line) for line in told.getvalue().splitlines()]


def test_each_line_is_answered_by_a_line_and_garbage_stops_nobody() -> None:
    ping = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'
    broken, well = piped(b"\xff{", b"", ping)
    assert (broken["error"]["code"], broken["id"]) == (-32700, None)
    assert well == {"jsonrpc": "2.0", "id": 7, "result": {}}


def test_a_line_that_is_too_long_is_passed_over_and_the_next_is_answered() -> None:
    ping = b'{"jsonrpc":"2.0","id":7,"method":"ping"}'
    assert [one.get("id") for one in piped(b"x" * (LARGEST + 10), ping)] == [None, 7]


def test_deep_nesting_is_not_json_to_us() -> None:
    (only,) = piped(b"[" * 100_000)
    assert only["error"]["code"] == -32700


# -- as one POST -------------------------------------------------------------------------------------------------------


def post(message: object, **headers: str) -> tuple[int, Any]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    told = posted(json.dumps(message).encode(), named, nobody())
    return told.status, json.loads(told.body) if told.body else None


def test_a_notification_over_http_is_accepted_and_has_no_body() -> None:
    assert post({"jsonrpc": "2.0", "method": "notifications/initialized"}) == (202, None)


def test_the_newest_revision_must_say_the_same_in_its_headers() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": NEW}}
    assert post(message, mcp_protocol_version=STATELESS, mcp_method="tools/list")[0] == 200
    status, told = post(message, mcp_protocol_version=STATELESS, mcp_method="tools/call")
    assert (status, told["error"]["code"]) == (400, -32020)


def test_an_unknown_revision_in_the_header_is_refused() -> None:
    status, told = post({"jsonrpc": "2.0", "id": 4, "method": "ping"}, mcp_protocol_version="1999-01-01")
    assert (status, told["id"], told["error"]["code"]) == (400, 4, -32022)


def test_a_home_that_is_not_there_is_a_tool_error_with_a_hint(tmp_path: Path) -> None:
    from tests.flow.homes import a_lane

    with a_lane(tmp_path) as lane:
        reply = ask("tools/call", {"name": "search", "arguments": {"query": "x"}}, AgentDesk(lambda: lane))["result"]
    assert reply["isError"]
    assert "hint: lane init" in reply["content"][0]["text"]
