"""Sessions of Pi for the tests: recorded with the real client 1.5.0, written after older formats, and small ones."""

from __future__ import annotations

import json
from pathlib import Path, PurePath
from typing import Any

from memlane.agents.agent import Transcript
from memlane.agents.pi.source import Pi
from memlane.domain import Facts, Step, Turn
from tests.rooms.agents.mutations import lines_of

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts" / "pi"

RECORDED = "01a1e15b-f74b-7406-ab0b-5e34e46b99c5"  # tools, `!`, skill, steering, abort, /tree, /compact, a label
FORKED = "01a1e15e-3faa-7007-bbca-3a9b14ffefdc"  # by /fork out of the recorded one
VERSION_1 = "d703a1a9-1111-4222-8333-000000000001"
VERSION_2 = "d703a1a9-1111-4222-8333-000000000002"
CHILD = f"{RECORDED}/check/run-0/session"

ALL = sorted(FOLDER.rglob("*.jsonl"))


def transcript_of(path: Path) -> Transcript:
    found = Pi().recognise(PurePath(path).relative_to(FOLDER))
    assert found is not None, path
    return found


PATHS = {transcript_of(path).native_id: path for path in ALL}


def read(source: str | bytes, transcript: Transcript | None = None) -> tuple[list[Turn], Facts]:
    """A fixture by its id, or bytes."""
    data = PATHS[source].read_bytes() if isinstance(source, str) else source
    told = transcript_of(PATHS[source]) if isinstance(source, str) else transcript or Transcript("any")
    reading = Pi().read(lines_of(data), told)
    turns = list(reading.turns())
    return turns, reading.facts()


def steps(turns: list[Turn]) -> list[Step]:
    return [step for turn in turns for step in turn.steps]


def typed(turns: list[Turn]) -> list[str]:
    return [turn.person for turn in turns if turn.person]


# -- entries, for sessions of a few lines ----------------------------------------------------------------------------

Json = dict[str, Any]


def session(*entries: Json, **header: Any) -> bytes:
    """A header, then these entries in a chain, a second apart."""
    told = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-07-04T10:00:00.000Z", "cwd": "/home/dev"}
    lines, parent = [{**told, **header}], None
    for n, entry in enumerate(entries, 1):
        lines.append({"id": f"{n:08x}", "parentId": parent, "timestamp": f"2026-07-04T10:{n // 60:02}:{n % 60:02}Z"})
        lines[-1].update(entry)
        parent = lines[-1]["id"]
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def message(role: str, content: Any = (), **more: Any) -> Json:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
    return {"type": "message", "message": {"role": role, "content": blocks, **more}}


def user(words: str) -> Json:
    return message("user", words)


def agent(*blocks: Any, **more: Any) -> Json:
    whole = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    return message("assistant", whole, **{"model": "m", "stopReason": "stop", **more})


def call(name: str, arguments: Any, result: str, *, failed: bool = False, **more: Any) -> tuple[Json, Json]:
    opened = agent({"type": "toolCall", "id": f"call_{name}", "name": name, "arguments": arguments})
    return opened, message("toolResult", result, toolCallId=f"call_{name}", toolName=name, isError=failed, **more)
