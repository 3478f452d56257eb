"""A clock that stands still, files in a temporary folder, a model asked with care."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from memlane.llm import BreakerState, Caps, GuardedLlm, Llm, LlmBreaker, LlmQuestion, Spend, SpendByDay
from memlane.system.disk import Disk
from memlane.system.json_file import JsonFile

SCHEMA = {"type": "object", "properties": {"memories": {"type": "array"}}, "required": ["memories"]}


def question(user: str = "what is worth keeping?", most: int = 200) -> LlmQuestion:
    return LlmQuestion("You read.", user, SCHEMA, "memories", most)


@dataclass
class World:
    folder: Path
    caps: Caps = field(default_factory=lambda: Caps(1.0, 200))
    now: datetime = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
    waits: list[float] = field(default_factory=list[float])

    def clock(self) -> datetime:
        return self.now

    def passes(self, **time: float) -> None:
        self.now += timedelta(**time)

    @property
    def spend(self) -> Spend:
        return Spend(JsonFile(self.folder / "spend.json", SpendByDay, Disk(), nullcontext), self.caps, self.clock)

    def breaker(self, who: str = "m") -> LlmBreaker:
        return LlmBreaker(JsonFile(self.folder / "breaker.json", BreakerState, Disk(), nullcontext), who, self.clock)

    def careful(self, llm: Llm) -> GuardedLlm:
        return GuardedLlm(llm, self.spend, self.breaker(llm.name), Random(7), self.waits.append)
