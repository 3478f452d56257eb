"""Several Runs as one story: their turns in the order they happened, and what a fork repeats told once. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from memlane.app.handover.page import minute
from memlane.domain import Address, Kind, RunSummary, Turn
from memlane.domain.door import one_line

_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
_HEADING = re.compile(r"(?P<marks>#{1,6})\s")
OURS, DEEPEST = 3, 6  # levels of headings
EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class StoryTurn:
    """What was said in one turn and what was done in it, and where it stands."""

    run: RunSummary
    n: int
    at: datetime | None
    person: str
    agent: str
    calls: int
    failed: int
    changed: tuple[str, ...]

    @property
    def link(self) -> str:
        return str(Address(self.run.id, self.n))


@dataclass(frozen=True, slots=True)
class StoryPart:
    """Turns of one Run, until another one goes on."""

    run: RunSummary
    turns: tuple[StoryTurn, ...]
    number: int  # of its Run in the story, from 1
    again: bool  # its Run had a part before


@dataclass(frozen=True, slots=True)
class Story:
    title: str
    runs: tuple[RunSummary, ...]
    turns: tuple[StoryTurn, ...]
    repeated: int = 0  # turns that another Run told already

    def parts(self, most: int | None = None) -> Iterator[StoryPart]:
        """Of the first `most` turns."""
        numbers, told = {run.id: n for n, run in enumerate(self.runs, 1)}, set[str]()
        for run, turns in groupby(self.turns[:most], key=lambda one: one.run):
            yield StoryPart(run, tuple(turns), numbers[run.id], again=run.id in told)
            told.add(run.id)


Keep = Callable[[RunSummary, Turn], bool]


def everything(_run: RunSummary, _turn: Turn) -> bool:
    return True


def merge(title: str, told: Sequence[tuple[RunSummary, Iterable[Turn]]], keep: Keep = everything) -> Story:
    """`told` in the order the Runs began: the first that told a turn is the one it is of."""
    seen, found, repeated = set[str](), list[tuple[datetime, int, StoryTurn]](), 0
    for order, (run, turns) in enumerate(told):
        at = run.started or EARLIEST
        for turn in turns:
            at = turn.at or at
            names = set(_names(turn))
            if names & seen:
                repeated += 1
                continue
            seen |= names
            if keep(run, turn) and (one := _turn(run, turn)) is not None:
                found.append((at, order, one))
    found.sort(key=lambda each: (each[0], each[1], each[2].n))
    here = {one.run.id for _at, _order, one in found}
    return Story(title, tuple(run for run, _turns in told if run.id in here), tuple(o for _a, _b, o in found), repeated)


def _names(turn: Turn) -> Iterator[str]:
    """What a prompt is known by wherever it is copied to: its id, and its moment with its words where the id is new."""
    for step in turn.steps:
        if step.kind is Kind.PROMPT:
            yield from filter(None, (step.native_id, f"{step.at.isoformat()} {step.text}" if step.at else ""))


def _turn(run: RunSummary, turn: Turn) -> StoryTurn | None:
    steps = [step for step in turn.steps if not step.ours]
    asked = "\n".join(step.text for step in steps if step.kind is Kind.PROMPT)
    calls = [step.call for step in steps if step.call is not None]
    changed = dict.fromkeys(path for call in calls if call.changes and not call.error for path in call.files)
    if not (asked.strip() or turn.agent.strip() or calls):
        return None
    failed = sum(call.error for call in calls)
    return StoryTurn(run, turn.n, turn.at, asked, turn.agent, len(calls), failed, tuple(changed))


def touching(spots: Collection[tuple[str, int]]) -> Keep:
    """Only these turns of these Runs."""
    return lambda run, turn: (run.id, turn.n) in spots


def naming(words: Collection[str]) -> Keep:
    """Only turns in which somebody says one of these names."""
    wanted = [word.casefold() for word in words if word]

    def keep(_run: RunSummary, turn: Turn) -> bool:
        said = "\n".join(step.text for step in turn.steps if not step.ours).casefold()
        return any(word in said for word in wanted)

    return keep


def story_page(story: Story) -> Iterator[str]:
    """As Markdown: the runs, each linked to its heading, then their turns."""
    yield f"# {story.title}"
    yield ""
    for number, run in enumerate(story.runs, 1):
        yield f"- [Run {number}](#run-{number}): **{run.title or run.id}** ({_where(run)})"
    if story.repeated:
        yield f"- {story.repeated} repeated turn{'s' * (story.repeated != 1)} told once"
    for part in story.parts():
        yield ""
        yield f"## Run {part.number}{', continued' if part.again else ''}"
        yield ""
        yield f"**{part.run.title or part.run.id}**" + ("" if part.again else f" ({_where(part.run)})")
        for turn in part.turns:
            yield from _told(turn)


def _where(run: RunSummary) -> str:
    return f"{run.agent} on {run.machine}, {minute(run.started)}, `{run.id}`"


def _told(one: StoryTurn) -> Iterator[str]:
    yield ""
    yield f"### {f'{minute(one.at)} ' if one.at else ''}`{one.link}`"
    if one.person.strip():
        yield ""
        yield from (f"> {line}" for line in one.person.strip().splitlines())
    if one.agent.strip():
        yield ""
        yield from nested(one.agent.strip())
    if one.calls:
        yield ""
        yield f"*{_done(one)}*"


def nested(text: str) -> Iterator[str]:
    """Lines of an answer within a page: headings are below ours, and a fence that was left open ends here."""
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if not fence and (heading := _HEADING.match(line)):
            line = "#" * min(DEEPEST, len(heading["marks"]) + OURS) + line[heading.end("marks") :]
        elif mark and not fence:
            fence = mark["fence"]
        elif mark and mark["fence"].startswith(fence) and not mark["rest"].strip():
            fence = ""
        yield line
    if fence:
        yield fence


def _done(one: StoryTurn) -> str:
    calls = f"{one.calls} tool call{'s' * (one.calls != 1)}"
    failed = f", {one.failed} failed" if one.failed else ""
    files = ", changed " + ", ".join(f"`{one_line(path)}`" for path in one.changed[:8]) if one.changed else ""
    return calls + failed + files
