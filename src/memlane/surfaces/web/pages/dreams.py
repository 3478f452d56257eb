"""Dreams: one report each, every change with what it was before, why, and an undo of its own; what a person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import AppliedChange as Changed
from memlane.domain import Change, Memory
from memlane.errors import BusyError, NotFoundError
from memlane.surfaces import phrases, schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import MEMORY, Schema
from memlane.surfaces.web.formats import many
from memlane.surfaces.web.pages.memory import changes_of
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.acts import Act
    from memlane.app.dream import DreamReport

LISTED = 100
NIGHTS = 84  # days of the strip: twelve weeks
EACH = 20  # changes of one kind that are told one by one, unless all are asked for
TAKES: Mapping[str, Schema] = {"all": schema.one_of(["", "yes"], "every change")}
UNDO: Mapping[str, Schema] = {"memory": schema.maybe(MEMORY, "only what it did with this one")}


@dataclass(frozen=True, slots=True)
class DreamChange:
    """One change as it is shown: what it took in, what stands now, what differs in each."""

    done: Changed
    before: Sequence[Memory]
    after: Sequence[Memory]
    differs: Sequence[tuple[str, str, str]]
    undone: bool


@dataclass(frozen=True, slots=True)
class Night:
    """A day of the strip: how many changes, or None where nothing was dreamt."""

    day: date
    changes: int | None
    dream: str


@dataclass(frozen=True, slots=True)
class DoubtCard:
    """Two Memories of which both could be true."""

    memories: Sequence[Memory]
    because: str


def page(lane: Lane, _want: RouteRequest) -> PageView:
    reports = lane.dream.reports()
    due = lane.dream.due()
    return view(
        "dreams.html",
        "Dreams",
        reports=[(told, _headline(told)) for told in reports[:LISTED]],
        nights=_nights(reports, lane.home.clock()),
        due=due,
        running=lane.dream.running(),
    )


def start(lane: Lane, _want: RouteRequest) -> ActReport:
    try:
        lane.dream.start()
    except BusyError:  # asked for twice: one of them is enough
        return ActReport("A dream is already running. The report appears here when it is done.")
    return ActReport("Dreaming. The report appears here when it is done.")


def _headline(told: DreamReport) -> str:
    said = phrases.headline(told.dream)
    return said[:1].upper() + said[1:]


def _nights(reports: Sequence[DreamReport], now: datetime) -> Sequence[Night]:
    found = {told.dream.ended.astimezone().date(): told.dream for told in reversed(reports)}
    last = now.astimezone().date()
    days = [last - timedelta(days=n) for n in range(NIGHTS - 1, -1, -1)]
    return [Night(day, len(d.done) if (d := found.get(day)) else None, d.id if d else "") for day in days]


def one(lane: Lane, want: RouteRequest) -> PageView:
    told = lane.dream.report(want.named["dream"])
    dream, act = told.dream, _act(lane, told.dream.id)
    most = len(dream.done) if field(want, "all") else EACH
    groups = [
        (change, phrases.CHANGE_REASONS[change], [_step(lane, each, act) for each in found[:most]], len(found))
        for change in Change
        if (found := phrases.of_sort(dream, change))
    ]
    return view(
        "dream.html",
        f"Dream of {dream.began.astimezone():%d %b}",
        told=told,
        dream=dream,
        headline=phrases.headline(dream),
        groups=groups,
        counts=[(change.value, phrases.counted(dream, change), about) for change, about, _steps, _n in groups],
        choices=[DoubtCard(_known(lane, doubt.memories), doubt.because) for doubt in dream.doubts],
        ideas=[(idea, _known(lane, idea.memories)) for idea in dream.ideas],
        refused=[(refusal, _known(lane, refusal.memories)) for refusal in dream.refused],
        untouched=phrases.untouched(dream),
    )


def _act(lane: Lane, dream: str) -> Act | None:
    return next((act for act in lane.acts.all() if act.dream == dream), None)


def _known(lane: Lane, ids: Sequence[str]) -> Sequence[Memory]:
    found = list[Memory]()
    for name in ids:
        try:
            found.append(lane.memories.get(name))
        except NotFoundError:  # gone for good since
            continue
    return found


def _step(lane: Lane, done: Changed, act: Act | None) -> DreamChange:
    before, after = _known(lane, done.memories), _known(lane, done.result)
    differs = list[tuple[str, str, str]]()
    undone = False
    for memory in before if act else ():
        life = lane.memories.history(memory.id)
        mine = [n for n, moved in enumerate(life) if act and (moved.entry.machine, moved.entry.at) == act.key]
        if mine:
            differs += [change for n in mine for change in changes_of(life[n])]
            undone = undone or memory == life[mine[0]].before
    shown = [change for change in differs if change[0] not in ("state", "superseded by", "evidence")]
    return DreamChange(done, before, [memory for memory in after if memory not in before], shown, undone)


def undo(lane: Lane, want: RouteRequest) -> ActReport:
    undone = lane.dream.undo(want.named["dream"], field(want, "memory"))
    left = f"; {many(len(undone.left), 'memory', 'memories')} changed since and stayed" if undone.left else ""
    return ActReport(f"Undone: {many(len(undone.names), 'memory', 'memories')}{left}.", undone.by)
