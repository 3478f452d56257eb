"""Window → Memory: each closed Window is read once, and what is made of it is journaled before it is stored."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from memlane.domain import Draft, Memory, RunSummary, State, Turn, Window, WindowDrafts
from memlane.domain.journal import MEMORY, STATE
from memlane.errors import UnreadError
from memlane.flow.index import turns_of
from memlane.flow.journal import understand, write_down
from memlane.flow.tools import Tools
from memlane.storage import CatchMark
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane import archive, catch
else:  # a prompt is answered without them
    archive, catch = LazyModule("memlane.archive"), LazyModule("memlane.catch")

SURER = {"agent", "model"}  # one language model reads as well as another, and better than the classifier


@dataclass(frozen=True, slots=True)
class CatchOutcome:
    """What became of what was read."""

    made: tuple[Memory, ...] = ()
    again: tuple[Memory, ...] = ()
    refused: tuple[catch.DraftRefusal, ...] = ()
    windows: int = 0
    unread: tuple[str, ...] = ()  # Windows that stay open, and why

    def __add__(self, other: CatchOutcome) -> CatchOutcome:
        made, again = (*self.made, *other.made), (*self.again, *other.again)
        refused, unread = (*self.refused, *other.refused), (*self.unread, *other.unread)
        return CatchOutcome(made, again, refused, self.windows + other.windows, unread)


def catch_run(run: str, extractor: catch.Extractor, tools: Tools) -> CatchOutcome:
    """Every Window that is closed and that nobody as good has read. One that could not be read stays open, alone."""
    mark, closed, kept = tools.storage.work.indexed(run), windows_of(run, tools), CatchOutcome()
    for window in unread(closed, extractor.name, tools):
        try:
            read = extractor.read(window, nearby(window, tools))
        except UnreadError as error:
            kept += CatchOutcome(unread=(f"{run}#{window.first}: {error.message}",))
            continue
        kept += keep(window, read, extractor, tools)
        if isinstance(extractor, catch.ResumableExtractor):
            extractor.done(window)
    if mark is not None and not kept.unread:
        looked = CatchMark(mark.generation, mark.size, mark.turn, closed.all_closed)
        with tools.lock.held():
            tools.storage.catches.look_done(run, tools.machine.user, looked)
    return kept


def windows_of(run: str, tools: Tools) -> catch.ClosedWindows:
    """Its closed Windows, masked; none where there is no such run, or it was forgotten."""
    folder, summary = tools.layout.find(run), tools.storage.runs.get(run, tools.reader)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is None or metadata is None or summary is None:
        return catch.ClosedWindows((), all_closed=True)
    last = summary.ended or datetime.fromisoformat(metadata.newest.last_captured)
    headless = not summary.person_turns
    about = catch.WindowOrigin(run, summary.owner, summary.agent, metadata.newest.n, summary.project, headless=headless)
    turns = list(turns_of(metadata, folder, tools))
    copied = {turn.n for turn in turns if _copied(turn, summary, tools)}
    caught = catch.settled(tools.storage.catches.read(run, tools.reader))
    asked_before = partial(catch.asked_before, run=run, model=tools.meaning, storage=tools.storage, reader=tools.reader)
    return catch.closed(turns, about, tools.clock() - last, caught, copied, asked_before)


def _copied(turn: Turn, summary: RunSummary, tools: Tools) -> bool:
    """A fork repeats its parent's Turns: what they were worth was caught there."""
    native_id = turn.steps[0].native_id if turn.n and turn.steps and summary.parent else ""
    holders = tools.storage.prompts.holders(native_id, tools.reader) if native_id else ()
    return any(run == summary.parent and steps >= len(turn.steps) for run, _turn, steps in holders)


def unread(closed: catch.ClosedWindows, extractor: str, tools: Tools) -> list[Window]:
    """Those that nobody as good has read."""
    as_good = {extractor} | SURER
    if not closed.windows:
        return []
    done = tools.storage.catches.read(closed.windows[0].run, tools.reader)
    return [window for window in closed.windows if not done.get(window.key, frozenset()) & as_good]


def nearby(window: Window, tools: Tools) -> list[Memory]:
    """What is known about what is talked about here, for whoever reads it: nothing of other projects."""
    said = "\n".join(step.text for spot, step in window.steps() if spot >= window.first)
    near = catch.near(said[-catch.ENOUGH_SAID :], (), tools.meaning, tools.storage, tools.reader)
    known = (memory for memory, _likeness in near if catch.holds_in(memory, window.project.key))
    return [memory for memory in known if memory.state in (State.ACTIVE, State.HELD)][: catch.NEARBY]


def keep(
    window: Window, read: WindowDrafts, extractor: catch.Extractor, tools: Tools, actor: str = "lane"
) -> CatchOutcome:
    """Each Draft judged, and all that comes of it in one write, ended by the line that says the Window was read."""
    gate, reader, memories = tools.gate(), tools.reader, tools.storage.memories
    maker, half_read = f"{extractor.name}@{extractor.version}", _read_by_half(window, extractor.name, tools)

    def known(memory: str) -> Memory | None:
        return None if memory in half_read else memories.get(memory, reader)

    told = {m.memory.id for recall in tools.storage.recalls.shown_in(window.run, reader) for m in recall.shown}
    near = partial(catch.near, model=tools.meaning, storage=tools.storage, reader=reader)
    here = memories.from_run(window.run, list(State), reader)
    taught = [memory for memory in here if catch.is_taught(memory)]
    bench = catch.Bench(gate, tools.clock(), maker, known, near, tools.meant, told, taught)
    verdicts = catch.judge(_with_teachings(window, read, extractor, tools), window, bench)
    write = catch.WindowEntries(window, maker, tools.machine, tools.clock(), actor)
    lines = [*write.taken_back(half_read.values(), verdicts), *write.down(verdicts)]
    if extractor.name in SURER:
        lines += write.outdone(_made_by("embedded", window, tools).values(), verdicts)
    write_down([*lines, write.caught(read, verdicts)], tools)
    understand(tools)
    return CatchOutcome(
        tuple(verdict.memory for verdict in verdicts if isinstance(verdict, catch.NewMemory)),
        tuple(verdict.memory for verdict in verdicts if isinstance(verdict, catch.NewObservation)),
        tuple(verdict for verdict in verdicts if isinstance(verdict, catch.DraftRefusal)),
        windows=1,
    )


def _with_teachings(window: Window, read: WindowDrafts, extractor: catch.Extractor, tools: Tools) -> list[Draft]:
    """What the person taught in plain words beside what was read. What a surer reader is sure of comes first: it knows
    what the words are about, and the teaching is then known."""
    taught = list(catch.taught_in(window)) if tools.teachings else []
    sure = [d for d in read.drafts if extractor.name in SURER and d.confidence >= catch.ACTIVE_FROM]
    return [*sure, *taught, *(draft for draft in read.drafts if draft not in sure)]


def _read_by_half(window: Window, extractor: str, tools: Tools) -> dict[str, Memory]:
    """Memories of a Window that was read before all of it had arrived: they are made again, or taken back."""
    done = tools.storage.catches.read(window.run, tools.reader)
    if not any(extractor in by and catch.overlaps(key, window) for key, by in done.items()):
        return {}
    return _made_by(extractor, window, tools)


def _made_by(extractor: str, window: Window, tools: Tools) -> dict[str, Memory]:
    """Out of this Window alone, and not touched by a person since."""
    standing = tools.storage.memories.from_run(window.run, [State.ACTIVE, State.HELD], tools.reader)
    found = {memory.id: memory for memory in standing if catch.only_from(memory, window, extractor)}
    theirs = _by_hand(found, tools)
    return {name: memory for name, memory in found.items() if name not in theirs}


def _by_hand(memories: Collection[str], tools: Tools) -> set[str]:
    """Those a person has edited or answered for: what they said stands."""
    if not memories:
        return set()
    lines = archive.entries_with(tools.disk, tools.layout, *memories)
    acts = [entry for entry in lines if entry.actor == "person" and entry.kind in (MEMORY, STATE)]
    return {entry.id if entry.kind == MEMORY else str(entry.data["memory"]) for entry in acts}
