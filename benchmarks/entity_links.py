"""What does it cost when the directory changes? `python -m benchmarks.entity_links [--memories N] [--json] [--save F]`.

A home of N memories in made-up words, of which one in ten names one of 300 people. Then three steps, each one look as a
tick takes it: folders with all of these people come; one person is added; nothing changes.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from campaigns.report import machine
from memlane.app import Lane
from memlane.app.home.journal import memory_line
from memlane.config import load
from memlane.domain import Memory, Scope, State, Type

COMMAND = "python -m benchmarks.entity_links"
SEED, AT_ONCE, EVERY = 7, 2_000, 10
AT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)


def words(chance: random.Random, letters: int = 6) -> str:
    return "".join(chance.choice("abcdefghilmnoprstu") for _ in range(letters))


def people(chance: random.Random, count: int = 300) -> list[str]:
    first = [words(chance).title() for _ in range(count // 3)]
    return [f"{first[n % len(first)]} {words(chance, 7).title()}" for n in range(count)]


def notes(chance: random.Random, names: list[str], count: int) -> Iterator[Memory]:
    vocabulary = [words(chance, chance.randint(3, 9)) for _ in range(4_000)]
    for n in range(count):
        said = " ".join(chance.choice(vocabulary) for _ in range(35))
        title = f"{chance.choice(names)} wants it so" if n % EVERY == 0 else said[:60]
        yield Memory(
            f"m_{n:013d}", "bench", Type.LEARNING, title, said, AT, AT, AT, AT, scope=Scope.GLOBAL, state=State.ACTIVE
        )


def measured(folder: Path, count: int) -> dict[str, Any]:
    chance = random.Random(SEED)
    names = people(chance)
    settings = {
        "HOME": str(folder),
        "LANE_HOME": str(folder / "lane"),
        "LANE_USER": "bench",
        "LANE_RECALL_MODEL": "none",
    }
    with Lane(load(settings)) as lane:
        lane.home.begin()
        made = list(notes(chance, names, count))
        for n in range(0, count, AT_ONCE):
            lane.acts.writer.write([memory_line(memory) for memory in made[n : n + AT_ONCE]])
        lane.entities.look()
    pages = folder / "people"
    pages.mkdir()
    for name in names:
        (pages / f"{'-'.join(reversed(name.lower().split()))}.md").write_text(f"# {name}\n")
    with Lane(load(settings | {"LANE_ENTITIES_FOLDERS": f"person={pages}"})) as lane:
        folders = timed(lane)
        lane.entities.look()
        lane.entities.add("Zed Quux", "person")
        one = timed(lane)
        return {
            "memories": count,
            "people": len(names),
            "folders": folders,
            "one_person": one,
            "nothing_new": timed(lane),
        }


def timed(lane: Lane) -> dict[str, float]:
    began = time.perf_counter()
    report = lane.entities.look()
    return {"seconds": round(time.perf_counter() - began, 3), "changed": report.memories}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--memories", type=int, default=100_000)
    asked.add_argument("--json", action="store_true")
    asked.add_argument("--save", type=Path)
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = {"command": COMMAND, "machine": machine(), **measured(Path(folder), given.memories)}
    if given.save:
        given.save.write_text(json.dumps(figures, indent=2) + "\n")
    if given.json:
        print(json.dumps(figures))
        return
    for step in ("folders", "one_person", "nothing_new"):
        print(f"{step:<12} {figures[step]['seconds']:8.3f} s  {figures[step]['changed']:,} memories changed")


if __name__ == "__main__":
    main()
