"""A Run, step by step: what was said, done and changed, with the Memories it made or was told at their Step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import Address, RunSummary
from memlane.errors import NotFoundError
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web import find
from memlane.surfaces.web.formats import called, many
from memlane.surfaces.web.pages import elsewhere
from memlane.surfaces.web.pages.runs import LIVE
from memlane.surfaces.web.steps import PART, RunExtras, StepLine, lines
from memlane.surfaces.web.views import ActReport, PageView, field, number, view

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.runs import OutlineMark, TranscriptPart

WHOLE = 600  # up to so many are one document, so that a browser finds everything in it
MOST_MARKS = 2_000
MOST_LISTED = 200  # Steps with a match; next and previous reach all of them
RECALLS = 200
TAKES: Mapping[str, Schema] = {
    "at": schema.matching(schema.STEP, "the step to open at"),
    "find": schema.text("words to find in it", 200, least=0),
}
STEPS: Mapping[str, Schema] = {
    "from": schema.count("the place of the first", 0, 10_000_000),
    "most": schema.count("so many", 1, PART),
    "whole": schema.count("1: nothing is cut", 0, 1),
}
_AT = re.compile(r"t(\d+)(?:\.(\d+))?")
INSIDE = 60  # Steps of a subagent, under the call that started it


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A line of the outline: a prompt, what failed and how often and what worked then, a Memory, a Recall."""

    place: int
    turn: int
    step: int
    what: str
    text: str
    times: int = 1
    mended: str = ""


def page(lane: Lane, want: RouteRequest) -> PageView:
    """Of a run that is here, else of one that only Central has."""
    try:
        run = lane.runs.get(want.named["run"])
    except NotFoundError:
        return elsewhere.page(lane, want)
    words = field(want, "find")
    found = find.found(lane.runs.transcript.every(run.id), words, run.cwd) if words else ()
    asked = field(want, "at") or (found[0].at if found else "")
    part = _opened(lane, run, _AT.fullmatch(asked))
    around = _around(lane, run)
    shown = lines(part, around)
    outline = _outline(lane.runs.transcript.outline(run.id), shown)
    return view(
        "transcript.html",
        called(run),
        run=run,
        seen_by=lane.grant_plans.seen_by().get(run.id, ()),
        part=part,
        lines=shown,
        asked=asked,
        marks=outline[:MOST_MARKS],
        unmarked=max(0, len(outline) - MOST_MARKS),
        memories=around.memories,
        plans=lane.runs.beside(run.id),
        recalls=[one for one in around.recalls if one.shown],
        children=around.children,
        parent=lane.runs.get(run.parent) if run.parent and _is_here(lane, run.parent) else None,
        find=words,
        found=found[:MOST_LISTED],
        matches=sum(one.times for one in found),
        matched=len(found),
        counted=msgspec.json.encode([(one.at, one.times) for one in found]).decode(),
        beside=_beside(found, asked),
        resume=lane.runs.resume(run),
        live=run.ended is not None and lane.home.clock() - run.ended < LIVE,
        step_part=PART,
    )


def steps(lane: Lane, want: RouteRequest) -> PageView:
    """More of them, without what stands around."""
    try:
        run = lane.runs.get(want.named["run"])
    except NotFoundError:
        return elsewhere.steps(lane, want)
    part = lane.runs.transcript.part(run.id, number(want, "from", 0), number(want, "most", PART))
    shown = lines(part, _around(lane, run), whole=number(want, "whole", 0) == 1)
    return view("steps.html", "", run=run, part=part, lines=shown, asked="", step_part=PART)


def summary(lane: Lane, want: RouteRequest) -> PageView:
    """What was asked for, what came of it, how it ended, what is next: read off the whole run, so it comes later."""
    over = lane.handovers.of([lane.runs.get(want.named["run"])])
    return view("summary.html", "Summary", one=over.runs[0])


def inside(lane: Lane, want: RouteRequest) -> PageView:
    """A subagent's Run in few words, where it was called."""
    run = lane.runs.get(want.named["run"])
    part = lane.runs.transcript.part(run.id, 0, INSIDE)
    return view("inside.html", "", run=run, part=part, lines=lines(part, RunExtras()))


def _around(lane: Lane, run: RunSummary) -> RunExtras:
    return RunExtras(
        lane.memories.formed_in(run.id),
        lane.recall.newest(RECALLS, run=run.id),
        lane.runs.children(run.id),
        frozenset(mark.place for mark in lane.runs.transcript.outline(run.id) if mark.what == "recovery"),
    )


def _opened(lane: Lane, run: RunSummary, at: re.Match[str] | None) -> TranscriptPart:
    if run.steps <= WHOLE:
        return lane.runs.transcript.part(run.id, 0, WHOLE)
    if at is None:
        return lane.runs.transcript.part(run.id, 0, PART)
    return lane.runs.transcript.around(Address(run.id, int(at[1]), int(at[2]) if at[2] else None), PART)


def _outline(marks: Sequence[OutlineMark], shown: Sequence[StepLine]) -> Sequence[OutlineEntry]:
    """Several errors in a row are one entry that says how many, and what worked after them."""
    found = list[OutlineEntry]()
    for mark in marks:
        last = found[-1] if found else None
        if last and last.what == mark.what == "error" and last.turn == mark.turn and not last.mended:
            found[-1] = replace(last, times=last.times + 1)
        elif last and last.what == "error" and mark.what == "recovery":
            found[-1] = replace(last, mended=mark.text)
        else:
            found.append(OutlineEntry(mark.place, mark.turn, mark.step, mark.what, mark.text))
    return sorted([*found, *_remembered(shown)], key=lambda one: one.place)


def _remembered(shown: Sequence[StepLine]) -> Iterator[OutlineEntry]:
    for line in shown:
        for memory in line.memories:
            yield OutlineEntry(line.place, line.turn, line.step.n, "memory", memory.title)
        for recall in line.recalls:
            told = many(len(recall.shown), "memory", "memories")
            yield OutlineEntry(line.place, line.turn, line.step.n, "recall", f"recalled {told}")


def _is_here(lane: Lane, run: str) -> bool:
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    return bool(lane.runs.select(RunFilter(only=frozenset({run}), limit=1)))


def _beside(found: Sequence[find.FoundStep], at: str) -> tuple[str, str]:
    """The Steps with a match before and after this one; past an end it begins again."""
    every = [one.at for one in found]
    here = every.index(at) if at in every else 0
    return (every[here - 1], every[(here + 1) % len(every)]) if every else ("", "")


# -- what a person does with it ----------------------------------------------------------------------------------------


def rename(lane: Lane, want: RouteRequest) -> ActReport:
    run = lane.runs.labels.title(want.named["run"], field(want, "title"))
    return ActReport(f"Renamed to “{run.title}”.", lane.acts.get(run.id).id)


def pin(lane: Lane, want: RouteRequest) -> ActReport:
    run = lane.runs.get(want.named["run"])
    lane.runs.labels.pin(run.id, on=not run.pinned)
    return ActReport("No longer pinned." if run.pinned else "Pinned.", lane.acts.get(run.id).id)


def tag(lane: Lane, want: RouteRequest) -> ActReport:
    run = lane.runs.get(want.named["run"])
    wanted = [name.strip() for name in field(want, "tags").split(",") if name.strip()]
    after = lane.runs.labels.tag(run.id, add=wanted, remove=[name for name in run.tags if name not in wanted])
    if after.tags == run.tags:
        return ActReport("Nothing has changed.")
    return ActReport(f"{many(len(after.tags), 'tag')} now.", lane.acts.get(run.id).id)
