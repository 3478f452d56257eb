"""A Run as an ATIF 1.8 trajectory: steps numbered from 1 without a gap, each result beside the call it answers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import count

from memlane.domain import Author, Kind, RunSummary, Step, ToolCall, Turn

VERSION = "ATIF-v1.8"
_SOURCES = {Author.PERSON: "user", Author.PROGRAM: "user", Author.AGENT: "agent"}


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    """Written piece by piece; a document in the end."""
    head = json.dumps(_head(run), ensure_ascii=False)
    yield head[:-1] + ', "steps": ['
    numbers, between = count(1), ""
    for turn in turns:
        for step in turn.steps:
            yield between + json.dumps(_step(next(numbers), turn, step), ensure_ascii=False)
            between = ",\n"
    yield "]}\n"


def _head(run: RunSummary) -> dict[str, object]:
    agent = {"name": run.agent, "version": run.version or "unknown"}
    tokens = {
        "total_prompt_tokens": run.tokens.input,
        "total_completion_tokens": run.tokens.output,
        "total_cached_tokens": run.tokens.cached,
    }
    return {
        "schema_version": VERSION,
        "session_id": run.native_id,
        "trajectory_id": run.id,
        "agent": {**agent, "model_name": run.models[0]} if run.models else agent,
        "final_metrics": {**{name: n for name, n in tokens.items() if n}, "total_steps": run.steps},
        "extra": {"title": run.title, "project": run.project.name, "parent": run.parent, "relation": run.relation},
    }


def _step(number: int, turn: Turn, step: Step) -> dict[str, object]:
    source = "agent" if step.call else _SOURCES.get(step.author, "system")
    at = step.at or turn.at
    made: dict[str, object] = {"step_id": number, "source": source, "message": step.text}
    if at is not None:
        made["timestamp"] = at.isoformat()
    if source == "agent":
        made |= _of_the_agent(turn, step)
    return {**made, "extra": {"address": f"t{turn.n}.{step.n}", "kind": step.kind.value}}


def _of_the_agent(turn: Turn, step: Step) -> dict[str, object]:
    made: dict[str, object] = {"model_name": step.model} if step.model else {}
    if step.kind is Kind.THINKING:
        made |= {"message": "", "reasoning_content": step.text}
    if step.call is not None:
        made |= _called(f"t{turn.n}.{step.n}", step.call)
    return made


def _called(call_id: str, call: ToolCall) -> dict[str, object]:
    made = {"tool_call_id": call_id, "function_name": call.name, "arguments": dict(call.input)}
    return {
        "tool_calls": [made],
        "observation": {"results": [{"source_call_id": call_id, "content": call.result}]},
    }
