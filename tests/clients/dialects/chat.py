"""OpenAI Chat Completions, as Pi, OpenCode and Copilot speak it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tests.clients.dialects.reply import OUTPUT_TOKENS, Body, Reply, event, mapping, objects, texts
from tests.clients.script import Call, Conversation, Entry, Who


def read(body: Body) -> Conversation:
    entries = [entry for message in objects(body.get("messages")) for entry in _entries(message)]
    wanted = mapping(mapping(body.get("response_format")).get("json_schema"))
    return Conversation(tuple(entries), bool(body.get("tools")), mapping(wanted.get("schema")) if wanted else None)


def _entries(message: Body) -> Iterator[Entry]:
    match message.get("role"):
        case "tool":
            yield Entry(Who.TOOL)
        case "assistant":
            yield Entry(Who.CALLING if message.get("tool_calls") else Who.DONE)
        case "user":
            yield from (Entry(Who.USER, text) for text in texts(message.get("content")))
        case _:
            return


def _said(reply: Reply) -> Mapping[str, object]:
    if isinstance(reply.content, str):
        return {"content": reply.content}
    function = {"name": reply.content.tool, "arguments": json.dumps(reply.content.input)}
    return {"tool_calls": [{"index": 0, "id": reply.id("call"), "type": "function", "function": function}]}


def _completion(reply: Reply, form: str, **fields: object) -> Mapping[str, object]:
    return {"id": reply.id("chatcmpl"), "object": form, "created": 0, "model": reply.model, **fields}


def _usage(reply: Reply) -> Mapping[str, int]:
    total = reply.input_tokens + OUTPUT_TOKENS
    return {"prompt_tokens": reply.input_tokens, "completion_tokens": OUTPUT_TOKENS, "total_tokens": total}


def _finish(reply: Reply) -> str:
    return "tool_calls" if isinstance(reply.content, Call) else "stop"


def whole(reply: Reply) -> Mapping[str, object]:
    message = {"role": "assistant", "content": None, **_said(reply)}
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    return _completion(reply, "chat.completion", choices=[choice], usage=_usage(reply))


def stream(reply: Reply) -> Iterator[str]:
    for delta, finish in (
        ({"role": "assistant", "content": ""}, None),
        (_said(reply), None),
        ({}, _finish(reply)),
    ):
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        yield event(_completion(reply, "chat.completion.chunk", choices=[choice]))
    yield event(_completion(reply, "chat.completion.chunk", choices=[], usage=_usage(reply)))
    yield "data: [DONE]\n\n"
