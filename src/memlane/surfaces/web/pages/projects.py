"""Projects: each with its names, why they are one, and what may be one; joined, taken apart and renamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

OF = schema.matching(r"^p_[a-z2-7]{2,13}$", "the id of a key")
JOIN: Mapping[str, Schema] = {"of": OF, "into": OF}
NAMED: Mapping[str, Schema] = {"of": OF, "name": schema.text("its new name", 100)}


def page(lane: Lane, _want: RouteRequest) -> PageView:
    rows = lane.projects.all()
    known = {row.project.key: row.id for row in rows}
    return view(
        "projects.html",
        "Projects",
        rows=rows,
        joined=sum(len(row.keys) > 1 for row in rows),
        proposals=[(one, known[one.one.key], known[one.other.key]) for one in lane.projects.proposals()],
    )


def join(lane: Lane, want: RouteRequest) -> ActReport:
    one, other, act = lane.projects.join(field(want, "of"), field(want, "into"))
    return ActReport(f"{one.name} is now part of {other.name}.", act)


def split(lane: Lane, want: RouteRequest) -> ActReport:
    apart, act = lane.projects.split(field(want, "of"))
    return ActReport(f"{apart.name} ({apart.key}) is on its own. Lane does not join it again.", act)


def rename(lane: Lane, want: RouteRequest) -> ActReport:
    renamed, act = lane.projects.rename(field(want, "of"), field(want, "name"))
    return ActReport(f"Its name is now {renamed.name}.", act)
