"""Memories as a list: by filters, several at once, and the held ones that wait for a person's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.domain import HIGH, SAID, STANDING, Order, Scope, Selection, State, Traits, Type
from memlane.errors import UsageError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import MEMORY, PROJECT, Schema
from memlane.surfaces.web.dates import day_of, midnight
from memlane.surfaces.web.formats import many, spoken
from memlane.surfaces.web.pages import memory as one_memory
from memlane.surfaces.web.views import FOLDED, ActReport, Facet, PageView, facet, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane

LISTED = 50
REVIEWED = 20  # at a time
SURE = {90: "90 and more", 60: "60 to 89", 0: "below 60"}
FACETS: Mapping[str, Callable[[Traits], str]] = {
    "type": lambda one: one.type.value,
    "state": lambda one: one.state.value,
    "project": lambda one: one.project,
    "scope": lambda one: one.scope.value,
    "category": lambda one: one.category,
    "entity": lambda _one: "",  # a memory has several: they are counted on their own
    "sure": lambda one: SURE[one.level],
    "seen": lambda one: "more than once" if one.again else "once",
    "told": lambda one: "at least once" if one.told else "never",
    "standing": lambda one: "yes" if one.always else "no",
}
Tallies = Sequence[tuple[Traits, int]]
ORDERS = {"": Order.SEEN, "used": Order.TOLD, "sure": Order.SURE, "old": Order.OLD}
TAKES: Mapping[str, Schema] = {
    "q": schema.text("words in it", 400, least=0),
    **{name: schema.text(f"only of this {name}", 200, least=0) for name in FACETS},
    "project": schema.maybe(PROJECT, "only of this project"),
    "sort": schema.one_of(["", "used", "sure", "old"], "the order"),
    "after": schema.text("formed after this day", 10, least=0),
    "before": schema.text("formed before this day", 10, least=0),
}
ADD: Mapping[str, Schema] = {
    "text": schema.text("what to remember", 8000),
    "title": schema.text("in a few words", 500, least=0),
    "type": schema.one_of([type_.value for type_ in Type], "what sort"),
    "everywhere": schema.text("on: in every project", 10, least=0),
    "project": schema.maybe(PROJECT, "in this project"),
}


def page(lane: Lane, want: RouteRequest) -> PageView:
    at, which = number(want, "page", 1), chosen(want)
    within = Selection(which.words, names=which.names, since=which.since, until=which.until)
    tallies = list(lane.memories.tallied(within).items())
    every = list(lane.memories.tallied(Selection()).items()) if within != Selection() else tallies
    total = sum(count for _traits, count in _fitting(tallies, want))
    return view(
        "memories.html",
        "Memories",
        memories=lane.memories.select(replace(which, skip=(at - 1) * LISTED)) if total else (),
        shared=lane.memories.shared(which) if at == 1 else (),
        seen_by=lane.grant_plans.seen_by(),
        total=total,
        every=sum(count for _traits, count in every),
        page=at,
        pages=max(1, -(-total // LISTED)),
        facets=[_facet(name, tallies, want) if name != "entity" else _entities(lane, want) for name in FACETS],
        chips=[(name, value) for name in ("q", *FACETS, "after", "before") if (value := field(want, name))],
        projects=sorted({traits.project for traits, _count in every if traits.project}),
    )


def chosen(want: RouteRequest, *, but: str = "") -> Selection:
    """Those that are over (superseded, retired, forgotten) only when they are asked for."""
    asked = {name: "" if name == but else field(want, name) for name in FACETS}
    level = {words: level for level, words in SURE.items()}.get(asked["sure"], -1) if asked["sure"] else None
    return Selection(
        field(want, "q"),
        tuple(state for state in State if state.value == asked["state"]) if asked["state"] else STANDING,
        asked["type"],
        asked["scope"],
        asked["project"],
        asked["category"],
        asked["entity"],
        level,
        asked["seen"] == "more than once" if asked["seen"] else None,
        asked["told"] == "at least once" if asked["told"] else None,
        asked["standing"] == "yes" if asked["standing"] else None,
        midnight(day_of(field(want, "after"))),
        midnight(day_of(field(want, "before")), 1),
        ORDERS[field(want, "sort")],
        limit=LISTED,
    )


def _fitting(tallies: Tallies, want: RouteRequest, but: str = "") -> Tallies:
    """Of those that are over only what was asked for."""
    asked = {name: field(want, name) for name in FACETS if name not in (but, "entity")}
    checks = [(FACETS[name], value) for name, value in asked.items() if value]
    any_state = bool(field(want, "state")) or but == "state"
    return [
        (traits, count)
        for traits, count in tallies
        if (any_state or traits.state in STANDING) and all(of(traits) == value for of, value in checks)
    ]


def _facet(name: str, tallies: Tallies, want: RouteRequest) -> Facet:
    counted, chosen, of = Counter[str](), field(want, name), FACETS[name]
    for traits, count in _fitting(tallies, want, but=name):
        if value := of(traits):
            counted[value] += count
    if name == "type":
        return Facet(name, [(one.value, counted[one.value]) for one in Type if counted[one.value]], 0, chosen)
    return facet(name, counted, chosen)


def _entities(lane: Lane, want: RouteRequest) -> Facet:
    most, names = lane.memories.most_named(chosen(want, but="entity"), FOLDED)
    return facet("entity", Counter(dict(most)), field(want, "entity"), names)


# -- review ------------------------------------------------------------------------------------------------------------


def review(lane: Lane, _want: RouteRequest) -> PageView:
    """The weighty and the sure first, each with the words it stands on."""
    held = sorted(lane.memories.all([State.HELD]), key=lambda m: (m.type not in HIGH, -m.confidence, m.id))
    unwanted = [lane.memories.get(id_) for id_ in lane.memories.proposals.to_forget()]
    asked = [memory for memory in unwanted if memory.state is not State.HELD]
    shown = [(memory, lane.memories.spoken(memory, 1)) for memory in [*asked, *held][:REVIEWED]]
    return view("review.html", "Review", waiting=shown, total=len(held) + len(asked), asked={one.id for one in asked})


# -- several at once ---------------------------------------------------------------------------------------------------


def _ids(want: RouteRequest) -> Sequence[str]:
    found = [name.strip() for name in field(want, "ids").split(",") if name.strip()]
    if not found or not all(one_memory.named(name) for name in found):
        raise UsageError("these are not memory ids", hint=MEMORY)
    return found


def stand(lane: Lane, want: RouteRequest) -> ActReport:
    return one_memory.stood(lane, _ids(want), field(want, "to"))


def merge(lane: Lane, want: RouteRequest) -> PageView:
    """What would come of it, before anything is done."""
    ids = _ids(want)
    after, others = lane.memories.plan_merge(ids)
    return view("merge.html", "Merge", after=after, before=[lane.memories.get(after.id), *others], ids=ids)


def join(lane: Lane, want: RouteRequest) -> ActReport:
    acted = lane.memories.merge(_ids(want))
    return ActReport(
        f"{many(len(acted.before), 'memory', 'memories')} merged into one.", acted.act, f"/m/{acted.after[0].id}"
    )


def add(lane: Lane, want: RouteRequest) -> ActReport:
    """In the person's own words: active at once."""
    where = field(want, "project")
    folder = _folder(lane, where) if where else Path("/")
    made = lane.memories.remember(
        field(want, "text"),
        folder,
        scope=None if where else Scope.GLOBAL,
        type=Type(field(want, "type", SAID.value)),
        title=field(want, "title"),
    )
    return ActReport(f"Remembered: a {spoken(made.type.value)}.", lane.acts.get(made.id).id, f"/m/{made.id}")


def _folder(lane: Lane, project: str) -> Path:
    """Where its Runs worked: what is given is looked up, never opened."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    found = lane.runs.select(RunFilter(project=lane.runs.project_called(project).key, limit=1))
    return Path(found[0].cwd) if found else Path("/")
