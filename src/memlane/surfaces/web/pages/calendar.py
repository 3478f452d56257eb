"""A year of days: how much happened on each, and what, on the one that was chosen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import RunSummary
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import DAY, Schema
from memlane.surfaces.web.pages.runs import EVERY
from memlane.surfaces.web.views import View, field, number, view

if TYPE_CHECKING:
    from memlane.lane import Lane

LEVELS = 4
WHAT = {"turns": "turns", "runs": "runs", "memories": "memories", "tokens": "tokens written"}
TAKES: Mapping[str, Schema] = {
    "year": schema.count("which year", 1970, 9999),
    "day": schema.maybe(DAY, "what happened then"),
    "what": schema.one_of(["", *WHAT], "what is counted"),
}
DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Day:
    """`level` 0 is nothing, 4 as much as on the fullest days."""

    at: date
    count: int
    level: int

    @property
    def says(self) -> str:
        return f"{self.at.day} {self.at:%B %Y}"


def page(lane: Lane, want: Want) -> View:
    from memlane.lane import RunFilter  # noqa: PLC0415 - loaded with the first question

    now, what = lane.home.clock().astimezone(), field(want, "what") or "turns"
    runs, memories = lane.reading.runs(RunFilter(limit=EVERY)), lane.remembering.memories()
    counted = _counted(what, runs, [memory.formed_at for memory in memories])
    years = sorted({day.year for day in counted} | {now.year}, reverse=True)
    year = number(want, "year", next((one for one in years if any(d.year == one for d in counted)), now.year))
    chosen = _day(field(want, "day"))
    return view(
        "calendar.html",
        "Calendar",
        weeks=_weeks(year, counted, now.date()),
        months=_months(year),
        year=year,
        years=years,
        what=what,
        whats=WHAT,
        total=sum(count for day, count in counted.items() if day.year == year),
        active=sum(day.year == year and count > 0 for day, count in counted.items()),
        days=DAYS,
        chosen=chosen,
        runs=[run for run in runs if chosen and _touches(run, chosen)],
        memories=[memory for memory in memories if chosen and memory.formed_at.astimezone().date() == chosen],
    )


def _counted(what: str, runs: Sequence[RunSummary], formed: Iterable[datetime]) -> Mapping[date, int]:
    """A Run counts on the day it ended; its index knows no days in between."""
    counted = Counter[date]()
    if what == "memories":
        return Counter(at.astimezone().date() for at in formed)
    for run in runs:
        if run.ended is not None:
            amount = {"turns": run.turns, "runs": 1, "tokens": run.tokens.output}[what]
            counted[run.ended.astimezone().date()] += amount
    return counted


def _weeks(year: int, counted: Mapping[date, int], today: date) -> Sequence[Sequence[Day | None]]:
    """Seven rows, Monday first; None where the year has no such day, or it has not come yet."""
    steps = _steps([count for day, count in counted.items() if day.year == year and count])
    first = date(year, 1, 1)
    start = first - timedelta(days=first.weekday())
    rows: list[list[Day | None]] = [[] for _ in DAYS]
    for n in range(53 * 7 if (start + timedelta(days=53 * 7)).year > year else 54 * 7):
        day = start + timedelta(days=n)
        there = day.year == year and day <= today
        count = counted.get(day, 0)
        rows[n % 7].append(Day(day, count, sum(count > step for step in steps) if count else 0) if there else None)
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


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


def _touches(run: RunSummary, day: date) -> bool:
    if run.ended is None:
        return False
    began = (run.started or run.ended).astimezone().date()
    return began <= day <= run.ended.astimezone().date()
