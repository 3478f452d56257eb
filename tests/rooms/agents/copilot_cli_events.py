"""Sessions of Copilot CLI for the tests: recorded with the real client 1.0.102, one as 1.0.6x wrote, and small ones."""

from __future__ import annotations

import json
from pathlib import Path, PurePath
from typing import Any

from memlane.agents.agent import Transcript
from memlane.agents.copilot_cli.source import Copilot
from memlane.domain import Facts, Step, Turn
from tests.rooms.agents.mutations import lines_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts" / "copilot-cli"

RECORDED = "769ea1d9-dd64-414f-977e-19e7c5ce7830"  # tools, refusal, form, `!`, subagent, steering, abort, plan, skill
FORKED = "f4f13240-61c6-4f34-b3a3-8f8c591a5ca7"  # by /fork out of the recorded one
OLDER = "c3f00000-1111-4222-8333-000000000001"  # a flat file

ALL = sorted(FOLDER.rglob("*.jsonl"))


def transcript_of(path: Path) -> Transcript:
    found = Copilot().recognise(PurePath(path).relative_to(FOLDER))
    assert isinstance(found, Transcript), path
    return found


PATHS = {transcript_of(path).native_id: path for path in ALL}


def read(source: str | bytes) -> tuple[list[Turn], Facts]:
    """A fixture by its id, or bytes."""
    data = PATHS[source].read_bytes() if isinstance(source, str) else source
    reading = Copilot().read(lines_of(data), Transcript(source if isinstance(source, str) else "any"))
    turns = list(reading.turns())
    return turns, reading.facts()


def steps(turns: list[Turn]) -> list[Step]:
    return [step for turn in turns for step in turn.steps]


def typed(turns: list[Turn]) -> list[str]:
    return [turn.person for turn in turns if turn.person]


def answers(turns: list[Turn]) -> list[str]:
    return [step.text for step in steps(turns) if step.kind.value == "answer"]


# -- events, for sessions of a few lines -------------------------------------------------------------------------------

Json = dict[str, Any]
START = "2026-07-04T10:00:00.000Z"


def session(*events: Json, **start: Any) -> bytes:
    """A beginning, then these events, a second apart."""
    told = {"sessionId": "any", "copilotVersion": "1.0.102", "startTime": START, "context": {"cwd": "/home/dev"}}
    first = event("session.start", **{**told, **start})
    lines = [{**first, "timestamp": START}]
    for n, each in enumerate(events, 1):
        lines.append({"id": f"e{n}", "timestamp": f"2026-07-04T10:{n // 60:02}:{n % 60:02}.000Z", **each})
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def event(kind: str, agent: str = "", **data: Any) -> Json:
    return {"type": kind, "data": data, **({"agentId": agent} if agent else {})}


def user(words: str, agent: str = "", **more: Any) -> Json:
    return event("user.message", agent, content=words, **more)


def says(words: str, *requests: Json, agent: str = "", **more: Any) -> Json:
    return event("assistant.message", agent, **{"content": words, "toolRequests": list(requests), "model": "m", **more})


def request(name: str, arguments: Any, call_id: str = "c1") -> Json:
    return {"toolCallId": call_id, "name": name, "arguments": arguments}


def done(result: str, call_id: str = "c1", agent: str = "", **more: Any) -> Json:
    told = {"toolCallId": call_id, "success": True, "result": {"content": result}, **more}
    return event("tool.execution_complete", agent, **told)


def call(name: str, arguments: Any, result: str, **more: Any) -> tuple[Json, Json]:
    return says("", request(name, arguments)), done(result, **more)
