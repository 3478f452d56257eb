"""Health: what `lane doctor` knows, in the same words; what was done by hand, each with its undo; what takes room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memlane.domain import Finding, Level
from memlane.errors import LaneError
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.phrases import about, said
from memlane.surfaces.schema import text
from memlane.surfaces.web.fixes import Fix, fix_for, run
from memlane.surfaces.web.formats import one_line
from memlane.surfaces.web.views import ActReport, Does, PageView, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.acts import Act

LOGGED = 100  # acts
TAKES = {"fixed": text("what was just fixed", 40, least=0)}  # an address of its own: the page is fetched anew
ORDER = (Level.FAIL, Level.WARN, Level.NOTE, Level.OK)


def page(lane: Lane, _want: RouteRequest) -> PageView:
    """What is known at once. Checking takes a moment: it comes as a part of its own."""
    acts = lane.acts.all()[:LOGGED]
    titles = lane.memories.titles(name for act in acts for name in (*act.names, *about(act)))
    return view(
        "health.html",
        "Health",
        standing=lane.health.now(),
        acts=[(act, _told(act, titles), undoable(act)) for act in acts],
        home=str(lane.config.home),
        archive=lane.config.archive_place,
    )


def look(lane: Lane, _want: RouteRequest) -> PageView:
    found = lane.health.doctor.everything(lane.setup.findings())
    counts = {level: sum(one.level is level for one in found) for level in ORDER}
    return view(
        "look.html",
        "Health",
        open=[(level, some) for level in ORDER[:-1] if (some := [one for one in found if one.level is level])],
        fine=[one for one in found if one.level is Level.OK],
        fixes=_fixes(lane, found),
        counts=counts,
        files=_files(lane.health.doctor.files()),
        sizes=sorted(lane.health.sizes().items(), key=lambda each: -each[1]),
    )


def mends(fix: Fix) -> Does:
    """The act behind the button of this fix."""

    def act(lane: Lane, _want: RouteRequest) -> ActReport:
        return ActReport(run(fix, lane.config), go=f"/health?fixed={fix.name}")

    return act


def _fixes(lane: Lane, found: Sequence[Finding]) -> Mapping[str, Mapping[str, str]]:
    """By the hint of a finding: the button that does what it says, and what a person should know before."""
    known = {one.hint: fix for one in found if one.hint and (fix := fix_for(one.hint))}
    return {
        hint: {"path": fix.path, "label": fix.label, "ask": f"{fix.change} {_changes(lane, fix)}".strip()}
        for hint, fix in known.items()
    }


def _changes(lane: Lane, fix: Fix) -> str:
    """Which files of the person's agents it writes."""
    if fix.command[0] != "hook":
        return ""
    try:
        plan = lane.setup.plan(lane.setup.wanted(lane.setup.hookable(""), timer=False))
        return "; ".join(dict.fromkeys(f"{row.where}: {row.what}" for row in lane.setup.rows(plan)))
    except LaneError as error:
        return error.message


def _files(found: Sequence[Finding], most: int = 50) -> tuple[Sequence[Finding], int]:
    return found[:most], len(found)


def undoable(act: Act) -> bool:
    return not act.undone


def _told(act: Act, titles: Mapping[str, str]) -> str:
    """What it says, not its name."""
    told = said(act)
    for name in (*act.names, *about(act)):
        if title := titles.get(name):
            told = told.replace(name, f"“{one_line(title, 80)}”")
    return told
