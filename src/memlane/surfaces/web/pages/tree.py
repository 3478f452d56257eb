"""Which Run came out of which, across machines: subagents, forks and resumes under where they started, beside time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import RunSummary
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import PROJECT, RUN, Schema
from memlane.surfaces.web.formats import lasted
from memlane.surfaces.web.pages.central import is_here
from memlane.surfaces.web.pages.runs import LIVE, SINCE, SINCE_WORDS
from memlane.surfaces.web.views import PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.runs import RunBranch

LISTED = 40  # trees
NEWEST = 400  # runs that Central is asked for
WIDTH = 1000  # of the picture of time
LEAST = 6  # of a bar: a run of a minute is seen too
DEEPEST = 6  # steps of indentation; further ones stand where the sixth does
BY: Mapping[str, Callable[[RunSummary], str]] = {
    "project": lambda run: run.project.name or "no project",
    "machine": lambda run: run.machine,
    "agent": lambda run: run.agent,
}
CALLED = {"resume": "resumed", "fork": "forked", "continuation": "continued", "copy": "copied", "subagent": "subagent"}
TAKES: Mapping[str, Schema] = {
    "by": schema.one_of(["", *BY], "how to group"),
    "since": schema.one_of(["", *SINCE], "how far back"),
    "machine": schema.text("only of this machine", 60, least=0),
    "project": schema.maybe(PROJECT, "only of this project"),
    "only": schema.one_of(["", "people"], "without what no person talked to"),
    "run": schema.maybe(RUN, "only the tree it is in"),
}


@dataclass(frozen=True, slots=True)
class Bar:
    """Where in the picture a Run stands."""

    x: float
    width: float


@dataclass(frozen=True, slots=True)
class BranchRow:
    """A Run in its place. `folds`: it is not shown until one asks."""

    run: RunSummary
    depth: int
    below: int  # all that came out of it
    called: str
    live: bool
    bar: Bar | None
    lasted: str
    folds: bool


@dataclass(frozen=True, slots=True)
class TimeSpan:
    began: datetime
    ended: datetime

    def bar(self, run: RunSummary) -> Bar | None:
        if run.started is None or run.ended is None:
            return None
        whole = max(1.0, (self.ended - self.began).total_seconds())
        x = (run.started - self.began).total_seconds() / whole * WIDTH
        width = max(LEAST, (run.ended - run.started).total_seconds() / whole * WIDTH)
        x = max(0.0, min(x, WIDTH - LEAST))
        return Bar(round(x, 1), round(min(width, WIDTH - x), 1))


def page(lane: Lane, want: RouteRequest) -> PageView:
    """Of the runs that are here; those of other machines follow when Central has answered."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    at, every = number(want, "page", 1), lane.runs.tree(RunFilter())
    roots = _chosen(every, want, lane.home.clock())
    return view(
        "tree.html",
        "Tree",
        **_drawn(roots[(at - 1) * LISTED : at * LISTED], want, lane.home.clock()),
        there=False,
        wider=is_here(lane),
        total=len(roots),
        every=len(every),
        machines=sorted({run.machine for one in every for run in _all(one)}),
        projects=sorted({one.run.project.name for one in every if one.run.project.name}),
        since=SINCE_WORDS,
        page=at,
        pages=max(1, -(-len(roots) // LISTED)),
    )


def there(lane: Lane, want: RouteRequest) -> PageView:
    """Of the runs that only Central has: of one's other machines, and those that others share."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    found, why = lane.everywhere.runs(RunFilter(limit=NEWEST))
    known = {run.id for run in lane.runs.select(RunFilter(only=frozenset(run.id for run in found)))}
    every = lane.runs.families([run for run in found if run.id not in known])
    roots = _chosen(every, want, lane.home.clock())
    drawn = {**_drawn(roots[:LISTED], want, lane.home.clock()), "there": True, "machines": ()}
    return view("tree_there.html", "On Central", **drawn, more=max(0, len(roots) - LISTED), why=why)


def _chosen(every: Sequence[RunBranch], want: RouteRequest, now: datetime) -> Sequence[RunBranch]:
    """The newest first."""
    since = SINCE.get(field(want, "since"))
    roots = [one for one in every if _fits(one, want, now - since if since else None)]
    return sorted(roots, key=lambda one: str(_ended(one)), reverse=True)


def _drawn(roots: Sequence[RunBranch], want: RouteRequest, now: datetime) -> Mapping[str, object]:
    by, since = field(want, "by") or "project", SINCE.get(field(want, "since"))
    span = TimeSpan(now - since, now) if since else None
    groups = _grouped(roots, BY[by], [_rows(one, want, now, span) for one in roots])
    barred = {name for name, trees, _ in groups if any(row.bar for rows in trees for row in rows)}
    return {"groups": groups, "barred": barred, "by": by, "ticks": _ticks(span) if span else ()}


def _all(branch: RunBranch) -> Iterator[RunSummary]:
    yield branch.run
    for child in branch.children:
        yield from _all(child)


def _ended(branch: RunBranch) -> datetime | None:
    return max((run.ended for run in _all(branch) if run.ended), default=None)


def _fits(branch: RunBranch, want: RouteRequest, since: datetime | None) -> bool:
    runs = list(_all(branch))
    ended = _ended(branch)
    if since and (ended is None or ended < since):
        return False
    if (only := field(want, "run")) and not any(run.id == only for run in runs):
        return False
    if field(want, "only") == "people" and not any(run.person_turns for run in runs):
        return False
    machine, project = field(want, "machine"), field(want, "project")
    return (not machine or any(run.machine == machine for run in runs)) and project in ("", branch.run.project.name)


def _rows(branch: RunBranch, want: RouteRequest, now: datetime, span: TimeSpan | None) -> Sequence[BranchRow]:
    runs = list(_all(branch))
    times = [at for run in runs for at in (run.started, run.ended) if at]
    own = span or (
        TimeSpan(min(times), max(times)) if times and len(runs) > 1 else None
    )  # alone, there is nothing beside
    people = field(want, "only") == "people"
    return list(_flat(branch, 0, own, now, people=people, open_=bool(field(want, "run"))))


def _flat(
    branch: RunBranch, depth: int, span: TimeSpan | None, now: datetime, *, people: bool, open_: bool
) -> Iterator[BranchRow]:
    run = branch.run
    if people and depth and not any(one.person_turns for one in _all(branch)):
        return
    live = run.ended is not None and now - run.ended < LIVE
    folds = bool(depth) and not open_ and run.relation == "subagent" and run.person_turns == 0
    called, took = CALLED.get(run.relation, run.relation) or run.agent, lasted(run.started, run.ended)
    below = sum(1 for _ in _all(branch)) - 1
    yield BranchRow(run, min(depth, DEEPEST), below, called, live, span.bar(run) if span else None, took, folds)
    for child in branch.children:
        yield from _flat(child, depth + 1, span, now, people=people, open_=open_)


def _grouped(
    roots: Sequence[RunBranch], by: Callable[[RunSummary], str], rows: Sequence[Sequence[BranchRow]]
) -> Sequence[tuple[str, Sequence[Sequence[BranchRow]], int]]:
    """A child stands with its root, whatever its own project or machine is."""
    groups = dict[str, list[Sequence[BranchRow]]]()
    for root, some in zip(roots, rows, strict=True):
        groups.setdefault(by(root.run), []).append(some)
    return [(name, some, len({row.run.machine for each in some for row in each})) for name, some in groups.items()]


def _ticks(span: TimeSpan, most: int = 5) -> Sequence[tuple[float, str]]:
    whole = span.ended - span.began
    style = "%H:%M" if whole <= timedelta(days=1) else "%d %b"
    return [
        (n / most * WIDTH, (span.began + whole * n / most).astimezone().strftime(style).lstrip("0"))
        for n in range(most)
    ]
