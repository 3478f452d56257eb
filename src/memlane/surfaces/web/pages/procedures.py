"""Skills, commands and rules files that corrections touch: proposed changes, written and taken back by a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

CHANGE: Mapping[str, Schema] = {"change": schema.matching(r"^i_[a-z2-7]{13}$", "its id")}


def page(_lane: Lane, _want: RouteRequest) -> PageView:
    return view("procedures.html", "Procedures")


def changes(lane: Lane, _want: RouteRequest) -> PageView:
    """Every memory and the files it may be about are read: a part of its own."""
    return view("procedure_changes.html", "", changes=lane.procedures.changes(), written=lane.procedures.written())


def apply(lane: Lane, want: RouteRequest) -> ActReport:
    change = lane.procedures.chosen(field(want, "change"))
    lane.procedures.apply(change)
    return ActReport(f"{change.path} says it now. You can take it back here.")


def undo(lane: Lane, want: RouteRequest) -> ActReport:
    return ActReport(f"{lane.procedures.undo(field(want, 'change'))} is as it was before.")
