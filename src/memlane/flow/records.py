"""How each extractor did so far: read from the Journal, line after line, and put down in the index as a note.

The note is a shortcut. Without it, as after a rebuild, the Journal is read from its beginning and says the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.domain import Entry, State
from memlane.domain import journal as kinds
from memlane.flow.tools import Tools
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane.archive import journal
    from memlane.catch import record
else:  # a prompt is answered without them
    journal, record = LazyModule("memlane.archive.journal"), LazyModule("memlane.catch.record")

NOTE = "extractors"
PERSON = "person"
ENOUGH = 200  # lines that are read again rather than put down
_ANSWERED = {State.ACTIVE: True, State.FORGOTTEN: False, State.RETIRED: False}


class ExtractorTally(msgspec.Struct):
    answers: int = 0
    first: list[tuple[bool, bool]] = []  # answers: agrees with the classifier, has something to remember
    inventing: int = 0
    invented_in: str = ""  # the last Window in which it quoted what nobody said: one counts once
    answered: dict[str, bool] = {}  # Memory → accepted by a person


class ExtractorTallies(msgspec.Struct):
    positions: dict[str, int] = {}
    extractors: dict[str, ExtractorTally] = {}


def record_of(maker: str, tools: Tools) -> record.ExtractorRecord:
    """For whoever is about to write: where it took long to find out, it is put down."""
    notes, lines = _brought_up(tools)
    if lines > ENOUGH:
        with tools.lock.held():
            tools.storage.notes.put(NOTE, msgspec.json.encode(notes).decode())
    name = record.name_of(maker)
    return _record(name, notes.extractors.get(name, ExtractorTally()))


def records(tools: Tools) -> Sequence[record.ExtractorRecord]:
    """Of every model and agent that has read here. Nothing is written."""
    notes, _lines = _brought_up(tools)
    return [_record(name, note) for name, note in sorted(notes.extractors.items())]


def _record(name: str, note: ExtractorTally) -> record.ExtractorRecord:
    accepted = sum(note.answered.values())
    return record.ExtractorRecord(
        name,
        answers=note.answers,
        agreeing=sum(agrees for agrees, _tells in note.first),
        telling=sum(agrees and tells for agrees, tells in note.first),
        inventing=note.inventing,
        accepted=accepted,
        rejected=len(note.answered) - accepted,
    )


def _brought_up(tools: Tools) -> tuple[ExtractorTallies, int]:
    """And how many lines that took."""
    note, lines = tools.storage.notes.get(NOTE), 0
    notes = msgspec.json.decode(note, type=ExtractorTallies) if note else ExtractorTallies()
    for placed in journal.read(tools.disk, tools.layout, notes.positions):
        if isinstance(placed, journal.PlacedEntry):
            _take(placed.entry, notes, tools)
            notes.positions[placed.file] = placed.next_offset
            lines += 1
    return notes, lines


def _take(entry: Entry, notes: ExtractorTallies, tools: Tools) -> None:
    data = entry.data
    match entry.kind:
        case kinds.CAUGHT if "agrees" in data:
            _take_answer(data, _of(str(data["extractor"]), notes))
        case kinds.REFUSAL if data["rule"] == "quote":
            note, place = _of(str(data["extractor"]), notes), f"{data['run']}#{data['step']}"
            note.inventing += place != note.invented_in
            note.invented_in = place
        case kinds.MEMORY if entry.actor == PERSON:
            memory = cast(Mapping[str, object], data["memory"])
            _take_word(str(memory["id"]), State(str(memory["state"])), notes, tools)
        case kinds.STATE if entry.actor == PERSON:
            _take_word(str(data["memory"]), State(str(data["state"])), notes, tools)
        case _:
            pass


def _take_answer(data: Mapping[str, object], note: ExtractorTally) -> None:
    note.answers += 1
    if len(note.first) < record.ANSWERS:
        tells = any(int(str(data[name])) for name in ("memories", "held", "refused"))
        note.first.append((bool(data["agrees"]), tells))


def _take_word(memory: str, state: State, notes: ExtractorTallies, tools: Tools) -> None:
    """A person kept or edited it, or wants it gone; back to where it waits is no answer any more."""
    known = tools.storage.memories.get(memory, tools.reader)
    if known is None or known.maker.partition("@")[0] not in ("agent", "model"):
        return
    answered = _of(known.maker, notes).answered
    if state in _ANSWERED:
        answered[memory] = _ANSWERED[state]
    elif state is State.HELD:
        answered.pop(memory, None)


def _of(maker: str, notes: ExtractorTallies) -> ExtractorTally:
    return notes.extractors.setdefault(record.name_of(maker), ExtractorTally())
