"""A Run that is not here: of another machine, or of somebody who shares it. Central is asked for each part of it.

Nothing of it is kept, so a share that was taken back ends with the next question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memlane.surfaces.api import RouteRequest
from memlane.surfaces.web.formats import called
from memlane.surfaces.web.steps import PART, RunExtras, lines
from memlane.surfaces.web.views import PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.control import Grant
    from memlane.domain import RunSummary


@dataclass(frozen=True, slots=True)
class SharedWith:
    """A person or a group that reads it, and until when; None: until it is taken back."""

    whom: str
    group: bool
    until: datetime | None


def page(lane: Lane, want: RouteRequest) -> PageView:
    at = field(want, "at")
    there = lane.everywhere.run(want.named["run"], at=at, most=PART)
    run, part = there.part.run, there.part
    return view(
        "elsewhere.html",
        called(run),
        run=run,
        mine=run.owner == lane.config.user,
        shares=_shared_with(there.shares),
        part=part,
        lines=lines(part, _around(lane, run)),
        asked=at,
        step_part=PART,
    )


def steps(lane: Lane, want: RouteRequest) -> PageView:
    first, most = number(want, "from", 0), number(want, "most", PART)
    part = lane.everywhere.run(want.named["run"], first=first, most=most).part
    shown = lines(part, _around(lane, part.run), whole=number(want, "whole", 0) == 1)
    return view("steps.html", "", run=part.run, part=part, lines=shown, asked="", step_part=PART)


def _shared_with(shares: Sequence[Grant]) -> Sequence[SharedWith]:
    return [SharedWith(one.whom, one.group, datetime.fromisoformat(one.until) if one.until else None) for one in shares]


def _around(lane: Lane, run: RunSummary) -> RunExtras:
    """What belongs to it beside its Steps is its owner's."""
    return RunExtras() if run.owner == lane.config.user else RunExtras(person=run.owner)
