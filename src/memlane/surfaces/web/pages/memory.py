"""One Memory: what it says and stands on, how it has served, what became of it; and all that can be done to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, cast

from memlane.domain import TAUGHT, WITHHELD, Address, Evidence, Memory, Mention, Scope
from memlane.domain import journal as kinds
from memlane.errors import LaneError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import MEMORY, PROJECT, Schema
from memlane.surfaces.web.formats import many, one_line, percent
from memlane.surfaces.web.views import ActReport, PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.acts import Act, LifeStep
    from memlane.app.memories import EvidenceView
    from memlane.domain import Entry

WHO = {"person": "you", "lane": "Lane", "dream": "a dream"}
WORDS = {"keep": "Kept", "pause": "Paused", "resume": "Recalled again", "forget": "Forgotten", "restore": "Restored"}
MAKERS = {
    "": "you",
    "person": "you",
    "embedded": "the built-in classifier",
    TAUGHT: "you, in plain words",
    "agent": "an agent",
    "model": "a model",
    "mcp": "an agent",
    "import": "an import",
}
BEGAN = {"import": "brought it in", "mcp": "noted it"}
READ_BY_ANOTHER = ("agent", "model", "mcp")  # whose name comes after a slash
CLOSEST = 6
SHOWN = 6  # pieces of evidence
AROUND = 3  # Steps that are shown of its Run
FIELDS = ("title", "content", "type", "scope", "project", "category", "confidence", "agents", "when", "always", "cues")
EDIT: Mapping[str, Schema] = {
    **{name: schema.text(name, 8000, least=0) for name in FIELDS},
    "project": schema.maybe(PROJECT, "where it holds"),
}
STAND: Mapping[str, Schema] = {"to": schema.one_of(list(WORDS), "what to do")}


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """A line of its history."""

    at: datetime
    who: str
    what: str
    changes: Sequence[tuple[str, str, str]]
    recall: str = ""
    run: str = ""
    act: str = ""  # what `undo` takes back


@dataclass(frozen=True, slots=True)
class EvidenceQuote:
    """A piece of evidence, and what was said around it."""

    spoken: EvidenceView
    link: str
    around: Sequence[tuple[str, str, str]]  # id, who, text


def page(lane: Lane, want: RouteRequest) -> PageView:
    memory = lane.memories.read(want.named["memory"])
    life = [line for line in (_happened(moved, memory.id) for moved in lane.memories.history(memory.id)) if line]
    acts = {act.key: act for act in lane.acts.all() if memory.id in act.names}
    return view(
        "memory.html",
        memory.title or "Deleted memory",
        memory=memory,
        sources=[_source(lane, one, near=n == 0) for n, one in enumerate(_spoken(lane, memory))],
        uses=[line for line in reversed(life) if line.recall],
        history=[_undoable(line, acts) for line in reversed(life) if not line.recall],
        replaced=lane.memories.replaced_by(memory),
        by=lane.memories.get(memory.superseded_by) if memory.superseded_by else None,
        scopes=list(Scope),
        maker=made_by(memory.maker),
        mine=memory.owner == lane.config.user,
        unseen=sum(one == WITHHELD for one in memory.evidence),
        seen_by=lane.grant_plans.seen_by().get(memory.id, ()),
    )


def _spoken(lane: Lane, memory: Memory) -> Sequence[EvidenceView]:
    return [one for one in lane.memories.spoken(memory, SHOWN) if one.evidence != WITHHELD]


def made_by(maker: str) -> str:
    """`extractor@version/who` or `mcp/who` as a person says it: who read, where that is known."""
    how, _, who = maker.partition("/")
    name = how.partition("@")[0]
    nobody = MAKERS.get(name, name)
    return who.rpartition("/")[2] if name in READ_BY_ANOTHER and who and who != name else nobody


def formed_by(actor: str, maker: str) -> tuple[str, str]:
    """Who began it, and what they did."""
    name = maker.partition("/")[0].partition("@")[0]
    if name in ("", "person"):
        return WHO.get(actor, actor.removeprefix("agent:")), "wrote it down"
    return ("you", "taught it") if name == TAUGHT else (made_by(maker), BEGAN.get(name, "caught it"))


def near(lane: Lane, want: RouteRequest) -> PageView:
    """Those most like it; none where no model gives texts their meaning."""
    memory = lane.memories.get(want.named["memory"])
    try:
        found, why = lane.map.near(memory, CLOSEST), ""
    except LaneError as error:
        found, why = (), error.message
    return view("closest.html", f"Similar to {memory.title}", near=found, why=why)


def _source(lane: Lane, spoken: EvidenceView, *, near: bool) -> EvidenceQuote:
    evidence = spoken.evidence
    place = re.search(r"(t(\d+)\.(\d+))$", evidence.step)
    if spoken.run is None or place is None:
        return EvidenceQuote(spoken, "", ())
    address = Address(evidence.run, int(place[2]), int(place[3]))
    return EvidenceQuote(
        spoken, f"/runs/{evidence.run}?at={place[1]}#{place[1]}", _around(lane, address) if near else ()
    )


def _around(lane: Lane, address: Address) -> Sequence[tuple[str, str, str]]:
    part = lane.runs.transcript.around(address, AROUND)
    said = [(one, one.step.text or (f"{one.step.call.name}" if one.step.call else "")) for one in part.steps]
    return [(f"t{one.turn}.{one.step.n}", one.step.author.value, one_line(text, 240)) for one, text in said]


# -- what became of it -------------------------------------------------------------------------------------------------


def _happened(moved: LifeStep, memory: str) -> HistoryRow | None:
    entry = moved.entry
    who = WHO.get(entry.actor, entry.actor.removeprefix("agent:"))
    if entry.kind == kinds.RECALL:
        return _recalled(entry, memory)
    if entry.kind == kinds.MEMORY and moved.before is None:
        who, what = formed_by(entry.actor, moved.after.maker if moved.after else "")
    else:
        what = _what(moved)
    return HistoryRow(entry.at, who, what, changes_of(moved)) if what else None


def changes_of(moved: LifeStep) -> Sequence[tuple[str, str, str]]:
    """Each field that changed: before, after."""
    return [(change.field.replace("_", " "), _value(change.before), _value(change.after)) for change in moved.changes]


def _recalled(entry: Entry, memory: str) -> HistoryRow | None:
    recall = cast(Mapping[str, object], entry.data.get("recall", entry.data))
    shown = cast(Sequence[Mapping[str, object]], recall.get("shown", ()))
    mine = next((match for match in shown if _id_of(match) == memory), None)
    if mine is None:
        return None
    query = cast(Mapping[str, object], recall.get("query", {}))
    similarity = mine.get("similarity", 0.0)
    fits = percent(similarity) if isinstance(similarity, float) and similarity else str(mine.get("source", ""))
    words = one_line(str(query.get("words", "")), 120)
    return HistoryRow(
        entry.at, str(query.get("agent", "")), f"{fits}  {words}", (), entry.id, str(query.get("run", ""))
    )


def _id_of(match: Mapping[str, object]) -> str:
    found = match.get("memory", "")
    return str(cast(Mapping[str, object], found).get("id", "")) if isinstance(found, dict) else str(found)


def _what(moved: LifeStep) -> str:
    entry, before, after = moved.entry, moved.before, moved.after
    because = str(entry.data.get("because", ""))
    match entry.kind:
        case kinds.MEMORY | kinds.ENTITY:
            return "changed it" + (f": {because}" if because else "") if before != after else ""
        case kinds.STATE:
            return f"made it {after.state.value if after else 'another'}" + (f": {because}" if because else "")
        case kinds.OBSERVATION:
            return "saw it once more"
        case kinds.MENTIONS:
            return "resolved names in it anew"
        case kinds.FEEDBACK:
            return "gave it a thumb"
        case kinds.UNDO:
            return "took that back"
        case _:
            return ""


def _value(value: object) -> str:
    match value:
        case tuple():
            return ", ".join(_value(one) for one in cast(tuple[object, ...], value)) or "nothing"
        case Evidence():
            return value.step or value.run
        case Mention():
            return value.slug or value.raw
        case bool():
            return "yes" if value else "no"
        case datetime():
            return value.astimezone().strftime("%d %b %Y %H:%M")
        case _:
            return str(value) or "nothing"


def _undoable(line: HistoryRow, acts: Mapping[tuple[str, datetime], Act]) -> HistoryRow:
    found = next((act for (_machine, at), act in acts.items() if at == line.at and not act.undone), None)
    return replace(line, act=found.id) if found and line.who == "you" else line


# -- what a person does to it ------------------------------------------------------------------------------------------


def named(given: str) -> bool:
    return re.fullmatch(MEMORY, given) is not None


def edit(lane: Lane, want: RouteRequest) -> ActReport:
    wanted = {name: str(want.fields[name]).replace("\r\n", "\n") for name in FIELDS if name in want.fields}
    if not wanted.get("project"):
        wanted.pop("project", None)  # nobody named another one
    acted = lane.memories.edit(want.named["memory"], wanted)
    return ActReport("Saved." if acted.act else "Nothing has changed.", acted.act)


def stand(lane: Lane, want: RouteRequest) -> ActReport:
    return stood(lane, [want.named["memory"]], field(want, "to"))


def stood(lane: Lane, ids: Sequence[str], to: str) -> ActReport:
    verbs = {
        "keep": lane.memories.keep,
        "pause": lane.memories.pause,
        "resume": lane.memories.resume,
        "forget": lane.memories.forget,
        "restore": lane.memories.restore,
    }
    acted = verbs[to](ids)
    called = (
        one_line(acted.after[0].title, 60) if len(acted.after) == 1 else many(len(acted.after), "memory", "memories")
    )
    return ActReport(f"{WORDS[to]}: {called}" if acted.act else "Nothing has changed.", acted.act)


def undo(lane: Lane, want: RouteRequest) -> ActReport:
    undone = lane.acts.undo(lane.acts.get(want.named["act"]))
    return ActReport("Undone.", undone.by)
