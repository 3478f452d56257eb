"""A Run as an STS session: one JSON line for the session, then one for each message, calls and results apart."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from memlane.domain import Author, Kind, RunSummary, Step, Turn

_ROLES = {Author.PERSON: "user", Author.PROGRAM: "user", Author.AGENT: "assistant"}


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    yield _line({"type": "session", "harness": run.agent, "id": run.native_id, "name": run.title})
    for turn in turns:
        for step in turn.steps:
            for message in _messages(turn, step):
                yield _line({"type": "message", "message": message})


def _messages(turn: Turn, step: Step) -> Iterator[dict[str, object]]:
    when = _milliseconds(step.at or turn.at)
    if step.call is not None:
        call_id = f"t{turn.n}.{step.n}"
        function = {"name": step.call.name, "arguments": json.dumps(dict(step.call.input), ensure_ascii=False)}
        calls = [{"id": call_id, "function": function}]
        yield {"role": "assistant", "content": step.text, **_model(step), "toolCalls": calls, **when}
        yield {"role": "tool", "toolCallId": call_id, "content": step.call.result, **when}
    elif step.kind is Kind.THINKING:
        yield {"role": "assistant", "content": "", "reasoningContent": step.text, **_model(step), **when}
    else:
        role = _ROLES.get(step.author, "system")
        yield {"role": role, "content": step.text, **(_model(step) if role == "assistant" else {}), **when}


def _model(step: Step) -> dict[str, object]:
    return {"model": step.model} if step.model else {}


def _milliseconds(at: datetime | None) -> dict[str, object]:
    return {"timestamp": int(at.timestamp() * 1000)} if at else {}


def _line(record: dict[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"
