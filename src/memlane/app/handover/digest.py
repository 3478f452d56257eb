"""What one Run was about, in pieces that each name their Step: read off its masked Turns by rules. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import cast

from memlane.app.handover.summary import two_sentences
from memlane.app.runs.tallies import said
from memlane.catch.windows.recovery import goal_of, has_failed
from memlane.catch.windows.triggers import triggers
from memlane.domain import Address, Author, Kind, Memory, RunSummary, Signal, Spot, Step, ToolCall, Turn
from memlane.domain.door import one_line
from memlane.domain.titles import is_small

LONGEST = 400  # characters of one piece
LONGEST_STATE = 900
TELLING = 40  # characters of an answer that says how things are
LOOK_BACK = 4  # answers
MOST_FILES = 20
MOST_OF_A_KIND = 8
RESULT = 400  # characters of a result: where a failure says so
DECIDED = ("decision", "correction", "commitment", "preference")
PLANS = frozenset({"todowrite", "todo_write", "update_plan", "write_todos", "update_todo_list", "manage_todo_list"})
NAMES = ("content", "step", "description", "title")  # of an item of a plan
DONE = frozenset({"completed", "complete", "done", "cancelled", "canceled"})
_NEXT = re.compile(
    r"\b(?:next(?: steps?)?|remaining|still (?:to do|open|needs?|missing|fails?)|todo|to do|not (?:yet|done)|left to do"
    r"|follow-?ups?|als nächstes|offen|noch (?:nicht|zu))\b",
    re.IGNORECASE,
)
_LINE = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?P<text>\S.*)$")


class RunEnd(StrEnum):
    """How it ended, as far as it can be seen."""

    ANSWERED = "answered"
    INTERRUPTED = "interrupted"  # the person stopped it, and nothing followed
    UNANSWERED = "unanswered"  # the last prompt has no answer
    FAILED = "failed"  # an error was the last word
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class CitedText:
    """Words of a Run, cut, and the Step they are from."""

    text: str
    link: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class FileWork:
    """A file that was changed: how often, and in which Step last."""

    path: str
    times: int
    link: str


@dataclass(frozen=True, slots=True)
class RunDigest:
    run: RunSummary
    goal: tuple[CitedText, ...] = ()
    state: tuple[CitedText, ...] = ()
    decisions: tuple[CitedText, ...] = ()
    files: tuple[FileWork, ...] = ()
    failures: tuple[CitedText, ...] = ()
    next: tuple[CitedText, ...] = ()
    end: RunEnd = RunEnd.EMPTY
    summary: str = ""  # two sentences: what was asked for, and what came of it


def digest(run: RunSummary, turns: Iterable[Turn], memories: Sequence[Memory]) -> RunDigest:
    """`turns` without anything of ours, each Step cut by `short`."""
    kept = [turn for turn in turns if turn.steps]
    steps = [(Spot(turn.n, step.n), step) for turn in kept for step in turn.steps]
    prompts = [one for one in steps if one[1].kind is Kind.PROMPT and one[1].text.strip()]
    cite = _Citations(run.id)
    end, asked, came = _end(steps), list(_goals(prompts)), list(_last_words(steps))
    return RunDigest(
        run,
        goal=tuple(cite(*one) for one in asked),
        state=tuple(cite(*one, most=LONGEST_STATE) for one in came),
        decisions=tuple(_decisions(run, kept, memories, cite))[:MOST_OF_A_KIND],
        files=tuple(_files(steps, cite))[:MOST_FILES],
        failures=tuple(_failures(kept, steps, cite))[-MOST_OF_A_KIND:],
        next=tuple(_next(steps, prompts, end, cite))[:MOST_OF_A_KIND],
        end=end,
        summary=two_sentences(*(one[0][1].text if one else "" for one in (asked, came))),
    )


def short(turn: Turn) -> Turn | None:
    """What of a Turn is looked at: results cut, what Lane itself said left out."""
    steps = tuple(_short(step) for step in turn.steps if not step.ours)
    return replace(turn, steps=steps)


def _short(step: Step) -> Step:
    if step.call is None:
        return step
    return replace(step, call=replace(step.call, result=step.call.result[:RESULT]))


@dataclass(frozen=True, slots=True)
class _Citations:
    run: str

    def __call__(self, spot: Spot, step: Step, text: str = "", most: int = LONGEST) -> CitedText:
        words = text or step.text
        shown = one_line(words)
        shown = shown if len(shown) <= most else f"{shown[: most - 1].rsplit(' ', 1)[0]}…"
        return CitedText(shown, self.link(spot), step.at)

    def link(self, spot: Spot) -> str:
        return str(Address(self.run, spot.turn, spot.step))


def _goals(prompts: Sequence[tuple[Spot, Step]]) -> Iterator[tuple[Spot, Step]]:
    """The first thing asked for, and the last if it is another."""
    asked = [one for one in prompts if not is_small(one[1].text)] or list(prompts)
    yield from asked[:1]
    yield from asked[1:][-1:]


def _last_words(steps: Sequence[tuple[Spot, Step]]) -> Iterator[tuple[Spot, Step]]:
    """The last that says something: a "Done." after an answer says less than the answer."""
    said = [one for one in steps if one[1].author is Author.AGENT and one[1].kind is Kind.TEXT and one[1].text.strip()]
    telling = [one for one in said[-LOOK_BACK:] if len(one[1].text.strip()) >= TELLING]
    yield from (telling or said)[-1:]


def _end(steps: Sequence[tuple[Spot, Step]]) -> RunEnd:
    for _spot, step in reversed(steps):
        match step.kind:
            case Kind.INTERRUPT:
                return RunEnd.INTERRUPTED
            case Kind.ERROR:
                return RunEnd.FAILED
            case Kind.TEXT if step.author is Author.AGENT:
                return RunEnd.ANSWERED
            case Kind.PROMPT | Kind.TOOL_CALL:
                return RunEnd.UNANSWERED
            case _:
                continue
    return RunEnd.EMPTY


def _decisions(
    run: RunSummary, turns: Sequence[Turn], memories: Sequence[Memory], cite: _Citations
) -> Iterator[CitedText]:
    """What was caught as one, and where the person put something right."""
    told = set[str]()
    for memory in memories:
        places = [one.step for one in memory.evidence if one.run == run.id]
        if memory.type.value in DECIDED and places:
            link = places[0] if "#" in places[0] else f"{run.id}#{places[0]}"
            told.add(link)
            yield CitedText(memory.title, link, memory.formed_at)
    by_spot = {Spot(turn.n, step.n): step for turn in turns for step in turn.steps}
    for trigger in triggers(turns):
        step = by_spot[trigger.last]
        if trigger.signal is Signal.CORRECTION and step.text.strip() and cite.link(trigger.last) not in told:
            told.add(cite.link(trigger.last))
            yield cite(trigger.last, step)


def _files(steps: Sequence[tuple[Spot, Step]], cite: _Citations) -> list[FileWork]:
    found = dict[str, tuple[int, Spot]]()
    for spot, step in steps:
        if step.call is not None and step.call.changes and not has_failed(step.call):
            for path in step.call.files:
                found[path] = (found.get(path, (0, spot))[0] + 1, spot)
    works = [FileWork(path, times, cite.link(spot)) for path, (times, spot) in found.items()]
    return sorted(works, key=lambda work: -work.times)


def _failures(turns: Sequence[Turn], steps: Sequence[tuple[Spot, Step]], cite: _Citations) -> Iterator[CitedText]:
    """What went wrong and how it was solved, then what was never solved."""
    by_spot, solved = dict(steps), set[Spot]()
    for trigger in triggers(turns):
        tried, worked = by_spot.get(trigger.first), by_spot.get(trigger.last)
        if (
            trigger.signal is Signal.RECOVERY
            and tried is not None
            and worked is not None
            and tried.call
            and worked.call
        ):
            solved |= {spot for spot, _step in steps if trigger.first <= spot <= trigger.last}
            yield cite(trigger.first, tried, f"{_failed(tried.call)}. Then this worked: {said(worked.call)}")
    reached = dict[object, Spot]()
    for spot, step in steps:
        if step.call is not None and not has_failed(step.call) and (goal := goal_of(step.call)[0]) is not None:
            reached[goal] = spot
    refused = {before for (before, _step), (_spot, after) in pairwise(steps) if after.kind is Kind.ANSWER}
    for spot, step in steps:
        if step.call is None or not has_failed(step.call) or spot in solved | refused:
            continue
        later = reached.get(goal_of(step.call)[0])
        if later is None or later < spot:
            yield cite(spot, step, f"{_failed(step.call)}. Not solved in this run")


def _failed(call: ToolCall) -> str:
    lines = [line.strip() for line in call.result.splitlines() if line.strip()]
    named = (line for line in lines if re.search(r"error|fail|not found|denied|exception", line, re.IGNORECASE))
    why = next(named, lines[0] if lines else "")
    return f"{said(call)}: {why[:160]}" if why else said(call)


def _next(
    steps: Sequence[tuple[Spot, Step]], prompts: Sequence[tuple[Spot, Step]], end: RunEnd, cite: _Citations
) -> Iterator[CitedText]:
    if end in (RunEnd.UNANSWERED, RunEnd.INTERRUPTED, RunEnd.FAILED) and prompts:
        spot, step = prompts[-1]
        yield cite(spot, step, f"Not finished: {step.text}")
    yield from _open_items(steps, cite)
    for spot, step in _last_words(steps):
        for line in _lines_to_come(step.text):
            yield cite(spot, step, line)


def _open_items(steps: Sequence[tuple[Spot, Step]], cite: _Citations) -> Iterator[CitedText]:
    """Of the agent's last plan."""
    plans = [(spot, step) for spot, step in steps if step.call is not None and step.call.name.lower() in PLANS]
    for spot, step in plans[-1:]:
        assert step.call is not None
        for item in _items(step.call.input):
            if str(item.get("status", "")).lower() not in DONE:
                words = next(
                    (str(item[key]) for key in ("content", "step", "description", "title") if item.get(key)), ""
                )
                if words:
                    yield cite(spot, step, words)


def _items(given: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    for value in given.values():
        if isinstance(value, list):
            yield from (cast(Mapping[str, object], one) for one in cast(list[object], value) if isinstance(one, dict))


def _lines_to_come(text: str) -> Iterator[str]:
    """Sentences that say what is left, and the list below a heading that does."""
    below = False
    for line in text.splitlines():
        item = _LINE.match(line)
        if item is not None and (below or _NEXT.search(line)):
            yield item["text"]
        elif line.strip() and item is None:
            below = bool(_NEXT.search(line)) and line.rstrip().endswith((":", "**"))
            below = below or (line.lstrip().startswith("#") and bool(_NEXT.search(line)))
            if _NEXT.search(line) and not below:
                yield line
