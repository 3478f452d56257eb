"""Runs over HTTP: listed, one, its bytes, what came out of it, all as a forest, and where something was said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memlane.domain import RunSummary
from memlane.surfaces.api.answers import BYTES
from memlane.surfaces.api.http import HttpReply, document, linked
from memlane.surfaces.api.router import RouteRequest
from memlane.surfaces.documents import of_hit, of_run, of_turn

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.runs import RunBranch
    from memlane.domain import RunFilter

LISTED = 100
FOUND = 10
PLAIN = ("project", "agent", "tag", "skill", "command", "account", "kind", "outcome")


def of(run: RunSummary) -> Mapping[str, object]:
    here = f"/api/runs/{run.id}"
    parent = f"/api/runs/{run.parent}" if run.parent else ""
    return linked(of_run(run), self=here, raw=f"{here}/raw", descendants=f"{here}/descendants", parent=parent)


def listed(lane: Lane, want: RouteRequest) -> HttpReply:
    which = _which(lane, want)
    found = lane.loans.runs(lane.runs.select(which), which)
    return document([of(run) for run in found], self="/api/runs", forest="/api/runs/forest")


def forest(lane: Lane, want: RouteRequest) -> HttpReply:
    which = _which(lane, want)
    found = lane.loans.runs(lane.runs.select(which), which)
    branches = [_branch(branch) for branch in lane.runs.families(found)]
    return document(branches, self="/api/runs/forest", runs="/api/runs")


def one(lane: Lane, want: RouteRequest) -> HttpReply:
    """A run may be huge: so many turns at a time, and a link to the next."""
    shown = lane.loans.holding_run(want.named["run"], lane.shelves).runs.show(want.named["run"])
    first, most = (int(str(want.fields.get(name, usual))) for name, usual in (("from_turn", 1), ("limit", LISTED)))
    turns = list(islice((turn for turn in shown.turns if turn.n >= first), most + 1))
    here = f"/api/runs/{shown.run.id}"
    following = f"{here}?from_turn={turns[most].n}&limit={most}" if len(turns) > most else ""
    data = {"run": of(shown.run), "turns": [of_turn(shown.run.id, turn) for turn in turns[:most]]}
    raw = f"{here}/raw" if shown.run.owner == lane.config.user else ""
    return document(data, self=here, raw=raw, runs="/api/runs", next=following)


def raw(lane: Lane, want: RouteRequest) -> HttpReply:
    """The archived bytes of the newest generation, as the agent wrote them."""
    run = lane.runs.get(want.named["run"]).id
    named = {"Content-Disposition": f'attachment; filename="{run}.raw"'}
    return HttpReply(200, type=BYTES, pieces=_checked(lane.runs.raw(run)), headers=named)


def _checked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The first piece now: what is wrong with the archive is said instead of half a file."""
    first = next(pieces, b"")

    def all_of_them() -> Iterator[bytes]:
        yield first
        yield from pieces

    return all_of_them()


def descendants(lane: Lane, want: RouteRequest) -> HttpReply:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    holder = lane.loans.holding_run(want.named["run"], lane.shelves)
    run, every = holder.runs.get(want.named["run"]).id, holder.runs.select(RunFilter())
    branches = list(lane.runs.families(every))
    while branches:
        branch = branches.pop()
        if branch.run.id == run:
            children = [_branch(child) for child in branch.children]
            return document(children, self=f"/api/runs/{run}/descendants")
        branches += branch.children
    return document([], self=f"/api/runs/{run}/descendants")


def search(lane: Lane, want: RouteRequest) -> HttpReply:
    limit = int(str(want.fields.get("limit", FOUND)))
    words, which = str(want.fields["query"]), _which(lane, want)
    found = lane.loans.search(lane.search.find(words, which, limit), words, which, limit, None).search.best[:limit]
    hits = [linked(of_hit(hit), run=f"/api/runs/{hit.run.id}") for hit in found]
    return document(hits, self="/api/search")


def _which(lane: Lane, want: RouteRequest) -> RunFilter:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    fields = want.fields
    keys = lane.entities.keys(str(fields["entity"])) if "entity" in fields else frozenset[str]()
    touched = str(fields.get("touched", ""))
    which = RunFilter(limit=int(str(fields.get("limit", LISTED))), entities=keys, file=touched)
    return replace(which, **{name: str(fields[name]) for name in PLAIN if name in fields})


def _branch(branch: RunBranch) -> Mapping[str, object]:
    return {**of(branch.run), "depth": branch.depth, "children": [_branch(child) for child in branch.children]}
