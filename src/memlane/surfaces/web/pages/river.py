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
from memlane.surfaces.schema import DAY, Schema
from memlane.surfaces.web.look import mark, one_line, spoken
from memlane.surfaces.web.views import View, field, view

if TYPE_CHECKING:
    from memlane.lane import Lane

MOST = 130  # stretches of time; longer histories have longer stretches
LEAST = 12  # a river of two weeks is none
SOURCE = 3  # stretches before the first memory: it begins as a spring, not as a wall
BANDS = 10
LISTED = 8  # memories of one stretch
OTHERS, EVERYWHERE, NONE = "others", "everywhere", "none"
BY: Mapping[str, Callable[[Memory], str]] = {
    "type": lambda memory: memory.type.value,
    "project": lambda memory: memory.project or EVERYWHERE,
    "category": lambda memory: memory.category or NONE,
}
TAKES: Mapping[str, Schema] = {"by": schema.one_of(["", *BY], "which bands")}
WEEK: Mapping[str, Schema] = {"after": schema.maybe(DAY, "its first day"), "before": schema.maybe(DAY, "its last day")}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A week, or some weeks."""

    first: date
    last: date
    counts: Sequence[int]  # one for each band

    @property
    def called(self) -> str:
        return f"{self.first.day} {self.first:%b %Y}"


@dataclass(frozen=True, slots=True)
class Band:
    """`value` is what Memories are filtered by; "" if there is no such filter."""

    name: str
    mark: str
    ink: str
    value: str


def page(lane: Lane, want: Want) -> View:
    by = field(want, "by") or "type"
    memories = lane.remembering.memories()
    bands = _bands(memories, by)
    stretches = _stretches(memories, bands, BY[by], lane.home.clock().astimezone().date())
    bands_shown = [_band(name, by, n) for n, name in enumerate(bands)]
    weeks = ((stretches[0].last - stretches[0].first).days + 1) // 7 if stretches else 1
    return view(
        "river.html",
        "River",
        bands=bands_shown,
        stretches=stretches,
        totals=[sum(one.counts[n] for one in stretches) for n in range(len(bands))],
        total=len(memories),
        weeks=weeks,
        last=next((one for one in reversed(stretches) if any(one.counts)), None),
        drawn=_drawn(bands_shown, stretches, by, weeks),
        by=by,
        names=list(BY),
    )


def _band(name: str, by: str, n: int) -> Band:
    is_value = name not in (OTHERS, EVERYWHERE, NONE)
    ink = f"t-{name}" if by == "type" else f"b-{n}"
    return Band(one_line(spoken(name), 32), mark(name) if by == "type" else "", ink, name if is_value else "")


def _drawn(bands: Sequence[Band], stretches: Sequence[Stretch], by: str, weeks: int) -> str:
    """What the picture is made of."""
    drawn = {
        "names": [band.name for band in bands],
        "marks": [band.mark for band in bands],
        "inks": [band.ink for band in bands],
        "leads": [band.value for band in bands],
        "by": by,
        "weeks": weeks,
        "each": "a week" if weeks == 1 else f"in {weeks} weeks",
        "from": [one.first.isoformat() for one in stretches],
        "to": [one.last.isoformat() for one in stretches],
        "counts": [one.counts for one in stretches],
    }
    return msgspec.json.encode(drawn).decode()


def week(lane: Lane, want: Want) -> View:
    """What flowed in then, the newest first."""
    after, before = field(want, "after"), field(want, "before")
    formed = [(memory.formed_at.astimezone().date().isoformat(), memory) for memory in lane.remembering.memories()]
    found = [memory for day, memory in formed if after <= day <= before]
    shown = sorted(found, key=lambda memory: memory.formed_at, reverse=True)[:LISTED]
    first = date.fromisoformat(after) if after else None
    return view("week.html", "Week", memories=shown, total=len(found), first=first, after=after, before=before)


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
    first, last = min(day for day, _band in days), max(today, max(day for day, _band in days))
    first -= timedelta(days=first.weekday())
    each = -(-((last - first).days // 7 + 1) // MOST) * 7
    first = min(first - timedelta(days=SOURCE * each), last - timedelta(days=last.weekday() + (LEAST - 1) * 7))
    weeks = (last - first).days // 7 + 1
    counts = [[0] * len(bands) for _ in range(-(-weeks * 7 // each))]
    places = {name: n for n, name in enumerate(bands)}
    for day, band in days:
        counts[(day - first).days // each][places.get(band, len(bands) - 1)] += 1
    begins = [first + timedelta(days=n * each) for n in range(len(counts))]
    return [Stretch(begin, begin + timedelta(days=each - 1), some) for begin, some in zip(begins, counts, strict=True)]
