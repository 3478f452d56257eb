"""Anthropic Messages, as Claude Code speaks it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tests.clients.dialects.reply import OUTPUT_TOKENS, Body, Reply, event, mapping, objects, texts
from tests.clients.script import Call, Conversation, Entry, Who

PIECE = 40  # characters of text per event, so that a stream is really one


def read(body: Body) -> Conversation:
    entries = [entry for message in objects(body.get("messages")) for entry in _entries(message)]
    wanted = mapping(mapping(body.get("output_config")).get("format")) or mapping(body.get("output_format"))
    return Conversation(tuple(entries), bool(body.get("tools")), mapping(wanted.get("schema")) if wanted else None)


def _entries(message: Body) -> Iterator[Entry]:
    content = message.get("content")
    kinds = [part.get("type") for part in objects(content)]
    if message.get("role") == "assistant":
        yield Entry(Who.CALLING if "tool_use" in kinds else Who.DONE)
    if message.get("role") == "user":  # mid-conversation there are system messages too: what hooks added
        yield from (Entry(Who.TOOL) for kind in kinds if kind == "tool_result")
        yield from (Entry(Who.USER, text) for text in texts(content))


def _block(reply: Reply) -> Mapping[str, object]:
    if isinstance(reply.content, Call):
        call = reply.content
        return {"type": "tool_use", "id": reply.id("toolu"), "name": call.tool, "input": call.input}
    return {"type": "text", "text": reply.content}


def _stop_reason(reply: Reply) -> str:
    return "tool_use" if isinstance(reply.content, Call) else "end_turn"


def _message(reply: Reply, **fields: object) -> Mapping[str, object]:
    usage = {
        "input_tokens": reply.input_tokens,
        "output_tokens": OUTPUT_TOKENS,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0,
        "service_tier": "standard",
    }
    common = {"id": reply.id("msg"), "type": "message", "role": "assistant", "model": reply.model}
    return {**common, "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage, **fields}


def whole(reply: Reply) -> Mapping[str, object]:
    return _message(reply, content=[_block(reply)], stop_reason=_stop_reason(reply))


def stream(reply: Reply) -> Iterator[str]:
    yield _event("message_start", message=_message(reply))
    if isinstance(reply.content, Call):
        yield _event("content_block_start", index=0, content_block={**_block(reply), "input": {}})
        yield _delta(type="input_json_delta", partial_json=json.dumps(reply.content.input))
    else:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for start in range(0, len(reply.content), PIECE):
            yield _delta(type="text_delta", text=reply.content[start : start + PIECE])
    yield _event("content_block_stop", index=0)
    ending = {"stop_reason": _stop_reason(reply), "stop_sequence": None}
    yield _event("message_delta", delta=ending, usage={"output_tokens": OUTPUT_TOKENS})
    yield _event("message_stop")


def _delta(**delta: object) -> str:
    return _event("content_block_delta", index=0, delta=delta)


def _event(kind: str, **fields: object) -> str:
    return event({"type": kind, **fields}, name=kind)
