"""Small Claude Code records, and the two ways to read them: written here, or from the recorded transcripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.agent import Line, Transcript
from memlane.agents.claude_code.source import ClaudeCode
from memlane.domain import Facts, Kind, Relation, Step, Turn

RECORDED = Path(__file__).parents[2] / "fixtures" / "transcripts" / "claude-code"
MAIN = Transcript("s1")
SUBAGENT = Transcript("s1/agent-1", "s1", Relation.SUBAGENT)
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, "
    "the new_string was NOT written to the file). To tell you how to proceed, the user said:\n"
)
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Told:
    """A transcript read to its end."""

    turns: list[Turn]
    facts: Facts

    @property
    def prompts(self) -> list[str]:
        return [turn.person for turn in self.turns if turn.person]

    @property
    def steps(self) -> list[Step]:
        return [step for turn in self.turns for step in turn.steps]

    def of(self, kind: Kind) -> list[Step]:
        return [step for step in self.steps if step.kind is kind]


def read(*records: Mapping[str, object] | str | bytes, transcript: Transcript = MAIN) -> Told:
    return read_lines(lines_of(records), transcript)


def read_lines(lines: Iterable[Line], transcript: Transcript = MAIN) -> Told:
    reading = ClaudeCode().read(iter(lines), transcript)
    return Told(list(reading.turns()), reading.facts())


def recorded(path: str) -> Told:
    """`-home-dev-shop/1111…`: the file of the fixtures whose path begins so."""
    (file,) = (file for file in RECORDED.rglob("*.jsonl") if str(file.relative_to(RECORDED)).startswith(path))
    transcript = ClaudeCode().recognise(file.relative_to(RECORDED))
    assert isinstance(transcript, Transcript)
    return read_lines(lines_in(file), transcript)


def lines_in(file: Path) -> list[Line]:
    return [Line(n, data) for n, data in enumerate(file.read_bytes().split(b"\n"), 1) if data]


def lines_of(records: Iterable[Mapping[str, object] | str | bytes]) -> list[Line]:
    """Each record on a line of its own, with an id and a minute of its own unless it has them."""
    return [Line(n, _data(record, n)) for n, record in enumerate(records, 1)]


def _data(record: Mapping[str, object] | str | bytes, n: int) -> bytes:
    if isinstance(record, bytes):
        return record
    if isinstance(record, str):
        return record.encode()
    return json.dumps({"uuid": f"u{n}", "timestamp": minute(n), **record}).encode()


def minute(n: int) -> str:
    return f"2026-02-08T09:{n:02d}:00.000Z"


def user(content: object, **more: object) -> Json:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def typed(content: object, **more: object) -> Json:
    return user(content, origin={"kind": "human"}, promptSource="typed", entrypoint="cli", **more)


def agent(*blocks: Json, message: str = "m1", **more: object) -> Json:
    return {"type": "assistant", "message": {"id": message, "model": "claude-x", "content": list(blocks)}, **more}


def says(words: str) -> Json:
    return {"type": "text", "text": words}


def calls(call: str, tool: str, **given: object) -> Json:
    return {"type": "tool_use", "id": call, "name": tool, "input": given}


def result(call: str, content: object, *, error: bool = False, **more: object) -> Json:
    return user([{"type": "tool_result", "tool_use_id": call, "content": content, "is_error": error}], **more)


def queue(operation: str, n: int, content: str | None = None, **more: object) -> Json:
    written: Json = {"type": "queue-operation", "operation": operation, "timestamp": minute(n), **more}
    return written if content is None else {**written, "content": content}


def attachment(kind: str, **more: object) -> Json:
    return {"type": "attachment", "attachment": {"type": kind, **more}}
