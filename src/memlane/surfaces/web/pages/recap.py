"""What happened on a day or in a week, and a year on one page: summaries come as they are read."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import DAY, Schema
from memlane.surfaces.web.dates import day_of, midnight
from memlane.surfaces.web.views import PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.handover import Span

AT_ONCE = 0.4  # seconds: one thread answers all pages
SPANS = {"": "day", "week": "week"}
TAKES: Mapping[str, Schema] = {
    "day": schema.maybe(DAY, "which one; today without it"),
    "span": schema.one_of(list(SPANS), "the day alone, or its week"),
}
YEAR: Mapping[str, Schema] = {"year": schema.count("which year", 1970, 9998)}


def page(lane: Lane, want: RouteRequest) -> PageView:
    span, day = _span(lane, want)
    step = timedelta(days=7 if field(want, "span") else 1)
    return view(
        "recap.html",
        "What happened",
        span=span,
        day=day,
        week=field(want, "span") == "week",
        before=day - step,
        after=day + step if day + step <= lane.home.clock().astimezone().date() else None,
        later=want.asked.path.rstrip("/") + "/runs",
    )


def runs(lane: Lane, want: RouteRequest) -> PageView:
    span, _day = _span(lane, want)
    found = lane.handovers.recap(span, AT_ONCE)
    return view("recap_runs.html", "Runs", recap=found)


def year(lane: Lane, want: RouteRequest) -> PageView:
    from memlane.app.handover import Span  # noqa: PLC0415 - loaded with the first question

    now = lane.home.clock().astimezone()
    chosen = number(want, "year", now.year)
    span = Span(str(chosen), midnight(date(chosen, 1, 1)), midnight(date(chosen + 1, 1, 1)))
    found = lane.handovers.wrapped(span)
    return view("wrapped.html", f"{chosen}, wrapped", wrapped=found, year=chosen, now_year=now.year)


def _span(lane: Lane, want: RouteRequest) -> tuple[Span, date]:
    from memlane.app.handover import Span  # noqa: PLC0415 - loaded with the first question

    day = day_of(field(want, "day")) or lane.home.clock().astimezone().date()
    if field(want, "span") == "week":
        monday = day - timedelta(days=day.weekday())
        return Span(f"week of {monday.day} {monday:%B %Y}", midnight(monday), midnight(monday, 7)), day
    return Span(f"{day:%A}, {day.day} {day:%B %Y}", midnight(day), midnight(day, 1)), day
