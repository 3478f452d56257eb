"""A year of days: how much happened on each, and what, on the one that was chosen."""

from __future__ import annotations

from calendar import isleap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Memory, Order, RunSummary, Selection
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import DAY, Schema
from memlane.surfaces.web.dates import day_of, midnight
from memlane.surfaces.web.views import PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane

LEVELS = 4
ON_A_DAY = 200  # memories
WHAT = {"turns": "turns", "runs": "runs", "memories": "memories", "tokens": "tokens written"}
TAKES: Mapping[str, Schema] = {
    "year": schema.count("which year", 1970, 9998),
    "day": schema.maybe(DAY, "what happened then"),
    "what": schema.one_of(["", *WHAT], "what is counted"),
}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """`level` 0 is nothing, 4 as much as on the fullest days."""

    at: date
    count: int
    level: int

    @property
    def says(self) -> str:
        return f"{self.at.day} {self.at:%B %Y}"


def page(lane: Lane, want: RouteRequest) -> PageView:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    now, what = lane.home.clock().astimezone(), field(want, "what") or "turns"
    runs = lane.runs.select(RunFilter())
    counted = _counted(what, runs)
    years = _years_of_memories(lane, now.year) if what == "memories" else {day.year for day in counted}
    year = number(want, "year", max(years, default=now.year))
    if what == "memories":
        counted = _formed(lane, year)
    busy = [day for day, count in counted.items() if day.year == year and count]
    chosen = day_of(field(want, "day")) or max(busy, default=None)
    return view(
        "calendar.html",
        "Calendar",
        weeks=_weeks(year, counted, now.date()),
        months=_months(year),
        year=year,
        years=sorted(years | {now.year}, reverse=True),
        what=what,
        whats=WHAT,
        total=sum(count for day, count in counted.items() if day.year == year),
        active=sum(day.year == year and count > 0 for day, count in counted.items()),
        days=DAYS,
        chosen=chosen,
        runs=[run for run in runs if chosen and _touches(run, chosen)],
        memories=_formed_on(lane, chosen) if chosen else (),
    )


def _counted(what: str, runs: Sequence[RunSummary]) -> Mapping[date, int]:
    """A Run counts on the day it ended; its index knows no days in between."""
    counted = Counter[date]()
    for run in runs:
        if run.ended is not None:
            amount = {"turns": run.turns, "runs": 1, "tokens": run.tokens.output}.get(what, 0)
            counted[run.ended.astimezone().date()] += amount
    return counted


def _years_of_memories(lane: Lane, now: int) -> set[int]:
    ends = (lane.memories.select(Selection(states=STANDING, order=o, limit=1)) for o in (Order.OLD, Order.YOUNG))
    years = [memory.formed_at.astimezone().year for some in ends for memory in some]
    return set(range(years[0], years[1] + 1)) if years else {now}


def _formed(lane: Lane, year: int) -> Mapping[date, int]:
    days = [date(year, 1, 1) + timedelta(days=n) for n in range(365 + isleap(year))]
    edges = [*map(midnight, days), midnight(days[-1], 1)]
    counts = lane.memories.over_time(edges)
    return {day: count for day, by in zip(days, counts, strict=True) if (count := sum(by.values()))}


def _formed_on(lane: Lane, day: date) -> Sequence[Memory]:
    which = Selection(states=STANDING, since=midnight(day), until=midnight(day, 1), order=Order.YOUNG, limit=ON_A_DAY)
    return lane.memories.select(which)


def _weeks(year: int, counted: Mapping[date, int], today: date) -> Sequence[Sequence[CalendarDay | None]]:
    """Seven rows, Monday first; None where the year has no such day, or it has not come yet."""
    steps = _steps([count for day, count in counted.items() if day.year == year and count])
    first = date(year, 1, 1)
    start = first - timedelta(days=first.weekday())
    rows: list[list[CalendarDay | None]] = [[] for _ in DAYS]
    for n in range(53 * 7 if (start + timedelta(days=53 * 7)).year > year else 54 * 7):
        day = start + timedelta(days=n)
        there = day.year == year and day <= today
        count = counted.get(day, 0)
        rows[n % 7].append(
            CalendarDay(day, count, sum(count > step for step in steps) if count else 0) if there else None
        )
    return rows


def _steps(counts: Sequence[int]) -> Sequence[int]:
    """Above each of these a day is one level darker: by quarters of the days, so that one huge day hides no others."""
    every = sorted(counts)
    return [0, *(every[len(every) * n // LEVELS] for n in range(1, LEVELS))] if every else [0]


def _months(year: int) -> Sequence[tuple[str, int]]:
    """Names and how many columns each takes."""
    first = date(year, 1, 1)
    start = first - timedelta(days=first.weekday())
    columns = [(date(year, month, 1) - start).days // 7 for month in range(1, 13)]
    ends = [*columns[1:], 53]
    return [
        (f"{date(year, n + 1, 1):%b}", end - begin) for n, (begin, end) in enumerate(zip(columns, ends, strict=True))
    ]


def _touches(run: RunSummary, day: date) -> bool:
    if run.ended is None:
        return False
    began = (run.started or run.ended).astimezone().date()
    return began <= day <= run.ended.astimezone().date()
