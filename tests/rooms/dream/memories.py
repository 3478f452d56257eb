"""Memories to dream about."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memlane.domain import Evidence, Memory, Type

MARCH = datetime(2026, 3, 4, 10, tzinfo=UTC)
JUNE = datetime(2026, 6, 10, 10, tzinfo=UTC)


def note(id: str, title: str, content: str = "", *, at: datetime = MARCH, **changes: object) -> Memory:
    evidence = (Evidence(f"r_{id}", 1, 3, f"r_{id}#t1.1", title),)
    made = Memory(id, "noor", Type.CORRECTION, title, content, at, at, at, at, evidence=evidence)
    made = replace(made, project="noor/quarry", project_key="noor/quarry", confidence=70)
    return replace(made, **changes)  # type: ignore[arg-type]


def every_pair(memories: list[Memory], cosine: float = 0.8) -> list[tuple[str, str, float]]:
    ids = [memory.id for memory in memories]
    return [(one, other, cosine) for at, one in enumerate(ids) for other in ids[at + 1 :]]


def later(at: datetime, days: int) -> datetime:
    return at + timedelta(days=days)
