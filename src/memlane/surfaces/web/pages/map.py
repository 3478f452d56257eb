"""The map: every Memory a dot, near ones near. Places come as numbers; what a dot says is asked for by a click."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import Type
from memlane.surfaces import schema
from memlane.surfaces.api import Reply, Want
from memlane.surfaces.schema import MEMORY, Schema
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.lane import Lane

AT_ONCE = 0.4  # seconds spent on giving places at each look
CLOSEST = 10
RECENT = timedelta(days=30)
RECALLS = 10_000
DOT = struct.Struct("<HHBB13sx")  # x, y, type, how lately it was told, its id without m_
EDGE = 0.04  # of the picture, left free around it
FULL = 65_535
ORDER = {type_: n for n, type_ in enumerate(Type)}
NEAR: Mapping[str, Schema] = {"memory": schema.matching(MEMORY, "which one")}


def page(lane: Lane, _want: Want) -> View:
    placed = lane.seeing.places.look(AT_ONCE)
    here = [memory for memory in placed.memories if memory.id in placed.at]
    counted = {type_: sum(memory.type is type_ for memory in here) for type_ in Type}
    return view(
        "map.html",
        "Map",
        total=len(here),
        every=len(placed.memories),
        waiting=placed.waiting,
        unread=len(placed.memories) - len(here) - placed.waiting,
        why=placed.why,
        counted=[(type_, count) for type_, count in counted.items() if count],
    )


def dots(lane: Lane, _want: Want) -> Reply:
    """Twenty bytes for each, of the whole map."""
    placed = lane.seeing.places.look(AT_ONCE)
    here = [(memory, placed.at[memory.id]) for memory in placed.memories if memory.id in placed.at]
    told, now = _told(lane), lane.home.clock()
    xs, ys = [spot[0] for _memory, spot in here] or [0.0], [spot[1] for _memory, spot in here] or [0.0]
    side = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    left, top = (max(xs) + min(xs) - side) / 2, (max(ys) + min(ys) - side) / 2

    def on_paper(at: float, start: float) -> int:
        return round((EDGE + (at - start) / side * (1 - 2 * EDGE)) * FULL)

    drawn = (
        DOT.pack(
            on_paper(x, left), on_paper(y, top), ORDER[one.type], _warm(told.get(one.id), now), one.id[2:].encode()
        )
        for one, (x, y) in here
    )
    return Reply(200, b"".join(drawn), "application/octet-stream")


def _told(lane: Lane) -> Mapping[str, datetime]:
    """When each was told last."""
    found = dict[str, datetime]()
    for recall in lane.recalling.newest(RECALLS):
        for match in recall.shown:
            found.setdefault(match.memory.id, recall.at)
    return found


def _warm(at: datetime | None, now: datetime) -> int:
    """255 just now, 0 a month ago or never."""
    if at is None or now - at >= RECENT:
        return 0
    return max(1, round(255 * (1 - (now - at) / RECENT)))


def near(lane: Lane, want: Want) -> View:
    memory = lane.remembering.memory(field(want, "memory"))
    return view("near.html", memory.title, memory=memory, near=lane.seeing.places.near(memory, CLOSEST))
