"""A clock that stands still, files in a temporary folder, a model asked with care."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from memlane.disk import Disk
from memlane.kept import Kept
from memlane.llm import Breaker, Caps, Careful, Days, Llm, Question, Spend, Trouble

SCHEMA = {"type": "object", "properties": {"memories": {"type": "array"}}, "required": ["memories"]}


def question(user: str = "what is worth keeping?", most: int = 200) -> Question:
    return Question("You read.", user, SCHEMA, "memories", most)


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
        return Spend(Kept(self.folder / "spend.json", Days, Disk(), nullcontext), self.caps, self.clock)

    def breaker(self, who: str = "m") -> Breaker:
        return Breaker(Kept(self.folder / "breaker.json", Trouble, Disk(), nullcontext), who, self.clock)

    def careful(self, llm: Llm) -> Careful:
        return Careful(llm, self.spend, self.breaker(llm.name), Random(7), self.waits.append)
