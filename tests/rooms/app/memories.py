"""A memory for a test, and evidence for it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memlane.domain import Evidence, Memory, Type

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def a_memory(name: str = "m_aaaaaaaaaaaaa", **more: Any) -> Memory:
    known: dict[str, Any] = {
        "owner": "ann",
        "type": Type.CORRECTION,
        "title": "Use the COPY list",
        "content": "Every new package goes into the COPY list.",
        "formed_at": NOON,
        "saved_at": NOON,
        "first_observed_at": NOON,
        "last_observed_at": NOON,
    }
    return Memory(id=name, **{**known, **more})


def evidence(quote: str, run: str = "r_aaaaaaaaaaaaa") -> Evidence:
    return Evidence(run, 1, 3, f"{run}#t1.1", quote)
