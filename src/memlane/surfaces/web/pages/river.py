"""The river: how many Memories of each sort were formed in each week, newest at the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import Memory, Type
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.lane import Lane

MOST = 130  # stretches of time; longer histories have longer stretches
BANDS = 10
OTHERS = "others"
BY: Mapping[str, Callable[[Memory], str]] = {
    "type": lambda memory: memory.type.value,
    "project": lambda memory: memory.project or "everywhere",
    "category": lambda memory: memory.category or "none",
}
TAKES: Mapping[str, Schema] = {"by": schema.one_of(["", *BY], "which bands")}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A week, or some weeks."""

    first: date
    last: date
    counts: Sequence[int]  # one for each band

    @property
    def called(self) -> str:
        return f"{self.first.day} {self.first:%b %Y}"


def page(lane: Lane, want: Want) -> View:
    by = field(want, "by") or "type"
    memories = lane.remembering.memories()
    bands = _bands(memories, by)
    stretches = _stretches(memories, bands, BY[by], lane.home.clock().astimezone().date())
    drawn = {
        "bands": bands,
        "kinds": [name if by == "type" else list(Type)[n].value for n, name in enumerate(bands)],
        "by": by,
        "from": [one.first.isoformat() for one in stretches],
        "to": [one.last.isoformat() for one in stretches],
        "counts": [one.counts for one in stretches],
    }
    return view(
        "river.html",
        "River",
        bands=bands,
        stretches=stretches,
        totals=[sum(one.counts[n] for one in stretches) for n in range(len(bands))],
        total=len(memories),
        weeks=((stretches[0].last - stretches[0].first).days + 1) // 7 if stretches else 1,
        drawn=msgspec.json.encode(drawn).decode(),
        by=by,
        names=list(BY),
    )


def _bands(memories: Sequence[Memory], by: str) -> Sequence[str]:
    """Types in the order of their weight, other things by how many there are."""
    counted = Counter(map(BY[by], memories))
    if by == "type":
        return [type_.value for type_ in Type if counted[type_.value]]
    most = [name for name, _count in counted.most_common(BANDS)]
    return most if len(counted) <= BANDS else [*most[: BANDS - 1], OTHERS]


def _stretches(
    memories: Sequence[Memory], bands: Sequence[str], of: Callable[[Memory], str], today: date
) -> Sequence[Stretch]:
    days = [(memory.formed_at.astimezone().date(), of(memory)) for memory in memories]
    if not days:
        return []
    first = min(day for day, _band in days)
    first -= timedelta(days=first.weekday())
    weeks = (max(today, max(day for day, _band in days)) - first).days // 7 + 1
    each = -(-weeks // MOST) * 7
    counts = [[0] * len(bands) for _ in range(-(-weeks * 7 // each))]
    places = {name: n for n, name in enumerate(bands)}
    for day, band in days:
        counts[(day - first).days // each][places.get(band, len(bands) - 1)] += 1
    begins = [first + timedelta(days=n * each) for n in range(len(counts))]
    return [Stretch(begin, begin + timedelta(days=each - 1), some) for begin, some in zip(begins, counts, strict=True)]
