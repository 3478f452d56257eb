"""Forgetting for good, in steps that can each be repeated: a kill in between is followed by the rest of them."""

from __future__ import annotations

from memlane import archive, pipeline
from memlane.domain import Entry
from memlane.domain.journal import RECALL, TOMBSTONE
from memlane.lane.home import Home
from memlane.lane.past import life_of
from memlane.storage import apply

OF_A_MEMORY = "m_"


def forget_for_good(home: Home, name: str) -> None:
    """A Run or a Memory: that it shall go is durable before anything goes."""
    with home.lock.held():
        archive.begin_forgetting(home.disk, home.layout, name)
        finish_forgetting(home)


def finish_forgetting(home: Home) -> None:
    for name in archive.being_forgotten(home.disk, home.layout):
        with home.lock.held():
            (_finish_memory if name.startswith(OF_A_MEMORY) else _finish)(home, name)


def _finish(home: Home, run: str) -> None:
    tools, storage, user = home.tools(), home.storage(), home.config.user
    if storage.bars.barred(home.reader).get(run) != TOMBSTONE:
        entry = Entry(TOMBSTONE, run, home.clock(), user, home.config.machine, "person", {"run": run})
        pipeline.write_down([entry], tools)
    archive.forget_bytes(home.disk, home.layout, run)
    with storage.transaction():
        storage.recalls.drop_words(run, user)
        storage.runs.drop(run)
    storage.scrub()
    archive.forgotten(home.disk, home.layout, run)


def _finish_memory(home: Home, memory: str) -> None:
    """Its text out of the journal; storage is told what the journal says now."""
    storage = home.storage()
    pipeline.catch_up(home.tools())
    archive.without_text_of(home.disk, home.layout, memory)
    life = life_of(home, memory)
    with storage.transaction():
        storage.memories.drop(memory, home.config.user)  # with all that was derived from what it said
        if life and (left := life[-1].after) is not None:
            storage.memories.put(left)
        for moved in life:
            if moved.entry.kind == RECALL:
                apply(moved.entry, storage)
    storage.scrub()
    archive.forgotten(home.disk, home.layout, memory)
