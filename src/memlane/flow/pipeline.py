"""The data path, top to bottom: an agent's file becomes a Run in the archive, Chunks that are found, and Memories.

`telling.py` is its last arrow: a note recalled. Every step can be repeated; a kill between two of them costs a repeat,
never a loss and never a duplicate.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.domain import Entry, Memory, Relation, Run, RunSummary, State, Turn, Window, WindowDrafts
from memlane.domain.delta import Delta, Generation
from memlane.domain.journal import MEMORY, OBSERVATION, STATE, TOMBSTONE
from memlane.errors import DamagedError, UnreadError
from memlane.flow.journal import catch_up as catch_up
from memlane.flow.tools import Tools
from memlane.storage import Bookmark, CatchMark, IndexMark
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane import agents, archive, catch, index
    from memlane.archive import journal
else:  # a prompt is answered without them
    archive, catch, index, agents = (LazyModule(f"memlane.{room}") for room in ("archive", "catch", "index", "agents"))
    journal = LazyModule("memlane.archive.journal")

SURER = {"agent", "model"}  # one language model reads as well as another, and better than the classifier
Cut = Callable[[Turn], Turn | None]  # to what is wanted of it; None: nothing


# -- archive and index: archived ahead of indexed ---------------------------------------------------------------------


def receive(delta: Delta, tools: Tools) -> archive.AppendReceipt:
    keep = archive.rewrite if delta.rewritten else archive.append
    return keep(tools.disk, tools.layout, delta, tools.clock())  # byte-exact, synced, then acknowledged


def index_run(run: str, tools: Tools) -> RunSummary | None:
    """None when the archive has no such run, or it was forgotten."""
    folder = tools.layout.find(run)
    metadata = archive.load(tools.disk, folder) if folder else None
    forgotten = tools.storage.bars.barred(tools.reader).get(run) == TOMBSTONE
    if folder is None or metadata is None or forgotten:
        with tools.storage.transaction():
            tools.storage.runs.drop(run)
        return None
    with tools.storage.transaction():
        return _read_on(metadata, folder, tools) or _read_whole(metadata, folder, tools)


def _read_on(metadata: archive.Metadata, folder: Path, tools: Tools) -> RunSummary | None:
    """Only what was added, from where the last reading stopped. None: that is not known, or does not tell enough."""
    newest, source, bookmark = metadata.newest, _source(metadata, tools), tools.storage.work.bookmark(metadata.run)
    if bookmark is None or not _fits(bookmark, newest, tools.storage.work.indexed(metadata.run), tools):
        return None
    lines = agents.LineStream(archive.added(tools.disk, folder, newest, bookmark.offset))
    build = index.Build(_filed(metadata), tools.gate(), tools.storage)
    try:
        with agents.guarded(metadata.format):
            mind = index.resume(bookmark, lines, source, _transcript(metadata))
            summary = build.run(index.RunLines(lines, source, mind, goes_on=True)) if mind else None
    except agents.BrokenSourceError:
        summary = None  # the whole of it decides whether it can be read
    if summary is None or build.start_over:
        tools.storage.work.index_again(metadata.run)
        return None
    return summary


def _fits(bookmark: Bookmark, newest: Generation, mark: IndexMark | None, tools: Tools) -> bool:
    """Whether all that was indexed up to the bookmark is what would be indexed now."""
    if mark is None or newest.stored != "raw" or mark.rules != tools.gate().version:
        return False
    return newest.n == bookmark.generation == mark.generation and bookmark.offset <= mark.size <= newest.size


def _read_whole(
    metadata: archive.Metadata, folder: Path, tools: Tools, learned: index.RunOrigin | None = None
) -> RunSummary:
    source, transcript = _source(metadata, tools), _transcript(metadata)
    lines = agents.LineStream(archive.pieces(tools.disk, folder, metadata, metadata.newest))
    build = index.Build(_filed(metadata), tools.gate(), tools.storage, learned)
    with agents.guarded(metadata.format):
        mind = index.PassState(source.read(lines, transcript), index.SoFar(transcript))
        summary = build.run(index.RunLines(lines, source, mind))
    if build.learned_better:
        return _read_whole(metadata, folder, tools, build.learned)
    return summary


def _source(metadata: archive.Metadata, tools: Tools) -> agents.Source:
    source = tools.sources.get(metadata.format)
    if source is None:
        raise DamagedError(
            f"no reader for runs of format {metadata.format}", hint="install the package that captured them"
        )
    return source


def find_work(tools: Tools) -> None:
    """Archived ahead of indexed, whoever was killed in between: all runs there are, compared with their marks."""
    for folder in tools.layout.run_folders():
        try:
            metadata = archive.load(tools.disk, folder)
        except DamagedError:
            continue  # `archive verify` names it
        if metadata is not None:
            tools.storage.work.archived(metadata.run, metadata.newest.n, metadata.newest.size)


def turns_of(
    metadata: archive.Metadata, folder: Path, tools: Tools, *, only: int | None = None, cut: Cut = lambda turn: turn
) -> Iterator[Turn]:
    """A run's turns, masked, straight from the archive: all of them, or one; each cut to what is wanted of it."""
    lines = agents.LineStream(archive.pieces(tools.disk, folder, metadata, metadata.newest))
    gate = tools.gate()
    with agents.guarded(metadata.format):
        for turn in _source(metadata, tools).read(lines, _transcript(metadata)).turns():
            if only in (None, turn.n) and (wanted := cut(turn)) is not None:
                yield gate.mask_turn(wanted)
            if only is not None and turn.n >= only:
                return


def _transcript(metadata: archive.Metadata) -> agents.Transcript:
    relation = Relation(metadata.relation) if metadata.relation else None
    return agents.Transcript(metadata.native_id, metadata.parent_native_id, relation)


def _filed(metadata: archive.Metadata) -> index.FiledRun:
    return index.FiledRun(
        run=Run(metadata.run, metadata.user, metadata.machine, metadata.agent, metadata.native_id),
        generation=metadata.newest,
        bytes=metadata.newest.size,
        started=datetime.fromisoformat(metadata.started),
        cwd=metadata.cwd,
        project=metadata.project,
        parent_native_id=metadata.parent_native_id,
        relation=metadata.relation,
    )


# -- the journal: the authority first, storage second -----------------------------------------------------------------


def write_down(entries: Sequence[Entry], tools: Tools) -> None:
    with tools.lock.held():
        journal.write(tools.disk, tools.layout, tools.machine, entries)
        catch_up(tools)
    if tools.encodes and any(entry.kind in (MEMORY, STATE, OBSERVATION) for entry in entries):
        encode(tools)


# -- catch: a closed Window is read once; what is made of it is journaled before it is stored -------------------------


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
    bench = catch.Bench(gate, tools.clock(), maker, known, near, tools.meant, told)
    verdicts = catch.judge(read.drafts, window, bench)
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


def understand(tools: Tools) -> None:
    catch.understand(tools.meaning, tools.storage, tools.lock.held)


def encode(tools: Tools) -> None:
    """The same by the model of recall: found again whenever Memories change, and by the tick."""
    catch.understand(tools.encodes, tools.storage, tools.lock.held)
