"""Forgetting a run for good, in steps that can each be repeated: a kill in between is followed by the rest of them."""

from __future__ import annotations

from memlane import archive, pipeline
from memlane.domain import Entry
from memlane.domain.journal import TOMBSTONE
from memlane.lane.home import Home


def forget_for_good(home: Home, run: str) -> None:
    """That it shall go is durable before anything goes."""
    with home.lock.held():
        archive.begin_forgetting(home.disk, home.layout, run)
        finish_forgetting(home)


def finish_forgetting(home: Home) -> None:
    for run in archive.being_forgotten(home.disk, home.layout):
        with home.lock.held():
            _finish(home, run)


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
