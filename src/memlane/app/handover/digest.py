"""What one Run was about, in pieces that each name their Step: read off its masked Turns by rules. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from memlane.app.handover.failures import failures
from memlane.app.handover.summary import prose, two_sentences, without_title
from memlane.app.handover.todo import left_to_do
from memlane.catch.windows.recovery import has_failed
from memlane.catch.windows.triggers import triggers
from memlane.domain import Address, Author, Kind, Memory, RunSummary, Signal, Spot, Step, Turn
from memlane.domain.door import one_line
from memlane.domain.titles import is_small
from memlane.index.summary import command_of

LONGEST = 400  # characters of one piece
LONGEST_STATE = 900
TELLING = 40  # characters of an answer that says how things are
LOOK_BACK = 4  # answers
MOST_FILES = 20
MOST_OF_A_KIND = 8
RESULT = 400  # characters of each end of a result: where a failure says so
_ROOTED = re.compile(r"/|~|[A-Za-z]:[/\\]")  # a path that is whole
DECIDED = ("decision", "correction", "commitment", "preference")


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
    name: str = ""  # what a page calls it, where that is shorter


def below(path: str, cwd: str) -> str:
    """Short where it lies in the folder that the Run was in."""
    inside = cwd and path.startswith((f"{cwd}/", f"{cwd}\\"))
    return path[len(cwd) + 1 :] if inside else path


def is_elsewhere(path: str, name: str) -> bool:
    """Plans and scratch files outside of the checkout say less."""
    return name == path and _ROOTED.match(path) is not None


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

    @property
    def below_title(self) -> str:
        """The summary, without what the title says."""
        return without_title(self.summary, self.run.title)


def digest(run: RunSummary, turns: Iterable[Turn], memories: Sequence[Memory]) -> RunDigest:
    """`turns` without anything of ours, each Step cut by `short`."""
    kept = [turn for turn in turns if turn.steps]
    steps = [(Spot(turn.n, step.n), step) for turn in kept for step in turn.steps]
    prompts = list(_prompts(kept))
    cite = _Citations(run.id)
    end, asked, answers = _end(steps), list(_goals(prompts)), _last_words(steps)
    goal = tuple(cite(*one) for one in asked)
    last = answers[0][1].text if answers else ""
    left = left_to_do(steps, prompts, last, done=end is RunEnd.ANSWERED)
    return RunDigest(
        run,
        goal=goal,
        state=tuple(cite(*one, prose(one[1].text), most=LONGEST_STATE) for one in answers[:1]),
        decisions=_once(_decisions(run, kept, memories, cite), known=goal[:1])[:MOST_OF_A_KIND],
        files=tuple(_files(steps, cite))[:MOST_FILES],
        failures=_once(cite(*one) for one in failures(kept, steps))[-MOST_OF_A_KIND:],
        next=_once(cite(*one) for one in left)[:MOST_OF_A_KIND],
        end=end,
        summary=two_sentences(asked[0][1].text if asked else "", [step.text for _spot, step in answers]),
    )


def _once(items: Iterable[CitedText], known: Sequence[CitedText] = ()) -> tuple[CitedText, ...]:
    """A run that was resumed into itself says the same twice."""
    kept, told = dict[str, CitedText](), {item.text for item in known}
    for item in items:
        kept.setdefault(item.text, item)
    return tuple(item for item in kept.values() if item.text not in told)


def short(turn: Turn) -> Turn | None:
    """What of a Turn is looked at: the ends of results, what Lane itself said left out."""
    steps = tuple(_short(step) for step in turn.steps if not step.ours)
    return replace(turn, steps=steps)


def _short(step: Step) -> Step:
    if step.call is None:
        return step
    result = step.call.result
    shown = result if len(result) <= 2 * RESULT else f"{result[:RESULT]}\n{result[-RESULT:]}"
    return replace(step, call=replace(step.call, result=shown))


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


def _prompts(turns: Iterable[Turn]) -> Iterator[tuple[Spot, Step]]:
    """What was typed; of a turn without a prompt, the task typed as a slash command."""
    for turn in turns:
        task = command_of(turn)
        asked = [step for step in turn.steps if step.kind is Kind.PROMPT and step.text.strip()]
        for step in asked or [step for step in turn.steps if task and step.kind is Kind.COMMAND and step.text == task]:
            yield Spot(turn.n, step.n), step


def _goals(prompts: Sequence[tuple[Spot, Step]]) -> Iterator[tuple[Spot, Step]]:
    """The first thing asked for, and the last if it is another."""
    asked = [one for one in prompts if not is_small(one[1].text)] or list(prompts)
    yield from asked[:1]
    yield from asked[1:][-1:]


def _last_words(steps: Sequence[tuple[Spot, Step]]) -> Sequence[tuple[Spot, Step]]:
    """The last that say something, the newest first: a "Done." after an answer says less than the answer."""
    said = [one for one in steps if one[1].author is Author.AGENT and one[1].kind is Kind.TEXT and one[1].text.strip()]
    telling = [one for one in said[-LOOK_BACK:] if len(one[1].text.strip()) >= TELLING]
    return (telling or said[-1:])[::-1]


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
