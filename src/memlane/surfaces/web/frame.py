"""What stands around every page: how much is captured, whether agents are told anything, what waits for a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.surfaces.api import Want

if TYPE_CHECKING:
    from memlane.app import Lane


@dataclass(frozen=True, slots=True)
class Frame:
    """Counted, never listed: it stands on every page."""

    user: str
    machine: str
    runs: int
    indexed: int
    memories: int
    held: int
    names: int  # nobody was sure of
    recall_off: str  # why, or ""
    paused: bool


def around(lane: Lane, _want: Want) -> Frame:
    indexed, runs = lane.search.indexed_share()
    memories, held = lane.memories.counts()
    config = lane.config
    return Frame(
        config.user,
        config.machine,
        runs,
        indexed,
        memories,
        held,
        len(lane.entities.waiting()),
        lane.recall.off(""),
        lane.capture.pause() is not None,
    )
