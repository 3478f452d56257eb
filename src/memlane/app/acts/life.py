"""A Memory's life, line by line as the journal has it: what it was before each line and after it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import cast

from memlane import archive
from memlane.app.home import Home
from memlane.domain import Entry, Memory, State
from memlane.domain import journal as kinds
from memlane.storage import life, memory_of

UNSEEN = ("recall_count", "saved_at")  # counted, or a time nobody changes


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field, before and after."""

    field: str
    before: object
    after: object


@dataclass(frozen=True, slots=True)
class LifeStep:
    """One line about a Memory, and what it made of it."""

    entry: Entry
    before: Memory | None
    after: Memory | None

    @property
    def changes(self) -> Sequence[FieldChange]:
        if self.before is None or self.after is None:
            return ()
        return differences(self.before, self.after)


def differences(before: Memory, after: Memory) -> Sequence[FieldChange]:
    pairs = ((f.name, getattr(before, f.name), getattr(after, f.name)) for f in fields(Memory) if f.name not in UNSEEN)
    return [FieldChange(name, one, other) for name, one, other in pairs if one != other]


def life_of(home: Home, memory: str) -> Sequence[LifeStep]:
    """Every line that names it, oldest first."""
    return list(_life(memory, archive.entries_with(home.disk, home.layout, memory, f'"kind":"{kinds.ENTITY}"')))


def _life(memory: str, entries: Iterator[Entry]) -> Iterator[LifeStep]:
    for lived in life(memory, entries):
        if lived.after != lived.before or not _elsewhere(memory, lived.entry):
            yield LifeStep(lived.entry, lived.before, lived.after)


def _elsewhere(memory: str, entry: Entry) -> bool:
    """About an entity, or the taking back of something that was not this Memory's."""
    if entry.kind == kinds.UNDO:
        taken_back = cast(Sequence[Mapping[str, str]], entry.data.get("of", ()))
        return all(memory != each["id"] for each in taken_back)
    return entry.kind == kinds.ENTITY


def state_before(life: Sequence[LifeStep], now: State) -> Memory | None:
    """As it was when it last stood in another state than now."""
    stood = (moved.before for moved in reversed(life) if moved.after is not None and moved.before != moved.after)
    return next((memory for memory in stood if memory is not None and memory.state is not now), None)


def gone(memory: Memory) -> bool:
    """Forgotten for good: that it was there is all that is left."""
    return memory.state is State.FORGOTTEN and not memory.title and not memory.content


def names_in(entry: Entry) -> Iterator[str]:
    """The Memories a line may have changed."""
    if name := memory_of(entry):
        yield name
