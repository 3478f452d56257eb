"""Homes to hook into: so many memories and chunks, made up, straight through storage, kept for the next time.

Half of the memories belong to the project that is asked in, a twentieth hold everywhere, a third name a file; each has
as many cues as its home's size says.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is loaded, as the product does

import numpy as np

from benchmarks import large_home
from memlane import identity
from memlane.app import Lane
from memlane.config import load
from memlane.domain import Chunk, Memory, Mention, RunSummary, Scope, Type

if TYPE_CHECKING:
    from memlane.storage import Vector

NOUNS = ("ferry", "ledger", "parser", "schema", "harbour", "queue", "beacon", "invoice", "tariff", "kiosk")
VERBS = ("sorts", "caches", "rejects", "prints", "stores", "mirrors", "signs", "archives", "counts", "merges")
NEEDED = "The nightly tariff export runs through make tariff-export, never by hand on the beacon host"
CUES = (
    "send the tariffs out again",
    "the export of last night is missing",
    "run the tariff job",
    "which host does the export?",
    "tariffs are stale",
    "schedule the export",
)
OF_FILE = "In tariff.py amounts are kept in cents, never as floats"
ASKED = ("what is wrong with the", "add another", "why is there no", "change the", "who wrote the", "speed up the")
SEED = 7
FIRST_DAY = datetime(2025, 1, 1, tzinfo=UTC)
FILES = 5_000
OTHER_PROJECTS = 50
AT_ONCE = 1_000
REAL = 100  # vectors that the model made; the others stand near them
NOISE = 0.1
WORDS = 20_000
TEXTS = 4_000  # that chunks are put together from
DONE = "made.json"


@dataclass(frozen=True, slots=True)
class Size:
    """How much there is."""

    name: str
    memories: int
    chunks: int
    cues: int = 6  # of each memory


@dataclass(frozen=True, slots=True)
class Home:
    """A person's home with a lane home in it."""

    folder: Path
    size: Size

    @property
    def project(self) -> Path:
        return self.folder / "project"

    @property
    def variables(self) -> dict[str, str]:
        known = {name: value for name, value in os.environ.items() if not name.startswith("LANE_")}
        ours = {"HOME": str(self.folder), "LANE_HOME": str(self.folder / ".memlane"), "LANE_USER": "ann"}
        return {**known, **ours, "LANE_HTTP_PORT": str(self.port)}

    @property
    def port(self) -> int:
        """Of this home in this process."""
        return 20_000 + (os.getpid() * 7 + self.size.memories) % 20_000

    def lane(self) -> Lane:
        return Lane(load(self.variables))


def made(within: Path, size: Size) -> Home:
    """The one of the last time, if it is whole and its index is one that this program reads."""
    home = Home(within / f"{size.name}-{size.memories}-{size.chunks}-{size.cues}", size)
    if (home.folder / DONE).exists() and _serves(home):
        return home
    home.project.mkdir(parents=True, exist_ok=True)
    (home.project / "tariff.py").touch()
    with home.lane() as lane:
        needed = lane.memories.remember(NEEDED, home.project)
        lane.memories.remember(OF_FILE, home.project)
        lane.memories.edit(needed.id, {"cues": "\n".join(CUES[: size.cues])})
        _one_run(lane, home)
        _say(f"{home.folder}: {size.memories:,} memories with {size.cues} cues each")
        _remember(lane, home)
        lane.home.list_paths(lane.home.storage())
        _say(f"{home.folder}: {size.chunks:,} chunks")
        large_home.grow(lane, large_home.recombined(texts()), size.chunks, size.name)
    (home.folder / DONE).write_text(json.dumps({"memories": size.memories, "chunks": size.chunks}))
    return home


def _one_run(lane: Lane, home: Home) -> None:
    """So that the project has a name."""
    summary = RunSummary("r_0000000000000", lane.home.config.user, "desk", "claude-code", "one", 1, "one.jsonl", 1)
    project = identity.project_of(str(home.project))
    lane.home.storage().runs.put(replace(summary, project=project, cwd=str(home.project), ended=FIRST_DAY))


def _serves(home: Home) -> bool:
    with home.lane() as lane:
        return lane.home.engine.serving() is not None


def texts() -> large_home.Home:
    """Made up, with few words that are frequent and many that are not."""
    dice = random.Random(SEED)
    words = [f"{dice.choice(NOUNS)[:4]}{dice.choice(VERBS)[:4]}{n:x}" for n in range(WORDS)]
    weights = [1 / (n + 2) for n in range(WORDS)]
    said = (" ".join(dice.choices(words, weights, k=dice.randint(10, 60))) for _ in range(TEXTS))
    return large_home.Home([Chunk("r_0", n, 1, 0, "agent", FIRST_DAY, text) for n, text in enumerate(said)])


def _remember(lane: Lane, home: Home) -> None:
    storage, lock, tag = lane.home.storage(), lane.home.lock, lane.home.recall_model.tag
    dice, passages = np.random.default_rng(SEED), lane.home.recall_model.passages
    every = list(memories(lane, home))
    notes = passages([one.text for one in every[:REAL]])
    cues = passages([cue for one in every[:REAL] for cue in one.cues])
    for some in _batches(every):
        with lock.held(), storage.transaction():
            for memory in some:
                storage.memories.put(memory)
            storage.memories.give(tag, some, _near(notes, len(some), dice), FIRST_DAY)
            if home.size.cues:
                storage.memories.give_cues(tag, some, _near(cues, len(some) * home.size.cues, dice))


def _near(real: Vector, count: int, dice: np.random.Generator) -> Vector:
    rows = real[dice.integers(0, len(real), count)]
    return rows + dice.standard_normal(rows.shape, np.float32) * (NOISE / rows.shape[1] ** 0.5)


def _batches(all_of_them: Sequence[Memory]) -> Iterator[Sequence[Memory]]:
    for start in range(0, len(all_of_them), AT_ONCE):
        yield all_of_them[start : start + AT_ONCE]


def memories(lane: Lane, home: Home) -> Iterator[Memory]:
    dice, owner, types = random.Random(SEED), lane.home.config.user, list(Type)
    for number in range(home.size.memories - 2):
        one, two = dice.sample(NOUNS, 2)
        text = f"The {one} {dice.choice(VERBS)} every {two} twice: ticket {number * 17}, module {one}_{number}"
        at = FIRST_DAY + timedelta(minutes=number)
        here = dice.random() < 0.5
        key = str(home.project) if here else f"example.org/other-{dice.randrange(OTHER_PROJECTS)}"
        file = f"src/{one}/{one}_{dice.randrange(FILES)}.py"
        yield Memory(
            f"m_{number:013}",
            owner,
            dice.choice(types),
            text,
            f"{text}, as was decided when the {two} was written anew.",
            at,
            at,
            at,
            at,
            related_entities=(Mention("file", file, file, resolved=True),) if dice.random() < 0.3 else (),
            scope=Scope.PERSON if dice.random() < 0.05 else Scope.PROJECT,
            project=key.rpartition("/")[2],
            project_key=key,
            confidence=dice.randint(50, 95),
            times_observed=dice.randint(1, 4),
            cues=tuple(f"{dice.choice(ASKED)} {one} {number} {cue}" for cue in range(home.size.cues)),
        )


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
