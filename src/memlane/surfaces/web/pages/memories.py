"""Memories as a list: by filters, several at once, and the held ones that wait for a person's word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.domain import HIGH, Memory, Scope, State, Type
from memlane.errors import UsageError
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import MEMORY, PROJECT, Schema
from memlane.surfaces.web.look import many, spoken
from memlane.surfaces.web.pages import memory as one_memory
from memlane.surfaces.web.pages.runs import Facet
from memlane.surfaces.web.views import Done, View, field, number, view

if TYPE_CHECKING:
    from memlane.lane import Lane

LISTED = 50
MOST_VALUES = 10
STANDING = (State.ACTIVE, State.HELD, State.PAUSED)
REVIEWED = 20  # at a time
Values = Callable[[Memory], Iterable[str]]
FACETS: Mapping[str, Values] = {
    "type": lambda memory: [memory.type.value],
    "state": lambda memory: [memory.state.value],
    "project": lambda memory: [memory.project] if memory.project else [],
    "scope": lambda memory: [memory.scope.value],
    "category": lambda memory: [memory.category] if memory.category else [],
    "entity": lambda memory: dict.fromkeys(one.slug or one.raw for one in memory.related_entities),
    "sure": lambda memory: [
        "90 and more" if memory.confidence >= 90 else "60 to 89" if memory.confidence >= 60 else "below 60"
    ],
    "seen": lambda memory: ["once" if memory.times_observed == 1 else "more than once"],
    "told": lambda memory: ["never" if memory.recall_count == 0 else "at least once"],
}
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


def page(lane: Lane, want: Want) -> View:
    at, every = number(want, "page", 1), lane.remembering.memories(list(State))
    inside = [memory for memory in every if _says(memory, field(want, "q"))]
    chosen = _ordered([memory for memory in inside if _fits(memory, want)], field(want, "sort"))
    shown = chosen[(at - 1) * LISTED : at * LISTED]
    return view(
        "memories.html",
        "Memories",
        memories=shown,
        total=len(chosen),
        every=len(every),
        page=at,
        pages=max(1, -(-len(chosen) // LISTED)),
        facets=[_facet(name, inside, want) for name in FACETS],
        chips=[(name, value) for name in ("q", *FACETS, "after", "before") if (value := field(want, name))],
        projects=sorted({memory.project for memory in every if memory.project}),
    )


def _says(memory: Memory, words: str) -> bool:
    text = f"{memory.title}\n{memory.content}\n{memory.id}".casefold()
    return all(word in text for word in words.casefold().split())


def _fits(memory: Memory, want: Want, but: str = "") -> bool:
    """Those that are over (superseded, retired, forgotten) only when they are asked for."""
    for name, values in FACETS.items():
        wanted = field(want, name)
        if wanted and name != but and wanted not in values(memory):
            return False
    if not field(want, "state") and but != "state" and memory.state not in STANDING:
        return False
    day = memory.formed_at.astimezone().date().isoformat()
    after, before = field(want, "after"), field(want, "before")
    return (not after or day >= after) and (not before or day <= before)


def _facet(name: str, memories: Sequence[Memory], want: Want) -> Facet:
    counted = Counter(value for one in memories if _fits(one, want, but=name) for value in FACETS[name](one))
    if name == "type":
        values = [(type_.value, counted[type_.value]) for type_ in Type if counted[type_.value]]
        return Facet(name, values, 0, field(want, name))
    most = counted.most_common(MOST_VALUES)
    chosen = field(want, name)
    extra = [(chosen, counted[chosen])] if chosen and chosen not in dict(most) else []
    return Facet(name, [*most, *extra], max(0, len(counted) - MOST_VALUES), chosen)


def _ordered(memories: Sequence[Memory], by: str) -> Sequence[Memory]:
    match by:
        case "used":
            return sorted(memories, key=lambda memory: (-memory.recall_count, -memory.formed_at.timestamp()))
        case "sure":
            return sorted(memories, key=lambda memory: (-memory.confidence, -memory.formed_at.timestamp()))
        case "old":
            return sorted(memories, key=lambda memory: memory.formed_at)
        case _:
            return sorted(memories, key=lambda memory: memory.last_observed_at, reverse=True)


# -- review ------------------------------------------------------------------------------------------------------------


def review(lane: Lane, _want: Want) -> View:
    """The weighty and the sure first, each with the words it stands on."""
    held = sorted(lane.remembering.memories([State.HELD]), key=lambda m: (m.type not in HIGH, -m.confidence, m.id))
    unwanted = [lane.remembering.memory(id_) for id_ in lane.proposing.to_forget()]
    asked = [memory for memory in unwanted if memory.state is not State.HELD]
    shown = [(memory, lane.remembering.spoken(memory, 1)) for memory in [*asked, *held][:REVIEWED]]
    return view("review.html", "Review", waiting=shown, total=len(held) + len(asked), asked={one.id for one in asked})


# -- several at once ---------------------------------------------------------------------------------------------------


def _ids(want: Want) -> Sequence[str]:
    found = [name.strip() for name in field(want, "ids").split(",") if name.strip()]
    if not found or not all(one_memory.named(name) for name in found):
        raise UsageError("these are no ids of memories", hint=MEMORY)
    return found


def stand(lane: Lane, want: Want) -> Done:
    return one_memory.stood(lane, _ids(want), field(want, "to"))


def merge(lane: Lane, want: Want) -> View:
    """What would come of it, before anything is done."""
    ids = _ids(want)
    after, others = lane.editing.plan_merge(ids)
    return view("merge.html", "Merge", after=after, before=[lane.remembering.memory(after.id), *others], ids=ids)


def join(lane: Lane, want: Want) -> Done:
    acted = lane.editing.merge(_ids(want))
    return Done(f"{many(len(acted.before), 'memory', 'memories')} are one now.", acted.act, f"/m/{acted.after[0].id}")


def add(lane: Lane, want: Want) -> Done:
    """In the person's own words: active at once."""
    where = field(want, "project")
    folder = _folder(lane, where) if where else Path("/")
    made = lane.remembering.remember(
        field(want, "text"),
        folder,
        scope=None if where else Scope.GLOBAL,
        type=Type(field(want, "type", Type.COMMITMENT.value)),
        title=field(want, "title"),
    )
    return Done(f"Remembered: a {spoken(made.type.value)}.", lane.undoing.act(made.id).id, f"/m/{made.id}")


def _folder(lane: Lane, project: str) -> Path:
    """Where its Runs worked: what is given is looked up, never opened."""
    from memlane.lane import RunFilter  # noqa: PLC0415 - loaded with the first question

    found = lane.reading.runs(RunFilter(project=lane.reading.project_called(project).key, limit=1))
    return Path(found[0].cwd) if found else Path("/")
