"""Runs as a list: by filters that say how many each would leave, or by what was said in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from memlane.domain import RunSummary
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import PROJECT, Schema
from memlane.surfaces.web.views import Facet, PageView, facet, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.search import FoundTurn

LISTED = 50
FOUND = 200
IN_A_STORY = 40
LIVE = timedelta(minutes=15)  # a run that grew so lately goes on
SINCE = {"1d": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30), "365d": timedelta(days=365)}
SINCE_WORDS = {"1d": "last day", "7d": "last week", "30d": "last month", "365d": "last year"}
OUTCOMES = {"success": "went well", "failure": "failed", "none": "no outcome"}
HAS: Mapping[str, Callable[[RunSummary], bool]] = {
    "error": lambda run: run.errors > 0,
    "skill": lambda run: bool(run.skills),
    "subagent": lambda run: run.relation == "subagent",
    "pinned": lambda run: run.pinned,
}
FACETS: Mapping[str, Callable[[RunSummary], Iterable[str]]] = {
    "project": lambda run: [run.project.name] if run.project.name else [],
    "agent": lambda run: [run.agent],
    "machine": lambda run: [run.machine],
    "tag": lambda run: run.tags,
    "entity": lambda run: [key for key in run.entities if not key.startswith("file:")],
    "skill": lambda run: run.skills,
    "command": lambda run: run.commands,
    "account": lambda run: [run.account] if run.account else [],
    "kind": lambda run: [run.kind] if run.kind else [],
    "has": lambda run: [name for name, holds in HAS.items() if holds(run)],
}
TAKES: Mapping[str, Schema] = {
    "q": schema.text("words that were said", 1000, least=0),
    **{name: schema.text(f"only of this {name}", 200, least=0) for name in FACETS},
    "project": schema.maybe(PROJECT, "only of this project"),
    "touched": schema.text("only those that touched this file", 1000, least=0),
    "outcome": schema.one_of(["", *OUTCOMES], "how it went"),
    "since": schema.one_of(["", *SINCE], "how far back"),
    "sort": schema.one_of(["", "old", "long"], "the order"),
}
WORDS: Mapping[str, Mapping[str, str]] = {"since": SINCE_WORDS, "outcome": OUTCOMES}  # of what is chosen from a list


@dataclass(frozen=True, slots=True)
class RunRow:
    """A Run in the list, and where in it the words were found, if words were asked for."""

    run: RunSummary
    live: bool
    children: int
    told: int  # how often an agent was told something in it
    hit: FoundTurn | None = None
    seen_by: Sequence[str] = ()  # others than whose it is


def page(lane: Lane, want: RouteRequest) -> PageView:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    now, at = lane.home.clock(), number(want, "page", 1)
    every = lane.runs.select(RunFilter(file=field(want, "touched"), outcome=field(want, "outcome")))
    children = Counter(run.parent for run in every if run.relation == "subagent")
    hits, words = _found(lane, field(want, "q"))
    inside = [run for run in every if run.id in hits] if field(want, "q") else every
    chosen = _ordered([run for run in inside if _fits(run, want, now)], want, hits)
    shown = chosen[(at - 1) * LISTED : at * LISTED]
    told = {run.id: len(lane.recall.told_in(run.id)) for run in shown}
    seen = lane.grant_plans.seen_by()
    rows = [
        RunRow(run, _live(run, now), children[run.id], told[run.id], hits.get(run.id), seen.get(run.id, ()))
        for run in shown
    ]
    return view(
        "runs.html",
        "Runs",
        rows=rows,
        total=len(chosen),
        every=len(every),
        page=at,
        pages=max(1, -(-len(chosen) // LISTED)),
        days=_days(rows, now) if not field(want, "q") and not field(want, "sort") else [("", rows)],
        facets=[one for name in FACETS if (one := _facet(name, inside, want, now)).tells],
        machines=len({run.machine for run in every}),
        chips=_chips(want),
        kept=(*FACETS, "touched"),
        since=SINCE_WORDS,
        outcomes=OUTCOMES,
        meant=words,
        story=_as_story(want, chosen),
    )


def _as_story(want: RouteRequest, chosen: Sequence[RunSummary]) -> str:
    """Where the Runs that a filter leaves are told as one; "" without a filter, and for more than a page tells."""
    if path := field(want, "touched"):
        return f"/story?{urlencode({'changed': path})}"
    few = _chips(want) and 1 < len(chosen) <= IN_A_STORY
    return f"/story?runs={','.join(run.id for run in chosen)}" if few else ""


def _found(lane: Lane, words: str) -> tuple[Mapping[str, FoundTurn], str]:
    """The best place in each Run, and how it was looked for."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    hits = dict[str, "FoundTurn"]()
    if not words:
        return hits, ""
    found = lane.search.find(words, RunFilter(), FOUND)
    for hit in found.search.best:
        hits.setdefault(hit.run.id, hit)
    return hits, "by words only" if found.by == "words" else ""


def _fits(run: RunSummary, want: RouteRequest, now: datetime, but: str = "") -> bool:
    """Subagents are folded under the Run they worked for, until one asks for them."""
    for name, values in FACETS.items():
        wanted = field(want, name)
        if wanted and name != but and wanted not in values(run):
            return False
    since = SINCE.get(field(want, "since"))
    if since and (run.ended is None or run.ended < now - since):
        return False
    folded = run.relation == "subagent" and field(want, "has") != "subagent" and not field(want, "q")
    return not folded or but == "has"


def _ordered(runs: Sequence[RunSummary], want: RouteRequest, hits: Mapping[str, FoundTurn]) -> Sequence[RunSummary]:
    match field(want, "sort"):
        case "old":
            return sorted(runs, key=lambda run: str(run.started))
        case "long":
            return sorted(runs, key=lambda run: -run.steps)
        case _ if hits:
            return sorted(runs, key=lambda run: list(hits).index(run.id))
        case _:
            return sorted(runs, key=lambda run: run.ended.timestamp() if run.ended else 0.0, reverse=True)


def _facet(name: str, runs: Sequence[RunSummary], want: RouteRequest, now: datetime) -> Facet:
    counted = Counter(value for run in runs if _fits(run, want, now, but=name) for value in FACETS[name](run))
    return facet(name, counted, field(want, name))


def _chips(want: RouteRequest) -> Sequence[tuple[str, str]]:
    named = [(name, field(want, name)) for name in ("q", *FACETS, "touched", "outcome", "since")]
    return [(name, WORDS.get(name, {}).get(value, value)) for name, value in named if value]


def _days(rows: Sequence[RunRow], now: datetime) -> Sequence[tuple[str, list[RunRow]]]:
    found = dict[str, list[RunRow]]()
    for row in rows:
        found.setdefault(_called(row.run.ended, now), []).append(row)
    return list(found.items())


def _called(at: datetime | None, now: datetime) -> str:
    if at is None:
        return "Unknown date"
    here, today = at.astimezone().date(), now.astimezone().date()
    match (today - here).days:
        case 0:
            return "Today"
        case 1:
            return "Yesterday"
        case days if days < 7:
            return f"{here:%A}"
        case _ if here.year == today.year:
            return f"{here:%B}"
        case _:
            return f"{here:%B %Y}"


def _live(run: RunSummary, now: datetime) -> bool:
    return run.ended is not None and now - run.ended < LIVE
