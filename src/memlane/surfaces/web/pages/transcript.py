"""A Run, step by step: what was said, done and changed, with the Memories it made or was told at their Step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import Address, Author, Kind, Memory, Recall, RunSummary, Step
from memlane.surfaces import schema
from memlane.surfaces.api import Want
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.calls import Called, called
from memlane.surfaces.web.look import many
from memlane.surfaces.web.views import Done, View, field, number, view

if TYPE_CHECKING:
    from memlane.lane import Lane, Mark, Part

PART = 120  # Steps at a time
WHOLE = 600  # up to so many are one document, so that a browser finds everything in it
MOST_MARKS = 2_000
RECALLS = 200
AT = r"^(t[0-9]{1,6}(\.[0-9]{1,6})?)?$"
TAKES: Mapping[str, Schema] = {
    "at": schema.matching(AT, "the step to open at"),
    "find": schema.text("words to find in it", 200, least=0),
}
STEPS: Mapping[str, Schema] = {
    "from": schema.count("the place of the first", 0, 10_000_000),
    "most": schema.count("so many", 1, PART),
    "whole": schema.count("1: nothing is cut", 0, 1),
}
NEAR = timedelta(minutes=2)  # between a call and the start of whom it calls
WORKS_FOR = ("Task", "Agent", "spawn_agent", "task", "agent")
_STEP = re.compile(r"t(\d+)\.(\d+)$")
_AT = re.compile(r"t(\d+)(?:\.(\d+))?")
WHO = {
    Author.PERSON: "you",
    Author.AGENT: "agent",
    Author.TOOL: "tool",
    Author.SYSTEM: "system",
    Author.PROGRAM: "program",
}
PLAIN = frozenset({Kind.PROMPT, Kind.ANSWER, Kind.COMMAND, Kind.INTERRUPT, Kind.ERROR})


@dataclass(frozen=True, slots=True)
class Line:
    """One Step as it is shown, and what belongs to it."""

    id: str  # t41.7
    place: int
    turn: int
    begins: bool  # the first Step of its Turn that is here
    step: Step
    who: str
    call: Called | None
    plain: bool
    memories: Sequence[Memory] = ()
    recalls: Sequence[Recall] = ()
    children: Sequence[RunSummary] = ()


def page(lane: Lane, want: Want) -> View:
    run = lane.reading.run(want.named["run"])
    part = _opened(lane, run, _AT.fullmatch(field(want, "at")))
    memories = lane.remembering.formed_in(run.id)
    recalls = lane.recalling.newest(RECALLS, run=run.id)
    children = lane.reading.children(run.id)
    outline = _outline(lane.leafing.outline(run.id))
    return view(
        "transcript.html",
        run.title or "A run",
        run=run,
        part=part,
        lines=_lines(part, memories, recalls, children),
        asked=field(want, "at"),
        marks=outline[:MOST_MARKS],
        unmarked=max(0, len(outline) - MOST_MARKS),
        memories=memories,
        recalls=[one for one in recalls if one.shown],
        children=children,
        parent=lane.reading.run(run.parent) if run.parent and _is_here(lane, run.parent) else None,
        found=_found(lane, run, field(want, "find")),
        find=field(want, "find"),
        resume=_resume(run),
        step_part=PART,
    )


def steps(lane: Lane, want: Want) -> View:
    """More of them, without what stands around."""
    run = lane.reading.run(want.named["run"])
    part = lane.leafing.part(run.id, number(want, "from", 0), number(want, "most", PART))
    around = (
        lane.remembering.formed_in(run.id),
        lane.recalling.newest(RECALLS, run=run.id),
        lane.reading.children(run.id),
    )
    whole = number(want, "whole", 0) == 1
    return view(
        "steps.html", "", run=run, part=part, lines=_lines(part, *around, whole=whole), asked="", step_part=PART
    )


def _opened(lane: Lane, run: RunSummary, at: re.Match[str] | None) -> Part:
    if run.steps <= WHOLE:
        return lane.leafing.part(run.id, 0, WHOLE)
    if at is None:
        return lane.leafing.part(run.id, 0, PART)
    return lane.leafing.around(Address(run.id, int(at[1]), int(at[2]) if at[2] else None), PART)


def _outline(marks: Sequence[Mark]) -> Sequence[tuple[Mark, int]]:
    """Several errors in a row are one line that says how many; what worked after them is the last."""
    found = list[tuple["Mark", int]]()
    for mark in marks:
        before = found[-1] if found else None
        if before and before[0].what == mark.what == "error" and before[0].turn == mark.turn:
            found[-1] = (before[0], before[1] + 1)
        else:
            found.append((mark, 1))
    return found


def _is_here(lane: Lane, run: str) -> bool:
    from memlane.lane import RunFilter  # noqa: PLC0415 - loaded with the first question

    return bool(lane.reading.runs(RunFilter(only=frozenset({run}), limit=1)))


def _found(lane: Lane, run: RunSummary, words: str) -> Sequence[tuple[str, str]]:
    """Where in this Run something was said, also in Steps that are not on the page."""
    from memlane.lane import RunFilter  # noqa: PLC0415 - loaded with the first question

    if not words:
        return ()
    hits = lane.reading.search(words, RunFilter(only=frozenset({run.id}), limit=1000), 50).search.best
    return [(f"t{hit.chunk.turn}.{hit.chunk.step}", hit.snippet) for hit in hits]


# -- steps -------------------------------------------------------------------------------------------------------------


def _lines(
    part: Part,
    memories: Sequence[Memory],
    recalls: Sequence[Recall],
    children: Sequence[RunSummary],
    *,
    whole: bool = False,
) -> Sequence[Line]:
    formed = _by_step(part.run.id, memories)
    told, started = _by_time(part, [(one.at, one) for one in recalls if one.shown]), _under_calls(part, children)
    found, before = list[Line](), None
    for one in part.steps:
        id_ = f"t{one.turn}.{one.step.n}"
        found.append(
            Line(
                id_,
                one.place,
                one.turn,
                one.turn != before,
                one.step,
                WHO[one.step.author],
                called(one.step.call, part.run.cwd, whole=whole) if one.step.call else None,
                one.step.kind in PLAIN,
                formed.get((one.turn, one.step.n), ()),
                told.get(one.place, ()),
                started.get(one.place, ()),
            )
        )
        before = one.turn
    return found


def _by_step(run: str, memories: Sequence[Memory]) -> Mapping[tuple[int, int], list[Memory]]:
    found = dict[tuple[int, int], list[Memory]]()
    for memory in memories:
        for place in (_STEP.search(one.step) for one in memory.evidence if one.run == run):
            if place is not None:
                there = found.setdefault((int(place[1]), int(place[2])), [])
                there += [memory] if memory not in there else []
    return found


def _by_time(part: Part, recalls: Sequence[tuple[datetime, Recall]]) -> Mapping[int, list[Recall]]:
    """Each at the last Step that was there when it happened; the edges belong to the part that has the Step."""
    timed = [(one.step.at, one.place) for one in part.steps if one.step.at is not None]
    found = dict[int, list[Recall]]()
    for at, recall in sorted(recalls, key=lambda pair: pair[0]):
        before = [place for when, place in timed if when <= at + timedelta(seconds=2)]
        last = bool(timed) and at > timed[-1][0]
        if before and (not last or part.end >= part.total):
            found.setdefault(before[-1], []).append(recall)
    return found


def _under_calls(part: Part, children: Sequence[RunSummary]) -> Mapping[int, list[RunSummary]]:
    """Each under the call that started it: the one of that sort that is nearest in time and has none yet."""
    calls = {
        one.place: one.step.at
        for one in part.steps
        if one.step.call is not None and one.step.call.name in WORKS_FOR and one.step.at is not None
    }
    found, free = dict[int, list[RunSummary]](), dict(calls)
    for child in sorted(children, key=lambda run: str(run.started)):
        if child.started is None:
            continue
        near = {place: abs(at - child.started) for place, at in (free or calls).items()}
        place = min(near, key=lambda place: near[place], default=None)
        if place is not None and near[place] < NEAR:
            found.setdefault(place, []).append(child)
            free.pop(place, None)
    return found


def _resume(run: RunSummary) -> str:
    """How it is gone on with where it was, for agents that can."""
    how = {"claude-code": "claude --resume {id}", "codex": "codex resume {id}"}.get(run.agent, "")
    if not how or run.relation == "subagent" or not re.fullmatch(r"[A-Za-z0-9-]{8,64}", run.native_id):
        return ""
    return how.format(id=run.native_id)


# -- what a person does with it ----------------------------------------------------------------------------------------


def rename(lane: Lane, want: Want) -> Done:
    run = lane.labelling.title(want.named["run"], field(want, "title"))
    return Done(f"It is called “{run.title}” now.", lane.undoing.act(run.id).id)


def pin(lane: Lane, want: Want) -> Done:
    run = lane.reading.run(want.named["run"])
    lane.labelling.pin(run.id, on=not run.pinned)
    return Done("No longer pinned." if run.pinned else "Pinned.", lane.undoing.act(run.id).id)


def tag(lane: Lane, want: Want) -> Done:
    run = lane.reading.run(want.named["run"])
    wanted = [name.strip() for name in field(want, "tags").split(",") if name.strip()]
    after = lane.labelling.tag(run.id, add=wanted, remove=[name for name in run.tags if name not in wanted])
    if after.tags == run.tags:
        return Done("The tags are as they were.")
    return Done(f"{many(len(after.tags), 'tag')} on it now.", lane.undoing.act(run.id).id)
