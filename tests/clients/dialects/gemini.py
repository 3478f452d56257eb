"""Gemini's generateContent, as Gemini CLI speaks it: the stream is one event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.clients.dialects.reply import OUTPUT_TOKENS, Body, Reply, event, mapping, objects
from tests.clients.script import Call, Conversation, Entry, Who


def read(body: Body) -> Conversation:
    entries = [entry for content in objects(body.get("contents")) for entry in _entries(content)]
    wanted = mapping(body.get("generationConfig"))
    is_json = wanted.get("responseMimeType") == "application/json" or "responseJsonSchema" in wanted
    schema = mapping(wanted.get("responseJsonSchema") or wanted.get("responseSchema")) if is_json else None
    return Conversation(tuple(entries), bool(body.get("tools")), schema)


def _entries(content: Body) -> Iterator[Entry]:
    parts = objects(content.get("parts"))
    if content.get("role") == "model":
        yield Entry(Who.CALLING if any("functionCall" in part for part in parts) else Who.DONE)
        return
    for part in parts:
        if "functionResponse" in part:
            yield Entry(Who.TOOL)
        elif isinstance(text := part.get("text"), str):
            yield Entry(Who.USER, text)


def whole(reply: Reply) -> Mapping[str, object]:
    if isinstance(reply.content, Call):
        part = {"functionCall": {"id": reply.id("fc"), "name": reply.content.tool, "args": reply.content.input}}
    else:
        part = {"text": reply.content}
    usage = {
        "promptTokenCount": reply.input_tokens,
        "candidatesTokenCount": OUTPUT_TOKENS,
        "totalTokenCount": reply.input_tokens + OUTPUT_TOKENS,
    }
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    common = {"modelVersion": "fake-model", "responseId": reply.nonce}
    return {"candidates": [candidate], "usageMetadata": usage, **common}


def stream(reply: Reply) -> Iterator[str]:
    yield event(whole(reply))
