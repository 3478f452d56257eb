"""What the lines of the Journal make of one Memory, from first to last; the same as applying them one by one.

A line about a Memory may stand before the one that made it: the clock of the machine that wrote it went behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import msgspec

from memlane.domain import Entry, Memory, NameAnswer
from memlane.domain import journal as kinds
from memlane.storage.projection import changed, memory_of, told


@dataclass(frozen=True, slots=True)
class Lived:
    """One line, and what it made of the Memory."""

    entry: Entry
    before: Memory | None
    after: Memory | None


def life(memory: str, entries: Iterable[Entry]) -> Iterator[Lived]:
    """Of these lines, in order: those about other things change nothing."""
    stands: Memory | None = None
    answers = dict[tuple[str, str], NameAnswer]()
    for entry in made_first(memory, entries):
        before = stands
        if (answer := _answer(entry)) is not None:
            answers[answer.raw.casefold(), answer.project_key] = answer
            stands = told(before, answer.raw, answers.values()) if before is not None else None
        elif memory_of(entry) == memory and (after := changed(before, entry)) is not None:
            stands = replace(after, recall_count=0)
        yield Lived(entry, before, stands)


def made_first(memory: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """What is about it stands behind the line that made it; if that is lost, behind the first that knows it whole."""
    early, made = list[Entry](), False
    for entry in entries:
        if made or memory_of(entry) != memory:
            yield entry
        elif makes(entry):
            made = True
            yield from (*_whole_first(early), entry) if _knew(entry.machine, early) else (entry, *early)
        else:
            early.append(entry)
    if not made:
        yield from _whole_first(early)


def _knew(machine: str, early: Iterable[Entry]) -> bool:
    """It wrote the Memory down before: what it writes now is no making."""
    return any(entry.kind == kinds.MEMORY and entry.machine == machine for entry in early)


def _whole_first(early: Sequence[Entry]) -> Iterator[Entry]:
    first = next((n for n, entry in enumerate(early) if entry.kind == kinds.MEMORY), 0)
    yield from (*early[first : first + 1], *early[:first], *early[first + 1 :])


def makes(entry: Entry) -> bool:
    """Not an edit by a clock that was behind when it was saved."""
    return entry.kind == kinds.MEMORY and entry.at >= msgspec.convert(entry.data["memory"], Memory).saved_at


def _answer(entry: Entry) -> NameAnswer | None:
    said = cast(object, entry.data.get("mention")) if entry.kind == kinds.ENTITY else None
    return None if said is None else msgspec.convert(said, NameAnswer)
