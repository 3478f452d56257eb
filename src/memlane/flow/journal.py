"""The Journal: lines written here, lines of other Machines joined, and storage brought to where the Journal is.

Whichever way the journals of several machines came together, storage says what a rebuild from all of them would say.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from operator import itemgetter
from typing import TYPE_CHECKING, cast

import msgspec

from memlane.domain import Entry, Memory, NameAnswer, Project, Reader
from memlane.domain.journal import (
    ENTITY,
    FEEDBACK,
    GONE,
    LEFT_OUT,
    MARK,
    MEMORY,
    OBSERVATION,
    OUTCOME,
    PROJECT,
    RECALL,
    STATE,
    TOMBSTONE,
)
from memlane.flow.tools import Tools
from memlane.storage import apply, life, makes, memory_of
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane import archive, catch
    from memlane.archive import journal
else:  # a prompt is answered without them
    archive, catch = LazyModule("memlane.archive"), LazyModule("memlane.catch")
    journal = LazyModule("memlane.archive.journal")

NOTE = "journal"
NEWEST_HOLDS = frozenset({FEEDBACK, OUTCOME, MARK, ENTITY, TOMBSTONE, LEFT_OUT, PROJECT})
BARS = frozenset({TOMBSTONE, LEFT_OUT})
Numbered = tuple[int, Entry]
FORGOTTEN = re.compile(r"[mr]_[a-z2-7]{13}")
FEW = 20  # so many words are looked for in bytes; for more, every line is read


def write_down(entries: Sequence[Entry], tools: Tools) -> None:
    with tools.lock.held():
        filed = [_as_filed(entry, tools) for entry in entries]
        journal.write(tools.disk, tools.layout, tools.machine, filed, tools.storage.work.journal_read())
        catch_up(tools)
    if tools.encodes and any(entry.kind in (MEMORY, STATE, OBSERVATION) for entry in entries):
        encode(tools)


def _as_filed(entry: Entry, tools: Tools) -> Entry:
    """A Memory as it is read belongs to a joined project; its line names the one it was filed under, so that it goes
    back there when the join is taken apart."""
    if entry.kind != MEMORY:
        return entry
    memory, projects, reader = (
        msgspec.convert(entry.data["memory"], Memory),
        tools.storage.projects,
        Reader(entry.owner),
    )
    runs = [one.run for one in memory.evidence if one.run]
    filed, here = projects.filed_as(memory.id, runs, reader), Project(memory.project, memory.project_key)
    if filed is None or filed == here or projects.of(filed, reader) != here:
        return entry
    as_filed = {**cast(Mapping[str, object], entry.data["memory"]), "project": filed.name, "project_key": filed.key}
    return replace(entry, data={**entry.data, "memory": as_filed})


def catch_up(tools: Tools) -> int:
    """Bring storage to where the journal is. Found by comparing offsets, so a kill in between is made good here."""
    if next(journal.read(tools.disk, tools.layout, tools.storage.work.journal_read()), None) is None:
        return 0
    count, kinds = 0, set[str]()
    with tools.storage.transaction():
        positions = dict(tools.storage.work.journal_read())
        joined = _Join(tools, known(tools))
        for placed in journal.read(tools.disk, tools.layout, positions, dict(joined.known.times)):
            if isinstance(placed, journal.PlacedEntry):
                joined.take(placed)
                _forget_too(placed.entry, tools)
                positions[placed.file] = placed.next_offset
                count += 1
                kinds.add(placed.entry.kind)
        if count:
            joined.settle()
            tools.storage.work.journal_done(positions)
    if kinds - {RECALL}:
        tools.changed(tools.storage)
    return count


def _forget_too(entry: Entry, tools: Tools) -> None:
    """Another machine has forgotten it for good: that it shall go here too is durable before its line is read."""
    mine = entry.owner == tools.machine.user and FORGOTTEN.fullmatch(entry.id) is not None
    if entry.kind == GONE and entry.machine != tools.machine.name and mine:
        archive.begin_forgetting(tools.disk, tools.layout, entry.id)


class JoinState(msgspec.Struct):
    """How far the machines' lines have come, and the Memories that lines speak of whose own line is not here yet."""

    times: dict[str, datetime] = {}
    waiting: list[str] = []


def known(tools: Tools) -> JoinState:
    if note := tools.storage.notes.get(NOTE):
        return msgspec.json.decode(note, type=JoinState)
    read, found = tools.storage.work.journal_read(), JoinState()
    for placed in journal.read(tools.disk, tools.layout, {}) if read else ():
        if isinstance(placed, journal.PlacedEntry) and placed.next_offset <= read.get(placed.file, 0):
            found.times[placed.machine] = placed.time
            name = memory_of(placed.entry)
            if name and name not in found.waiting and _is_unknown(name, placed.entry.owner, tools):
                found.waiting.append(name)
    return found


def _is_unknown(memory: str, owner: str, tools: Tools) -> bool:
    return tools.storage.memories.get(memory, Reader(owner)) is None


class _Join:
    """One pass over new lines: what comes in order is applied as it comes, the rest when all of them are there."""

    def __init__(self, tools: Tools, known: JoinState) -> None:
        self.known = known
        self._tools, self._storage = tools, tools.storage
        self._memories = dict[str, str]()  # to be told anew → owner
        self._things = set[tuple[str, str]]()  # of which the newest line holds: kind, id
        self._names = set[tuple[str, str]]()  # whose answers came late: raw, owner
        self._new = set[str]()  # Memories nobody here had heard of before these lines

    def take(self, placed: journal.PlacedEntry) -> None:
        entry, late = placed.entry, self._is_late(placed)
        self.known.times[placed.machine] = placed.time
        if memory := memory_of(entry):
            self._take_memory(memory, entry, late=late)
        elif late and entry.kind in NEWEST_HOLDS:
            self._take_late(entry)
        else:
            apply(entry, self._storage)

    def _is_late(self, placed: journal.PlacedEntry) -> bool:
        """A line of another machine that stands behind it was applied already."""
        mine = placed.time, placed.machine
        return any((time, name) > mine for name, time in self.known.times.items() if name != placed.machine)

    def _take_memory(self, memory: str, entry: Entry, *, late: bool) -> None:
        unheard = memory not in self._new and _is_unknown(memory, entry.owner, self._tools)
        if memory in self.known.waiting or (late and not unheard and memory not in self._new):
            self._memories[memory] = entry.owner
            return
        if unheard and not makes(entry):
            self.known.waiting.append(memory)
        if unheard and entry.kind == MEMORY:
            self._new.add(memory)
            if late and self._storage.entities.answers(Reader(entry.owner)):
                self._memories[memory] = entry.owner  # names in it may have been answered since
        apply(entry, self._storage)

    def _take_late(self, entry: Entry) -> None:
        if (said := entry.data.get("mention")) is None:
            self._things.add((entry.kind, entry.id))
        else:
            self._names.add((msgspec.convert(said, NameAnswer).raw, entry.owner))

    def settle(self) -> None:
        """What is to be told anew is: from all lines there are."""
        if self._memories or self._things or self._names:
            self._settle_all()
        self._storage.notes.put(NOTE, msgspec.json.encode(self.known).decode())

    def _settle_all(self) -> None:
        ids = {*self._memories, *(id for _kind, id in self._things)}
        lines = list(_lines_about(ids, self._tools))
        for entry in _newest(lines, self._things):
            if entry.kind in BARS:
                self._storage.bars.lift(entry.id, entry.owner)
            apply(entry, self._storage)
        self._answer(lines)
        if self._memories.keys() - ids:
            lines = list(_lines_about(self._memories, self._tools))
        for memory, mine in _by_memory(lines, self._memories).items():
            self._tell(memory, mine)

    def _answer(self, lines: Iterable[Entry]) -> None:
        """What these names mean now; every Memory that has one is told anew."""
        for raw, owner in self._names:
            for entry in lines:
                if entry.owner == owner and _answers(entry, raw):
                    apply(entry, self._storage)
            for memory in self._storage.memories.naming(raw, Reader(owner)):
                self._memories[memory.id] = owner

    def _tell(self, memory: str, lines: Iterable[Entry]) -> None:
        stands, made = None, False
        for lived in life(memory, lines):
            stands, made = lived.after, made or (memory_of(lived.entry) == memory and makes(lived.entry))
        if stands is not None:
            self._storage.memories.put(stands)
        if made and memory in self.known.waiting:
            self.known.waiting.remove(memory)


def _by_memory(lines: Sequence[Entry], memories: Mapping[str, str]) -> Mapping[str, Iterable[Entry]]:
    """The lines of each, and what its owner said that names mean, in order."""
    mine, names = dict[str, list[Numbered]](), dict[str, list[Numbered]]()
    for n, line in enumerate(lines):
        if line.kind == ENTITY:
            names.setdefault(line.owner, []).append((n, line))
        elif memories.get(memory := memory_of(line)) == line.owner:
            mine.setdefault(memory, []).append((n, line))
    return {
        memory: (line for _n, line in heapq.merge(own, names.get(memories[memory], ()), key=itemgetter(0)))
        for memory, own in mine.items()
    }


def _lines_about(ids: Collection[str], tools: Tools) -> Iterator[Entry]:
    """Those, and every line about what names mean."""
    if len(ids) <= FEW:
        yield from archive.entries_with(tools.disk, tools.layout, *ids, f'"kind":"{ENTITY}"')
        return
    for placed in journal.read(tools.disk, tools.layout, {}):
        if isinstance(placed, journal.PlacedEntry):
            entry = placed.entry
            if entry.kind == ENTITY or entry.id in ids or memory_of(entry) in ids:
                yield entry


def _newest(lines: Iterable[Entry], things: Collection[tuple[str, str]]) -> Iterable[Entry]:
    """A left-out Run that is forgotten stays so: what bars it is one thing of two kinds."""
    wanted = {_thing(kind, id) for kind, id in things}
    newest = dict[tuple[str, str, str], Entry]()
    for entry in lines:
        thing = _thing(entry.kind, entry.id)
        if thing in wanted and "mention" not in entry.data:
            key = (*thing, entry.owner)
            if not (entry.kind == LEFT_OUT and _is_forgotten(newest.get(key))):
                newest[key] = entry
    return newest.values()


def _is_forgotten(entry: Entry | None) -> bool:
    return entry is not None and entry.kind == TOMBSTONE and not entry.data.get("restored")


def _thing(kind: str, id: str) -> tuple[str, str]:
    return (TOMBSTONE if kind in BARS else kind, id)


def _answers(entry: Entry, raw: str) -> bool:
    said = cast(object, entry.data.get("mention")) if entry.kind == ENTITY else None
    return said is not None and msgspec.convert(said, NameAnswer).raw.casefold() == raw.casefold()


def understand(tools: Tools) -> None:
    catch.understand(tools.meaning, tools.storage, tools.lock.held, tools.clock)


def encode(tools: Tools) -> None:
    """The same by the model of recall, and their Cues: found again whenever Memories change, and by the tick."""
    catch.understand(tools.encodes, tools.storage, tools.lock.held, tools.clock)
    catch.understand_cues(tools.encodes, tools.storage, tools.lock.held)
