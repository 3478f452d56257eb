"""Rollouts for the tests: those recorded with the real client 0.166 or written after its formats, and small ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memlane.agents.agent import Line, Transcript
from memlane.agents.codex.source import Codex
from memlane.domain import Facts, Step, Turn

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts" / "codex"

# recorded with codex 0.166, shortened
RESUMED = "01a1e12e-5f42-7b62-8028-c6c86ba351c7"
FORKED = "01a1e12e-bdba-73e1-871d-727a8047b05f"
SPAWNING = "01a1e12e-f447-77b0-8b62-5fbc997c0c10"
SPAWNED = "01a1e12e-f4e7-7393-a468-6a8b0ce5debc"
EVENTFUL = "01a1e12f-801b-7393-b76d-c3b3ca932824"  # interruption, `!`, two reviews, a compaction
REVIEWER = "01a1e12f-8aae-7312-8da6-6d3544a5cf98"
ASKED = "01a1e130-7905-73a3-b0d2-9d431c1228df"
SPAWNED_WITH_HISTORY = "01a1e130-7a2b-77c3-bde7-6f1a16c9b375"
REVERTED = "01a1e130-7905-73a3-b0d2-9d431c1228df_01a1e130-7eb5-75f3-8952-7d7a78b417aa"
BRIEFED = "01a1e130-32b6-7b62-8760-e6f73a053bea"
# written after FORMATS
LEGACY = "019f2c00-0000-7aaa-8aaa-000000000001"
LEGACY_FORK = "019f3100-0000-7aaa-8aaa-000000000002"
LEGACY_SPAWNED = "019f2c03-0000-7aaa-8aaa-000000000006"
GUARDIAN = "019f2c05-0000-7aaa-8aaa-000000000003"
BARE = "b2a5b2a5-1111-4222-8333-000000000004"  # generation B
DOCUMENT = "a1a5b2a5-1111-4222-8333-000000000005"  # generation A

PLAIN = sorted(path for path in FOLDER.iterdir() if path.suffix in (".jsonl", ".json"))


def path_of(native_id: str) -> Path:
    (path,) = (each for each in PLAIN if each.stem.endswith(f"-{native_id}"))
    return path


def lines_of(data: bytes) -> list[Line]:
    return [Line(n, line) for n, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1)]


def read(source: str | bytes) -> tuple[list[Turn], Facts]:
    """A fixture by its id, or bytes."""
    data = path_of(source).read_bytes() if isinstance(source, str) else source
    reading = Codex().read(lines_of(data), Transcript("any"))
    turns = list(reading.turns())
    return turns, reading.facts()


def steps(turns: list[Turn]) -> list[Step]:
    return [step for turn in turns for step in turn.steps]


def typed(turns: list[Turn]) -> list[str]:
    return [turn.person for turn in turns if turn.person]


# -- records, for rollouts of a few lines ----------------------------------------------------------------------------

Json = dict[str, Any]


def rollout(*records: Json) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def record(kind: str, **payload: Any) -> Json:
    return {"timestamp": "2026-07-04T10:00:00.000Z", "type": kind, "payload": payload}


def meta(**more: Any) -> Json:
    return record("session_meta", **{"id": "t1", "cwd": "/home/dev/shop", "source": "cli", **more})


def event(kind: str, **payload: Any) -> Json:
    return record("event_msg", type=kind, **payload)


def item(kind: str, **payload: Any) -> Json:
    return record("response_item", type=kind, **payload)


def message(role: str, *texts: str, **more: Any) -> Json:
    return item("message", role=role, content=[{"type": "input_text", "text": text} for text in texts], **more)


def prompt(text: str) -> tuple[Json, Json]:
    """As every client of 2026 writes it: what the model gets, then what the person typed."""
    return message("user", text), event("user_message", message=text, images=[])


def call(name: str, arguments: Json, output: Any, call_id: str = "c1") -> tuple[Json, Json]:
    opened = item("function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)
    return opened, item("function_call_output", call_id=call_id, output=output)
