"""A Run as neutral lines (docs/formats/neutral-runs.md): what `lane import` reads back into the same Turns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import datetime

from memlane.domain import NO_TOKENS, RunSummary, Step, Tokens, ToolCall, Turn
from memlane.identity import is_path


def pieces(run: RunSummary, turns: Iterable[Turn]) -> Iterator[str]:
    yield _line(_header(run))
    for turn in turns:
        if turn.steps:
            yield _line(_turn(turn), keep=("at",))


def _header(run: RunSummary) -> dict[str, object]:
    return {
        "type": "run",
        "id": run.native_id,
        "agent": run.agent,
        "started": _time(run.started),
        "ended": _time(run.ended),
        "title": run.title,
        "cwd": run.cwd,
        "branch": run.branch,
        "remote": "" if is_path(run.project.key) else run.project.key,
        "account": run.account,
        "version": run.version,
        "models": list(run.models),
        "tokens": _tokens(run.tokens),
        "skills": list(run.skills),
        "commands": list(run.commands),
        "headless": run.headless or None,
        "parent": run.parent_native_id,
        "relation": run.relation,
        "machine": run.machine,
        "run": run.id,
        "tags": list(run.tags),
    }


def _tokens(tokens: Tokens) -> dict[str, int] | None:
    return None if tokens == NO_TOKENS else asdict(tokens)


def _turn(turn: Turn) -> dict[str, object]:
    first = turn.steps[0]
    return {
        "type": "turn",
        "n": turn.n,
        "author": turn.author.value,
        "at": _time(turn.at),
        "id": first.native_id,
        "model": next((step.model for step in turn.steps if step.model), ""),
        "steps": [_without_nothing(_step(step)) for step in turn.steps],
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "author": step.author.value,
        "kind": step.kind.value,
        "at": _time(step.at),
        "text": step.text if step.text or step.call is None else None,
        "tool_call": _call(step.call) if step.call else None,
    }


def _call(call: ToolCall) -> dict[str, object]:
    return {
        "name": call.name,
        "input": dict(call.input),
        "result": call.result,
        "error": call.error,
        "files": list(call.files),
        "changes": call.changes,
    }


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None


def _without_nothing(record: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in record.items() if value is not None}


def _line(record: dict[str, object], keep: tuple[str, ...] = ()) -> str:
    kept = {name: value for name, value in record.items() if value not in (None, "", []) or name in keep}
    return json.dumps(kept, ensure_ascii=False) + "\n"
