"""The river: how many Memories of each sort were formed in each week, newest at the right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import STANDING, Order, Selection, Type
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import DAY, Schema
from memlane.surfaces.web.dates import day_of, midnight
from memlane.surfaces.web.formats import one_line, spoken
from memlane.surfaces.web.views import PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

MOST = 130  # stretches of time; longer histories have longer stretches
LEAST = 12  # a river of two weeks is none
SOURCE = 3  # stretches before the first memory: one sees that there was nothing
BANDS = 10
LISTED = 8  # memories of one stretch
OTHERS, EVERYWHERE, NONE = "others", "everywhere", "none"
BY: Mapping[str, str] = {"type": "", "project": EVERYWHERE, "category": NONE}  # and what those without are called
TAKES: Mapping[str, Schema] = {
    "by": schema.one_of(["", *BY], "which bands"),
    "at": schema.maybe(DAY, "the first day of what is read"),
}
WEEK: Mapping[str, Schema] = {"after": schema.maybe(DAY, "its first day"), "before": schema.maybe(DAY, "its last day")}


@dataclass(frozen=True, slots=True)
class RiverStretch:
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


def page(lane: Lane, want: RouteRequest) -> PageView:
    by = field(want, "by") or "type"
    spans = _spans(lane, lane.home.clock().astimezone().date())
    edges = [midnight(day) for day in spans]
    counted = [
        Counter({value or BY[by]: count for value, count in counts.items()})
        for counts in lane.memories.over_time(edges, by)
    ]
    bands = _bands(sum(counted, Counter[str]()), by)
    stretches = _stretches(spans, counted, bands)
    bands_shown = [_band(name, by, n) for n, name in enumerate(bands)]
    weeks = ((stretches[0].last - stretches[0].first).days + 1) // 7 if stretches else 1
    return view(
        "river.html",
        "River",
        bands=bands_shown,
        stretches=stretches,
        totals=[sum(one.counts[n] for one in stretches) for n in range(len(bands))],
        total=sum(sum(one.counts) for one in stretches),
        weeks=weeks,
        shown=_shown(stretches, field(want, "at")),
        drawn=_drawn(bands_shown, stretches, by, weeks),
        by=by,
        names=list(BY),
    )


def _shown(stretches: Sequence[RiverStretch], at: str) -> RiverStretch | None:
    """The one asked for, else the last in which anything came."""
    asked = [one for one in stretches if one.first.isoformat() == at]
    return next(iter([*asked, *(one for one in reversed(stretches) if any(one.counts))]), None)


def _band(name: str, by: str, n: int) -> Band:
    is_value = name not in (OTHERS, EVERYWHERE, NONE)
    ink = f"t-{name}" if by == "type" else f"b-{n}"
    return Band(one_line(spoken(name), 32), Type(name).row.mark if by == "type" else "", ink, name if is_value else "")


def _drawn(bands: Sequence[Band], stretches: Sequence[RiverStretch], by: str, weeks: int) -> str:
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


def week(lane: Lane, want: RouteRequest) -> PageView:
    """What flowed in then, the newest first."""
    after, before = field(want, "after"), field(want, "before")
    first, last = day_of(after), day_of(before)
    which = Selection(states=STANDING, since=midnight(first), until=midnight(last, 1), order=Order.YOUNG, limit=LISTED)
    shown = lane.memories.select(which)
    total = sum(lane.memories.tallied(which).values())
    return view("week.html", "Week", memories=shown, total=total, first=first, after=after, before=before)


def _bands(counted: Mapping[str, int], by: str) -> Sequence[str]:
    """Types in the order of their weight, other things by how many there are."""
    if by == "type":
        return [type_.value for type_ in Type if counted.get(type_.value)]
    most = [name for name, _count in Counter(counted).most_common(BANDS)]
    return most if len(counted) <= BANDS else [*most[: BANDS - 1], OTHERS]


def _spans(lane: Lane, today: date) -> Sequence[date]:
    """Mondays from before the first Memory to the week after this one, all as far apart."""
    oldest = lane.memories.select(Selection(states=STANDING, order=Order.OLD, limit=1))
    if not oldest:
        return []
    newest = lane.memories.select(Selection(states=STANDING, order=Order.YOUNG, limit=1))
    first, last = oldest[0].formed_at.astimezone().date(), max(today, newest[0].formed_at.astimezone().date())
    first -= timedelta(days=first.weekday())
    each = -(-((last - first).days // 7 + 1) // MOST) * 7
    first = min(first - timedelta(days=SOURCE * each), last - timedelta(days=last.weekday() + (LEAST - 1) * 7))
    weeks = (last - first).days // 7 + 1
    return [first + timedelta(days=n * each) for n in range(-(-weeks * 7 // each) + 1)]


def _stretches(spans: Sequence[date], counted: Sequence[Counter[str]], bands: Sequence[str]) -> Sequence[RiverStretch]:
    """What has no band of its own is among the others."""
    return [
        RiverStretch(first, after - timedelta(days=1), [_count(band, counts, bands) for band in bands])
        for (first, after), counts in zip(pairwise(spans), counted, strict=True)
    ]


def _count(band: str, counts: Counter[str], bands: Sequence[str]) -> int:
    if band == OTHERS and band == bands[-1]:
        return sum(count for name, count in counts.items() if name not in bands[:-1])
    return counts[band]
