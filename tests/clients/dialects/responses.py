"""OpenAI Responses, as Codex speaks it: function calls, free-form custom tools, and tools in a namespace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from tests.clients.dialects.reply import OUTPUT_TOKENS, Body, Reply, event, mapping, objects, texts
from tests.clients.script import Call, Conversation, Entry, Who

Item = Mapping[str, object]


def read(body: Body) -> Conversation:
    asked = body.get("input")
    items = [{"role": "user", "content": asked}] if isinstance(asked, str) else objects(asked)
    wanted = mapping(mapping(body.get("text")).get("format"))
    schema = mapping(wanted.get("schema")) if wanted.get("type") == "json_schema" else None
    return Conversation(tuple(entry for item in items for entry in _entries(item)), bool(body.get("tools")), schema)


def _entries(item: Body) -> Iterator[Entry]:
    kind = str(item.get("type", "message"))
    if kind.endswith("_output"):
        yield Entry(Who.TOOL)
    elif kind.endswith("_call"):
        yield Entry(Who.CALLING)
    elif kind == "message" and item.get("role") == "user":
        yield from (Entry(Who.USER, text) for text in texts(item.get("content")))
    elif kind == "message" and item.get("role") == "assistant":
        yield Entry(Who.DONE)


def _item(reply: Reply) -> Item:
    if isinstance(reply.content, str):
        return {
            "type": "message",
            "id": reply.id("msg"),
            "role": "assistant",
            "status": "completed",
            "content": [_part(reply.content)],
        }
    return _call(reply, reply.content, objects(reply.request.get("tools")))


def _call(reply: Reply, call: Call, tools: Sequence[Body]) -> Item:
    types = {tool.get("name"): tool.get("type") for tool in tools}
    space, _, inner = call.tool.partition(".")  # mcp__server.tool: Codex offers servers as namespaces
    named = {"name": inner, "namespace": space} if types.get(space) == "namespace" else {"name": call.tool}
    common = {"call_id": reply.id("call"), "status": "completed", **named}
    if types.get(call.tool) == "custom":
        text = call.input.get("input", json.dumps(call.input))
        return {"type": "custom_tool_call", "id": reply.id("ctc"), "input": text, **common}
    return {"type": "function_call", "id": reply.id("fc"), "arguments": json.dumps(call.input), **common}


def _part(text: str) -> Item:
    return {"type": "output_text", "text": text, "annotations": []}


def _response(reply: Reply, status: str, **fields: object) -> Mapping[str, object]:
    common = {"id": reply.id("resp"), "object": "response", "created_at": 0, "model": reply.model, "status": status}
    return {**common, "output": [], "parallel_tool_calls": False, "tools": [], "tool_choice": "auto", **fields}


def whole(reply: Reply) -> Mapping[str, object]:
    usage = {
        "input_tokens": reply.input_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": OUTPUT_TOKENS,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": reply.input_tokens + OUTPUT_TOKENS,
    }
    return _response(reply, "completed", output=[_item(reply)], usage=usage)


def stream(reply: Reply) -> Iterator[str]:
    for number, (kind, fields) in enumerate(_events(reply)):
        yield event({"type": kind, "sequence_number": number, **fields}, name=kind)


def _events(reply: Reply) -> Iterator[tuple[str, Mapping[str, object]]]:
    item = _item(reply)
    blank: Item = {"status": "in_progress", "arguments": "", "input": "", "content": []}
    place = {"item_id": item["id"], "output_index": 0}
    yield "response.created", {"response": _response(reply, "in_progress")}
    yield "response.output_item.added", {"output_index": 0, "item": {k: blank.get(k, v) for k, v in item.items()}}
    if isinstance(reply.content, str):
        part = {**place, "content_index": 0}
        yield "response.content_part.added", {**part, "part": _part("")}
        yield "response.output_text.delta", {**part, "delta": reply.content}
        yield "response.output_text.done", {**part, "text": reply.content}
        yield "response.content_part.done", {**part, "part": _part(reply.content)}
    elif item["type"] == "function_call":
        yield "response.function_call_arguments.delta", {**place, "delta": item["arguments"]}
        yield "response.function_call_arguments.done", {**place, "arguments": item["arguments"]}
    yield "response.output_item.done", {"output_index": 0, "item": item}
    yield "response.completed", {"response": whole(reply)}
