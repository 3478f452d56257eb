"""A run as people write one down, and a lesson as a model answers it: what the cases of catching are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.flow.homes import answer, called, prompt, returned, said, transcript, write


def days_ago(days: int) -> str:
    """For what is only offered while it is fresh, where the clock is the machine's."""
    return f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%d}"


@dataclass
class Talk:
    """A run as it is written down: who said what, a minute apart."""

    folder: Path
    number: int = 1
    day: str = "2026-05-01"
    n: int = 0
    records: list[dict[str, object]] = field(default_factory=list[dict[str, object]])

    @property
    def session(self) -> str:
        return f"{self.number:08d}-2222-4333-8444-555555555555"

    def person(self, words: str) -> Talk:
        return self._add(prompt(words, self._next()))

    def agent(self, words: str) -> Talk:
        return self._add(answer([said(words)], self._next()))

    def tool(self, name: str, given: dict[str, object], result: str, *, error: bool = False) -> Talk:
        call = f"toolu_{self.number}_{self._next()}"
        self._add(answer([called(name, given, call)], self.n))
        return self._add(returned(result, call, self._next(), error=error))

    def _next(self) -> int:
        self.n += 1
        return self.n

    def _add(self, record: dict[str, object]) -> Talk:
        uuid = f"{self.number:04d}{str(record['uuid'])[4:]}"
        at = f"{self.day}T10:{self.n:02d}:00.000Z"
        self.records.append(record | {"sessionId": self.session, "uuid": uuid, "timestamp": at})
        return self

    def kept(self) -> None:
        write(transcript(self.folder, self.session), self.records)


def lesson(type: str, title: str, content: str, step: str, words: str, **more: object) -> dict[str, object]:
    about = {
        "type": type,
        "title": title,
        "content": content,
        "quotes": [{"step": step, "words": words}],
        "reasoning": "It was said plainly.",
        "confidence": 90,
        "scope": "project",
        "category": "",
        "entities": [],
        "target_agents": [],
        "alternatives": [],
        "same_as": "",
    }
    return about | more
