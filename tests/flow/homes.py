"""A home for a test: one folder, one Lane, and Claude Code transcripts written by hand."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from memlane.app import Lane
from memlane.config import load
from memlane.system.disk import Disk

SESSION = "11111111-2222-4333-8444-555555555555"


def a_lane(folder: Path, *, disk: Disk | None = None, **settings: str) -> Lane:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {"HOME": str(home), "LANE_HOME": str(folder / "lane"), "LANE_USER": "ann", "LANE_MACHINE": "desk"}
    return Lane(load(environment | settings), disk=disk)


def transcript(folder: Path, session: str = SESSION, project: str = "-home-dev-app") -> Path:
    path = folder / "home" / ".claude" / "projects" / project / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def write(path: Path, records: Iterable[dict[str, object]]) -> None:
    with path.open("a") as file:
        for record in records:
            file.write(json.dumps(record) + "\n")


def prompt(words: str, n: int = 1, cwd: str = "/home/dev/app", **more: object) -> dict[str, object]:
    return {
        "type": "user",
        "uuid": f"00000000-0000-4000-8000-{n:012d}",
        "parentUuid": None,
        "sessionId": SESSION,
        "timestamp": f"2026-05-01T10:{n % 60:02d}:00.000Z",
        "cwd": cwd,
        "version": "2.1.200",
        "message": {"role": "user", "content": words},
        **more,
    }


def answer(blocks: list[dict[str, object]], n: int = 2, **more: object) -> dict[str, object]:
    return {
        "type": "assistant",
        "uuid": f"00000000-0000-4000-9000-{n:012d}",
        "parentUuid": None,
        "sessionId": SESSION,
        "timestamp": f"2026-05-01T10:{n % 60:02d}:30.000Z",
        "cwd": "/home/dev/app",
        "version": "2.1.200",
        "requestId": f"req_{n}",
        "message": {"id": f"msg_{n}", "role": "assistant", "model": "claude-opus-5", "content": blocks, "usage": {}},
        **more,
    }


def said(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def called(name: str, given: dict[str, object], call: str = "toolu_1") -> dict[str, object]:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def returned(result: str, call: str = "toolu_1", n: int = 3, *, error: bool = False) -> dict[str, object]:
    block = {"type": "tool_result", "tool_use_id": call, "content": result, "is_error": error}
    return prompt("", n) | {"message": {"role": "user", "content": [block]}}
