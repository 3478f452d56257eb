"""Entities: who and what Memories are about. All of them, one of them, and what a person does to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from memlane.domain import Entity
from memlane.errors import NotFoundError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import MEMORY, PROJECT, Schema
from memlane.surfaces.web.dates import Month, months
from memlane.surfaces.web.formats import many
from memlane.surfaces.web.views import ActReport, Facet, PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.entities import EntityMemories, EntityRow
    from memlane.domain import Memory

LISTED = 100
SHOWN = 40  # memories of one, unless all are asked for
RUNS = 12
BESIDE = 16  # others that stand in the same memories
KEY = schema.text("type:slug", 400)
TAKES: Mapping[str, Schema] = {
    "q": schema.text("a name", 200, least=0),
    "type": schema.text("only of this type", 40, least=0),
    "sort": schema.one_of(["", "name", "last"], "the order"),
    "all": schema.one_of(["", "yes"], "include those without memories"),
}
ONE: Mapping[str, Schema] = {"of": KEY, "all": schema.one_of(["", "yes"], "every memory")}
NAMED: Mapping[str, Schema] = {"of": KEY, "name": schema.text("its name", 200)}
MERGE: Mapping[str, Schema] = {"of": KEY, "into": KEY, "anyway": schema.text("on: allow another type", 10, least=0)}
SPLIT: Mapping[str, Schema] = {**NAMED, "memory": schema.maybe(MEMORY, "a memory to move to it")}
ADD: Mapping[str, Schema] = {
    "name": schema.text("its name", 200),
    "type": schema.text("what it is, in one word", 40),
    "aliases": schema.text("other names, comma-separated", 400, least=0),
}
ORIGINS = {"run": "named in runs", "hand": "added by hand", "folder": "has a page"}


@dataclass(frozen=True, slots=True)
class EntityNeighbour:
    """Another one in the same Memories."""

    key: str
    name: str
    type: str
    times: int


def page(lane: Lane, want: RouteRequest) -> PageView:
    at, every = number(want, "page", 1), lane.entities.entities()
    inside = [about for about in every if _says(about, field(want, "q")) and (about.memories or field(want, "all"))]
    chosen = _ordered([one for one in inside if field(want, "type") in ("", one.entity.type)], field(want, "sort"))
    return view(
        "entities.html",
        "Entities",
        rows=chosen[(at - 1) * LISTED : at * LISTED],
        total=len(chosen),
        every=len(every),
        silent=sum(not about.memories for about in every),
        facets=[_facet(inside, field(want, "type"))],
        chips=[(name, value) for name in ("q", "type") if (value := field(want, name))],
        waiting=len(lane.entities.waiting()),
        broken=lane.entities.broken,
        types=sorted({about.entity.type for about in every} | {"person", "business", "project"}),
        page=at,
        pages=max(1, -(-len(chosen) // LISTED)),
    )


def _says(about: EntityRow, words: str) -> bool:
    if not words:
        return True
    entity = about.entity
    text = " ".join((entity.name, *entity.aliases, entity.key, *about.merged)).casefold()
    return all(word in text for word in words.casefold().split())


def _ordered(found: Sequence[EntityRow], by: str) -> Sequence[EntityRow]:
    match by:
        case "name":
            return sorted(found, key=lambda about: about.entity.name.casefold())
        case "last":
            return sorted(found, key=lambda about: str(about.last or ""), reverse=True)
        case _:
            return sorted(found, key=lambda a: (a.entity.type == "file", -a.memories, a.entity.name.casefold()))


def _facet(found: Sequence[EntityRow], chosen: str) -> Facet:
    counted = Counter(about.entity.type for about in found)
    return Facet("type", counted.most_common(), 0, chosen)


# -- one of them -------------------------------------------------------------------------------------------------------


def one(lane: Lane, want: RouteRequest) -> PageView:
    about = lane.entities.about(field(want, "of"))
    entity = about.entity
    known = {each.entity.key: each.entity for each in lane.entities.entities()}
    shown = sorted(about.memories, key=lambda memory: memory.last_observed_at, reverse=True)
    return view(
        "entity.html",
        entity.name,
        about=about,
        entity=entity,
        origin=ORIGINS.get(entity.origin, entity.origin),
        memories=shown if field(want, "all") else shown[:SHOWN],
        runs=lane.entities.runs_about(about, RUNS),
        beside=_beside(about, known),
        months=_months(about, lane.home.clock()),
        others=[each for each in known.values() if each.key != entity.key and each.type != "file"],
        answers=[answer for answer in lane.entities.answers() if answer.entity == entity.key],
    )


def _beside(about: EntityMemories, known: Mapping[str, Entity]) -> Sequence[EntityNeighbour]:
    counted = Counter[str]()
    for memory in about.memories:
        counted.update({f"{each.type}:{each.slug}" for each in memory.related_entities if each.resolved})
    mine = {about.entity.key, *about.merged}
    found = [(known[key], times) for key, times in counted.most_common() if key in known and key not in mine]
    return [EntityNeighbour(entity.key, entity.name, entity.type, times) for entity, times in found[:BESIDE]]


def _months(about: EntityMemories, now: datetime) -> Sequence[Month]:
    return months([memory.formed_at for memory in about.memories], now)


# -- what a person does to one -----------------------------------------------------------------------------------------


def address(key: str) -> str:
    from urllib.parse import urlencode  # noqa: PLC0415 - only after an act

    return f"/entity?{urlencode({'of': key})}"


def add(lane: Lane, want: RouteRequest) -> ActReport:
    aliases = [alias.strip() for alias in field(want, "aliases").split(",") if alias.strip()]
    made = lane.entities.add(field(want, "name"), field(want, "type"), aliases)
    return ActReport(f"Added: {made.name}.", lane.acts.get(made.key).id, address(made.key))


def rename(lane: Lane, want: RouteRequest) -> ActReport:
    before, after = lane.entities.rename(field(want, "of"), field(want, "name"))
    if before == after:
        return ActReport("Nothing has changed.")
    return ActReport(f"{before.name} is now {after.name}; the old name still works.", lane.acts.get(after.key).id)


def merge(lane: Lane, want: RouteRequest) -> ActReport:
    gone, into = lane.entities.merge(field(want, "of"), field(want, "into"), anyway=bool(field(want, "anyway")))
    return ActReport(f"{gone.name} was merged into {into.name}.", lane.acts.get(gone.key).id, address(into.key))


def unmerge(lane: Lane, want: RouteRequest) -> ActReport:
    apart, _into = lane.entities.unmerge(field(want, "of"))
    return ActReport(f"Separate again: {apart.name}.", lane.acts.get(apart.key).id)


def split(lane: Lane, want: RouteRequest) -> ActReport:
    memory = field(want, "memory")
    made = lane.entities.split(field(want, "of"), field(want, "name"), (), [memory] if memory else ())
    return ActReport(f"Split off: {made.name}.", lane.acts.get(made.key).id, address(made.key))


def remove(lane: Lane, want: RouteRequest) -> ActReport:
    gone = lane.entities.remove(field(want, "of"))
    return ActReport(f"Removed: {gone.name}. Its memories stay.", lane.acts.get(gone.key).id, "/entities")


NEW, NONE = "new", "not-a-name"
NAMES_SHOWN = 20  # at a time
QUOTED = 3  # memories of a name
ANSWER: Mapping[str, Schema] = {
    "name": schema.text("as it was written", 200),
    "meant": schema.text("type:slug, new, or not-a-name", 400),
    "project": schema.maybe(PROJECT, "the project it was asked in"),
    "everywhere": schema.text("on: in every project", 10, least=0),
}


def review(lane: Lane, _want: RouteRequest) -> PageView:
    found, by = lane.entities.waiting(), _answered_by(lane)
    answers = list(reversed(lane.entities.answers()))[:NAMES_SHOWN]
    shown = [(one, _quotes(lane.entities.that_wait(one))) for one in found[:NAMES_SHOWN]]
    return view(
        "names.html",
        "Names",
        waiting=shown,
        total=len(found),
        memories=sum(one.memories for one in found),
        answers=[(one, by.get((one.raw.casefold(), one.project_key), "")) for one in answers],
    )


def _answered_by(lane: Lane) -> Mapping[tuple[str, str], str]:
    """By words and project: the act that gave the answer that holds, for whoever wants to undo it."""
    found = dict[tuple[str, str], str]()
    for act in lane.acts.all():
        for entry in act.answers if not act.undone else ():
            said = cast(Mapping[str, str], entry.data["mention"])
            found.setdefault((said["raw"].casefold(), said["project_key"]), act.id)
    return found


def _quotes(memories: Sequence[Memory]) -> Sequence[tuple[str, str, str]]:
    """Words, the Memory they led to, and where they stand."""
    found = list[tuple[str, str, str]]()
    for memory in memories[:QUOTED]:
        evidence = memory.evidence[0] if memory.evidence else None
        step = evidence.step.rpartition("#")[2] if evidence else ""
        link = f"/runs/{evidence.run}?at={step}#{step}" if evidence and step.startswith("t") else ""
        found.append((evidence.quote if evidence and evidence.quote else memory.title, memory.id, link))
    return found


def answer(lane: Lane, want: RouteRequest) -> ActReport:
    raw, meant, everywhere = field(want, "name"), field(want, "meant"), bool(field(want, "everywhere"))
    asked = [one for one in lane.entities.waiting() if one.raw.casefold() == raw.casefold()]
    here = next((one for one in asked if one.project.name == field(want, "project")), None)
    anew = everywhere and any(one.raw.casefold() == raw.casefold() for one in lane.entities.answers())
    if here is None and not anew:
        raise NotFoundError(f"there is no question about {raw}", hint="lane entity review")
    where = "" if everywhere or here is None else here.project.key
    if meant == NEW:
        made, settled = lane.entities.answer_new(raw, here.type if here else "", where)
        return ActReport(f"{made.name} is new, in {many(settled, 'memory', 'memories')}.", lane.acts.get().id)
    settled = lane.entities.answer(raw, "" if meant == NONE else meant, where)
    if meant == NONE:
        return ActReport(f"“{raw}” is not a name.", lane.acts.get().id)
    says = f"“{raw}” is {lane.entities.entity(meant).name}, in {many(settled, 'memory', 'memories')}."
    return ActReport(says, lane.acts.get().id)
