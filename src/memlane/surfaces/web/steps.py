"""Steps as they stand on a page, each with what belongs to it: Memories it made or was told, Runs it started.

Knows where each of them goes; how it looks is the template's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import Author, Kind, Memory, Recall, RunSummary, Step
from memlane.surfaces.web.calls import CallView, called
from memlane.surfaces.web.formats import clock

if TYPE_CHECKING:
    from memlane.app.runs import TranscriptPart

PART = 120  # Steps at a time
NEAR = timedelta(minutes=2)  # between a call and the start of whom it calls
WORKS_FOR = ("Task", "Agent", "spawn_agent", "task", "agent")
_STEP = re.compile(r"t(\d+)\.(\d+)$")
WHO = {
    Author.AGENT: "agent",
    Author.TOOL: "tool",
    Author.SYSTEM: "system",
    Author.PROGRAM: "program",
}
PLAIN = frozenset({Kind.PROMPT, Kind.ANSWER, Kind.COMMAND, Kind.INTERRUPT, Kind.ERROR})
ASIDE = frozenset({Kind.SUMMARY, Kind.META, Kind.THINKING})


@dataclass(frozen=True, slots=True)
class RunExtras:
    """What a Run has beside its Steps. `mended`: the places where something worked after it had failed."""

    memories: Sequence[Memory] = ()
    recalls: Sequence[Recall] = ()
    children: Sequence[RunSummary] = ()
    mended: Collection[int] = ()
    person: str = "you"  # whoever talked to the agent, as the reader calls them


@dataclass(frozen=True, slots=True)
class StepLine:
    """One Step as it is shown, and what belongs to it."""

    id: str  # t41.7
    place: int
    turn: int
    begins: bool  # the first Step of its Turn that is here
    minute: bool  # the first that was made in its minute
    step: Step
    who: str
    call: CallView | None
    plain: bool
    short: bool  # one line says enough of it: it is folded
    mended: bool = False
    memories: Sequence[Memory] = ()
    recalls: Sequence[Recall] = ()
    children: Sequence[RunSummary] = ()


def lines(part: TranscriptPart, around: RunExtras, *, whole: bool = False) -> Sequence[StepLine]:
    formed = by_step(part.run.id, around.memories)
    told = _by_time(part, [(one.at, one) for one in around.recalls if one.shown])
    started = _under_calls(part, around.children)
    found, turn, minute = list[StepLine](), None, ""
    for one in part.steps:
        step, now = one.step, clock(one.step.at)
        found.append(
            StepLine(
                f"t{one.turn}.{step.n}",
                one.place,
                one.turn,
                one.turn != turn,
                now != minute,
                step,
                around.person if step.author is Author.PERSON else WHO[step.author],
                called(step.call, part.run.cwd, whole=whole) if step.call else None,
                step.kind in PLAIN,
                step.call is not None or step.kind in ASIDE or step.ours,
                one.place in around.mended,
                formed.get((one.turn, step.n), ()),
                told.get(one.place, ()),
                started.get(one.place, ()),
            )
        )
        turn, minute = one.turn, now
    return found


def is_prose(step: Step) -> bool:
    """Whether its text is shown as Markdown: an agent writes it, and thinks in it."""
    return step.kind is Kind.THINKING or not (step.kind in PLAIN or step.kind in ASIDE or step.ours)


def by_step(run: str, memories: Sequence[Memory]) -> Mapping[tuple[int, int], list[Memory]]:
    found = dict[tuple[int, int], list[Memory]]()
    for memory in memories:
        for place in (_STEP.search(one.step) for one in memory.evidence if one.run == run):
            if place is not None:
                there = found.setdefault((int(place[1]), int(place[2])), [])
                there += [memory] if memory not in there else []
    return found


def _by_time(part: TranscriptPart, recalls: Sequence[tuple[datetime, Recall]]) -> Mapping[int, list[Recall]]:
    """Each at the last Step that was there when it happened; the edges belong to the part that has the Step."""
    timed = [(one.step.at, one.place) for one in part.steps if one.step.at is not None]
    found = dict[int, list[Recall]]()
    for at, recall in sorted(recalls, key=lambda pair: pair[0]):
        before = [place for when, place in timed if when <= at + timedelta(seconds=2)]
        last = bool(timed) and at > timed[-1][0]
        if before and (not last or part.end >= part.total):
            found.setdefault(before[-1], []).append(recall)
    return found


def _under_calls(part: TranscriptPart, children: Sequence[RunSummary]) -> Mapping[int, list[RunSummary]]:
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
