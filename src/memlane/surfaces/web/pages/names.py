"""Names nobody was sure of, each answered once for all the Memories that have it, with one key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memlane.errors import NotFoundError
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import PROJECT, Schema
from memlane.surfaces.web.look import many
from memlane.surfaces.web.views import Done, View, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.domain import Memory

NEW, NONE = "new", "not-a-name"
SHOWN = 20  # at a time
QUOTED = 3  # memories of a name
ANSWER: Mapping[str, Schema] = {
    "name": schema.text("as it was written", 200),
    "meant": schema.text("type:slug, new, or not-a-name", 400),
    "project": schema.maybe(PROJECT, "the project it was asked in"),
    "everywhere": schema.text("on: in every project", 10, least=0),
}


def page(lane: Lane, _want: Want) -> View:
    found = lane.entities.waiting()
    shown = [(one, _quotes(lane.entities.that_wait(one))) for one in found[:SHOWN]]
    return view(
        "names.html",
        "Names",
        waiting=shown,
        total=len(found),
        memories=sum(one.memories for one in found),
        answers=list(reversed(lane.entities.answers()))[:SHOWN],
    )


def _quotes(memories: Sequence[Memory]) -> Sequence[tuple[str, str, str]]:
    """Words, the Memory they led to, and where they stand."""
    found = list[tuple[str, str, str]]()
    for memory in memories[:QUOTED]:
        evidence = memory.evidence[0] if memory.evidence else None
        step = evidence.step.rpartition("#")[2] if evidence else ""
        link = f"/runs/{evidence.run}?at={step}#{step}" if evidence and step.startswith("t") else ""
        found.append((evidence.quote if evidence and evidence.quote else memory.title, memory.id, link))
    return found


def answer(lane: Lane, want: Want) -> Done:
    raw, meant, everywhere = field(want, "name"), field(want, "meant"), bool(field(want, "everywhere"))
    asked = [one for one in lane.entities.waiting() if one.raw.casefold() == raw.casefold()]
    here = next((one for one in asked if one.project.name == field(want, "project")), None)
    anew = everywhere and any(one.raw.casefold() == raw.casefold() for one in lane.entities.answers())
    if here is None and not anew:
        raise NotFoundError(f"nobody asks who {raw} is there", hint="lane entity review")
    where = "" if everywhere or here is None else here.project.key
    if meant == NEW:
        made, settled = lane.entities.answer_new(raw, here.type if here else "", where)
        return Done(f"{made.name} is somebody new, in {many(settled, 'memory', 'memories')}.")
    settled = lane.entities.answer(raw, "" if meant == NONE else meant, where)
    if meant == NONE:
        return Done(f"“{raw}” is not a name.")
    return Done(f"“{raw}” is {lane.entities.entity(meant).name}, in {many(settled, 'memory', 'memories')}.")
