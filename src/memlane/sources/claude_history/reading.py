"""One pass over the typed lines of one run: each prompt a Turn, without any answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from memlane.domain import Author, BrokenLine, Facts, Kind, Step, Turn
from memlane.domain.ours import is_our_command
from memlane.sources.exports import said
from memlane.sources.records import BrokenRecordError, Record, mapping, moment, records, text
from memlane.sources.source import Line

ONLY_PROMPTS = "Claude Code has deleted this run's transcript: these are the lines that were typed in it"
TITLE = "Prompts only: "
MOST = 500  # names and broken lines kept
_PASTED = re.compile(r"\[Pasted text #(\d+)(?: \+\d+ lines)?\]")
_COMMAND = re.compile(r"/[a-z][\w:-]*(?=\s|$)")


def record_of(line: Line) -> Record | str:
    """The record of a line, an empty one of a blank line, or what is wrong with it."""
    try:
        found = records(line)
    except BrokenRecordError as error:
        return str(error)
    if found and not isinstance(found[0].get("display"), str):
        return "no `display`: nothing was typed"
    return found[0] if found else {}


def is_command(typed: str) -> bool:
    return _COMMAND.match(typed.strip()) is not None


def _only_prompts() -> list[Step]:
    return [said(Author.SYSTEM, Kind.META, ONLY_PROMPTS, None)]


@dataclass(slots=True)
class PromptsState:
    """All a reading knows where it stands."""

    first: str = ""
    cwd: str = ""
    commands: dict[str, None] = field(default_factory=dict[str, None])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    n: int = 0
    author: Author = Author.SYSTEM
    steps: list[Step] = field(default_factory=_only_prompts)


class PromptsReading:
    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line]) -> None:
        self._lines = lines
        self.state = PromptsState()

    def turns(self) -> Iterator[Turn]:
        state = self.state
        for line in self._lines:
            record = record_of(line)
            if isinstance(record, str):
                self._set_aside(BrokenLine(line.n, record))
                continue
            step = self._step(record, line.n)
            if step.kind is Kind.PROMPT and step.text.strip():
                yield _turn(state.n, state.author, state.steps)
                state.n, state.author, state.steps = state.n + 1, Author.PERSON, [step]
            elif step.text.strip():
                state.steps.append(step)
        yield _turn(state.n, state.author, state.steps)

    def facts(self) -> Facts:
        state = self.state
        title = TITLE + " ".join(state.first.split()) if state.first else ""
        return Facts(title=title, cwd=state.cwd, commands=tuple(state.commands), broken=tuple(state.broken))

    def _step(self, record: Record, line: int) -> Step:
        typed, state = _whole(record), self.state
        state.cwd = state.cwd or text(record.get("project"))
        command = _COMMAND.match(typed.strip())
        if command is None:
            state.first = state.first or typed
        elif len(state.commands) < MOST:
            state.commands[command[0]] = None
        kind = Kind.PROMPT if command is None else Kind.COMMAND
        step = said(Author.PERSON, kind, typed, moment(record.get("timestamp")))
        return replace(step, line=line, ours=step.ours or (typed.startswith("!") and is_our_command(typed[1:])))

    def _set_aside(self, broken: BrokenLine) -> None:
        if len(self.state.broken) < MOST:
            self.state.broken.append(broken)


def _whole(record: Record) -> str:
    """What was typed, with what was pasted where it was pasted: the line itself holds only its number."""
    pasted = dict(mapping(record.get("pastedContents")))

    def content(found: re.Match[str]) -> str:  # once each: a line must not grow to more than it holds
        return text(mapping(pasted.pop(found[1], None)).get("content")) or found[0]

    return _PASTED.sub(content, text(record.get("display")))


def _turn(n: int, author: Author, steps: list[Step]) -> Turn:
    numbered = tuple(replace(step, n=position) for position, step in enumerate(steps, 1))
    return Turn(n, author, numbered, numbered[0].at)
