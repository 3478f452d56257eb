"""The home that pages are measured on: a person's, captured and caught from, then so many times as full.

HOME is copied. What a home grows by is written straight through storage, made of what is in it: its Runs with their
Chunks, its Memories with vectors of their own, its Recalls, the Entities named. No transcript is behind a grown Run.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import numpy as np

from benchmarks import large_home
from benchmarks.stage import Stage
from memlane.app import Lane
from memlane.domain import Memory, Recall, RunFilter, RunSummary, State, derived_id

ASKED = 30  # prompts, so that there are Recalls to look at
AT_ONCE = 50  # Runs in one transaction
APART = timedelta(days=3)  # a copy is so much older than the one before it
NOISE = 0.1  # how far a copy's vector stands from the original's
OURS = ".memlane"


@dataclass(frozen=True, slots=True)
class Held:
    """How much a home holds."""

    runs: int
    chunks: int
    memories: int
    recalls: int
    entities: int


def settled(home: Path, stage: Stage) -> None:
    """A copy of it, captured, understood and caught from; what a lane home in it has already is not done again."""
    shutil.copytree(home, stage.person, symlinks=True, ignore=shutil.ignore_patterns(OURS))
    if (home / OURS).exists():
        shutil.copytree(home / OURS, stage.lane_home, ignore=shutil.ignore_patterns("run", "log"))
    else:
        stage.run("-m", "memlane", "capture", "--quiet")
    for words in (("tick", "--meaning"), ("catch",), ("tick",)):  # the last gives memories their meaning
        stage.run("-m", "memlane", *words)
    with stage.lane() as lane:
        for prompt in large_home.prompts(large_home.read(lane), 40, ASKED - len(lane.recall.newest(ASKED))):
            lane.recall.keep(lane.recall.asked(prompt, stage.person))


def held(stage: Stage) -> Held:
    with stage.lane() as lane:
        storage, reader = lane.home.storage(), lane.home.reader
        return Held(
            storage.runs.count(reader),
            storage.chunks.count(reader),
            sum(lane.memories.counts()),
            len(lane.recall.newest()),
            len(lane.entities.entities()),
        )


def grow(stage: Stage, times: int) -> None:
    """In all so many times as much."""
    with stage.lane() as lane:
        home = large_home.read(lane)
        for copy in range(1, times):
            _runs(lane, copy)
            _memories(lane, copy)
            _recalls(lane, copy)
        large_home.settle(lane)
        large_home.give_vectors(lane, home)
        large_home.settle(lane)


def _originals(lane: Lane) -> Sequence[RunSummary]:
    every = lane.home.storage().runs.listed(RunFilter(), lane.home.reader)
    return [run for run in every if not run.source_path.startswith(f"{large_home.AGENT}/")]


def _runs(lane: Lane, copy: int) -> None:
    storage, reader, lock = lane.home.storage(), lane.home.reader, lane.home.lock
    every = _originals(lane)
    for start in range(0, len(every), AT_ONCE):
        with lock.held(), storage.transaction():
            for run in every[start : start + AT_ONCE]:
                made = _older(run, copy)
                storage.runs.put(made)
                chunks = storage.chunks.of_run(run.id, reader)
                storage.chunks.replace(made.id, made.owner, 0, (replace(chunk, run=made.id) for chunk in chunks))


def _older(run: RunSummary, copy: int) -> RunSummary:
    id_, earlier = _again("r", run.id, copy), copy * APART
    return replace(
        run,
        id=id_,
        native_id=id_,
        source_path=f"{large_home.AGENT}/{id_}",
        parent=_again("r", run.parent, copy) if run.parent else "",
        started=run.started - earlier if run.started else None,
        ended=run.ended - earlier if run.ended else None,
    )


def _memories(lane: Lane, copy: int) -> None:
    storage, reader, tag = lane.home.storage(), lane.home.reader, lane.home.recall_model.tag
    known = [one for one in storage.memories.listed(list(State), reader) if not one.maker.startswith(large_home.AGENT)]
    vectors = storage.memories.meanings(tag, reader)
    made = {one.id: _seen(one, copy) for one in known}
    meant = [one for one in made if one in vectors]
    dice = np.random.default_rng(copy)
    with lane.home.lock.held(), storage.transaction():
        for memory in made.values():
            storage.memories.put(memory)
        if meant:
            near = np.stack([vectors[one] for one in meant])
            near = near + dice.standard_normal(near.shape, np.float32) * (NOISE / near.shape[1] ** 0.5)
            storage.memories.give(tag, [made[one] for one in meant], near.astype(np.float32), lane.home.clock())


def _seen(memory: Memory, copy: int) -> Memory:
    earlier = copy * APART
    named = tuple(
        replace(one, raw=f"{one.raw} {copy}", slug=f"{one.slug}-{copy}" if one.slug else "")
        for one in memory.related_entities
    )
    return replace(
        memory,
        id=_again("m", memory.id, copy),
        title=f"{memory.title} ({copy})",
        formed_at=memory.formed_at - earlier,
        saved_at=memory.saved_at - earlier,
        first_observed_at=memory.first_observed_at - earlier,
        last_observed_at=memory.last_observed_at - earlier,
        related_entities=named,
        maker=f"{large_home.AGENT}@{copy}",
    )


def _recalls(lane: Lane, copy: int) -> None:
    storage = lane.home.storage()
    with lane.home.lock.held(), storage.transaction():
        for recall in _asked_here(lane):
            storage.recalls.record(replace(recall, id=_again("l", recall.id, copy), at=recall.at - copy * APART))


def _asked_here(lane: Lane) -> Iterator[Recall]:
    """Those of the first copy: the newest."""
    yield from lane.recall.newest(ASKED)


def _again(letter: str, id_: str, copy: int) -> str:
    return derived_id(letter, large_home.AGENT, id_, str(copy))
