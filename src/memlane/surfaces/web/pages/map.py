"""The map: every Memory a dot, near ones near. Places come as numbers; what a dot says is asked for by a click."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import Memory, Type
from memlane.surfaces import schema
from memlane.surfaces.api import HttpReply, RouteRequest
from memlane.surfaces.schema import MEMORY, Schema
from memlane.surfaces.web.map_regions import Spot, regions, sampled
from memlane.surfaces.web.views import PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

CLOSEST = 10
RECENT = timedelta(days=30)
LATELY = 6  # memories told last, to begin with
DOT = struct.Struct("<HHBB13sx")  # x, y, type, how lately it was told, its id without m_
WAITING = "Lane-Waiting"  # how many are being given a place: whoever drew the others asks again
EDGE = 0.04  # of the picture, left free around it
FULL = 65_535
ORDER = {type_: n for n, type_ in enumerate(Type)}
TAKES: Mapping[str, Schema] = {"memory": schema.maybe(MEMORY, "the one in the middle")}
NEAR: Mapping[str, Schema] = {"memory": schema.matching(MEMORY, "which one")}


@dataclass(frozen=True, slots=True)
class Paper:
    """A square around all spots, with some room at its edges: 0 to 1 both ways."""

    left: float
    top: float
    side: float

    def at(self, spot: Spot) -> Spot:
        x, y = ((value - start) / self.side for value, start in zip(spot, (self.left, self.top), strict=True))
        return EDGE + x * (1 - 2 * EDGE), EDGE + y * (1 - 2 * EDGE)


def _paper(spots: Sequence[Spot]) -> Paper:
    xs, ys = [x for x, _y in spots] or [0.0], [y for _x, y in spots] or [0.0]
    side = max(max(xs) - min(xs), max(ys) - min(ys)) or 1.0
    return Paper((max(xs) + min(xs) - side) / 2, (max(ys) + min(ys) - side) / 2, side)


def page(lane: Lane, _want: RouteRequest) -> PageView:
    placed = lane.map.look()
    here = [name for name in placed.types if name in placed.at]
    counted = Counter(placed.types[name] for name in here)
    paper = _paper([placed.at[name] for name in here])
    found = regions(lane.memories.titles(sampled(here)), placed.at)
    return view(
        "map.html",
        "Map",
        total=len(here),
        every=len(placed.types),
        waiting=placed.waiting,
        left=placed.left,
        why=placed.why,
        counted=[(type_, counted[type_]) for type_ in Type if counted[type_]],
        lately=_lately(lane),
        hoods=[(hood.name, round(hood.share * len(here))) for hood in found],
        shapes=msgspec.json.encode([(one, one.row.shape, one.row.hollow) for one in Type]).decode(),
        drawn=msgspec.json.encode([(hood.name, *paper.at(hood.at)) for hood in found]).decode(),
    )


def _lately(lane: Lane) -> Sequence[tuple[Memory, datetime]]:
    """Those told last, each once."""
    found = dict[str, tuple[Memory, datetime]]()
    for recall in lane.recall.newest(10 * LATELY):
        for match in recall.shown:
            found.setdefault(match.memory.id, (match.memory, recall.at))
    return list(found.values())[:LATELY]


def dots(lane: Lane, _want: RouteRequest) -> HttpReply:
    """Twenty bytes for each, of the whole map."""
    placed, now = lane.map.look(), lane.home.clock()
    here = [name for name in placed.types if name in placed.at]
    told = lane.recall.told_since(now - RECENT)
    paper = _paper([placed.at[name] for name in here])
    drawn = (
        _dot(name, placed.types[name], paper.at(placed.at[name]), _warm(told[name], now) if name in told else 0)
        for name in here
    )
    return HttpReply(200, b"".join(drawn), "application/octet-stream", headers={WAITING: str(placed.waiting)})


def _dot(name: str, type_: Type, at: Spot, warm: int) -> bytes:
    return DOT.pack(round(at[0] * FULL), round(at[1] * FULL), ORDER[type_], warm, name[2:].encode())


def _warm(at: datetime, now: datetime) -> int:
    """255 just now, 1 almost a month ago."""
    return max(1, round(255 * (1 - (now - at) / RECENT)))


def near(lane: Lane, want: RouteRequest) -> PageView:
    memory = lane.memories.get(field(want, "memory"))
    return view("near.html", memory.title, memory=memory, near=lane.map.near(memory, CLOSEST))


def said(lane: Lane, want: RouteRequest) -> PageView:
    """The memory of one dot."""
    memory = lane.memories.get(field(want, "memory"))
    return view("said.html", memory.title, memory=memory)
