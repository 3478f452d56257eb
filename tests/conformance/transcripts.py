"""The fixtures of every Source, as its reader gets them: bytes, and the transcript they are said to be."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane.domain import Facts, Turn
from memlane.sources import SOURCES, Lines, Source, Transcript

FIXTURES = Path(__file__).parents[1] / "fixtures" / "transcripts"


@dataclass(frozen=True, slots=True)
class Fixture:
    """One tiny transcript."""

    source: Source
    path: Path
    data: bytes

    def __str__(self) -> str:
        return f"{self.source.name}/{self.path.name}"

    def read(self, data: bytes | None = None) -> tuple[list[Turn], Facts]:
        reading = self.source.read(Lines(iter([self.data if data is None else data])), Transcript("native"))
        turns = list(reading.turns())
        return turns, reading.facts()


def fixtures() -> Iterator[Fixture]:
    for source in SOURCES:
        for path in sorted((FIXTURES / source.name).rglob("*")):
            if path.is_file() and path.suffix in (".jsonl", ".json", ".txt") and not path.name.endswith(".meta.json"):
                yield Fixture(source, path, path.read_bytes())


def mutated(data: bytes, chance: random.Random) -> bytes:
    """Bytes cut, doubled, swapped and replaced by what a parser hates."""
    for _ in range(chance.randint(1, 4)):
        begin, length = chance.randrange(len(data) + 1), chance.choice((0, 1, 2, 7, 40, 400))
        put = chance.choice(
            (
                b"",
                b"null",
                b"[]",
                b"{}",
                b'"x"',
                b"1e999",
                b"-1",
                b"true",
                b"\n",
                b"{",
                b"}",
                b'"',
                b"\\",
                b"\xff",
                b"\x00",
            )
        )
        if chance.random() < 0.2:
            put = data[begin : begin + length] * 2
        data = data[:begin] + put + data[begin + length :]
    return data
