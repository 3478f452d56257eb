"""The data path, top to bottom: an agent's file becomes a Run in the archive, Chunks that are found, a note recalled.

Every step can be repeated; a kill between two of them costs a repeat, never a loss and never a duplicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from memlane import archive, capture, index, recall
from memlane.archive import journal
from memlane.capture import Kept, Look, Place, Seen, SetAside
from memlane.disk import Disk
from memlane.domain import (
    Entry,
    Machine,
    Moment,
    Outcome,
    Project,
    Query,
    Reader,
    Recall,
    Relation,
    Run,
    RunSummary,
    Turn,
)
from memlane.domain.delta import Delta
from memlane.domain.journal import RECALL, TOMBSTONE
from memlane.errors import BusyError, DamagedError
from memlane.gate import Gate
from memlane.sources import Collection, Container, Document, Lines, Peek, SideFile, Source, Transcript, Unread
from memlane.storage import Storage, apply, recall_data
from memlane.tables import UnreadableError
from memlane.work import WriteLock


@dataclass(frozen=True, slots=True)
class Tools:
    """Everything the path needs, handed in: no room reads the clock, the environment or a setting."""

    disk: Disk
    layout: archive.Layout
    machine: Machine
    storage: Storage
    lock: WriteLock
    gate: Callable[[], Gate]  # built when first needed: a hook's answer does not wait for its rules
    sources: Mapping[str, Source]
    clock: Callable[[], datetime]
    new_id: Callable[[str], str]
    weights: recall.Weights = recall.WEIGHTS
    budget: recall.Budget = recall.BUDGET
    specificity: recall.Specificity = recall.SPECIFICITY

    @property
    def reader(self) -> Reader:
        return Reader(self.machine.user)


# -- capture: what is new on this machine -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Captured:
    """Bytes that are now durable in the archive."""

    run: Run
    generation: int
    bytes_new: int
    path: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """How to look: where, on whose behalf, and what to leave alone."""

    places: Sequence[Place]
    machine: Machine
    exclude: Sequence[str]
    project_of: Callable[[Peek], Project]
    leave: Callable[[Run, Peek], str]  # a reason not to take this run, or ""
    audit: bool = False


def changed(sweep: Sweep, tools: Tools) -> tuple[list[Seen], list[SetAside], int]:
    """Files that are not as they were when all of them was archived: the newest first, side files last."""
    known: Mapping[str, str] = {} if sweep.audit else tools.storage.checkpoints.all()
    seen, aside, total = list[Seen](), list[SetAside](), 0
    for found in capture.look(tools.disk, sweep.places):
        if isinstance(found, SetAside):
            aside.append(found)
            continue
        total += 1
        if known.get(capture.shown(found.path)) not in (found.signature, _left(found, sweep)):
            seen.append(found)
    seen.sort(key=lambda s: (isinstance(s.what, SideFile), -s.stat.modified_ns, s.path))
    return seen, aside, total


def take(seen: Seen, sweep: Sweep, tools: Tools) -> Iterator[Captured | SetAside]:
    """One file into the archive. What cannot be read is set aside by name; the next file goes on."""
    path = capture.shown(seen.path)
    try:
        match seen.what:
            case Container():
                yield from _take_container(seen, sweep, tools)
            case SideFile() as side:
                with tools.lock.held():
                    _take_side_file(seen, side, sweep, tools)
            case Transcript() as transcript:
                with tools.lock.held():
                    taken = _take_transcript(seen, transcript, sweep, tools)
                if taken is not None:
                    yield taken
    except FileNotFoundError:
        return  # gone since we looked; what was archived of it stays
    except OSError as error:
        yield SetAside(path, error.strerror or str(error))
    except (capture.ChangedUnderneathError, DamagedError, UnreadableError, BusyError) as error:
        yield SetAside(path, error.message)


def _take_transcript(seen: Seen, transcript: Transcript, sweep: Sweep, tools: Tools) -> Captured | None:
    run = capture.run_of(sweep.machine, seen.source, transcript.native_id)
    look = Look(tools.disk, _shelf(tools), sweep.project_of, audit=sweep.audit)
    try:
        return _take_new_bytes(look, seen, transcript, run, sweep, tools)
    except DamagedError:  # our own copy: the audit takes it again if the agent still has every byte of it
        if look.audit or transcript.rewritten:
            raise
    return _take_new_bytes(replace(look, audit=True), seen, transcript, run, sweep, tools)


def _take_new_bytes(
    look: Look, seen: Seen, transcript: Transcript, run: Run, sweep: Sweep, tools: Tools
) -> Captured | None:
    with capture.new_bytes(look, seen, transcript, run) as delta:
        if delta is None:
            _nothing_new(seen, run, tools)
            return None
        if _left_alone(delta, sweep):
            if _is_excluded(delta, sweep):
                tools.storage.checkpoints.save(capture.shown(seen.path), _left(seen, sweep))
            return None
        appended = receive(delta, tools)
    _archived(seen, appended.metadata, tools)
    return Captured(run, appended.generation, appended.bytes_new, capture.shown(seen.path))


def _nothing_new(seen: Seen, run: Run, tools: Tools) -> None:
    """All of it is in the archive, perhaps since a kill came before storage was told so."""
    folder = tools.layout.find(run.id)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is None or metadata is None:
        tools.storage.checkpoints.save(capture.shown(seen.path), seen.signature)
    else:
        archive.settle(tools.disk, folder)
        _archived(seen, metadata, tools)


def _archived(seen: Seen, metadata: archive.Metadata, tools: Tools) -> None:
    with tools.storage.transaction():
        tools.storage.work.archived(metadata.run, metadata.newest.n, metadata.newest.size)
        tools.storage.checkpoints.save(capture.shown(seen.path), seen.signature)


def _take_container(seen: Seen, sweep: Sweep, tools: Tools) -> Iterator[Captured | SetAside]:
    """Every run in a database or an export; those whose lines are as they were cost one digest."""
    path, complete = capture.shown(seen.path), True
    assert isinstance(seen.source, Collection)
    for document in seen.source.documents(seen.path):
        if isinstance(document, Unread):
            complete = False
            yield SetAside(f"{path}: {document.where}", document.reason)
            continue
        name = f"{path}#{document.transcript.native_id}"
        digest = capture.digest_of(document)
        if not sweep.audit and tools.storage.checkpoints.get(name) == digest:
            continue
        try:
            with tools.lock.held():
                taken = _take_document(document, seen, sweep, tools)
                tools.storage.checkpoints.save(name, digest)
        except DamagedError as error:
            taken, complete = SetAside(name, error.message), False
        if taken is not None:
            yield taken
    if complete:
        tools.storage.checkpoints.save(path, seen.signature)


def _take_document(document: Document, seen: Seen, sweep: Sweep, tools: Tools) -> Captured | None:
    run = capture.run_in(document, sweep.machine, seen.source)
    path = capture.shown(seen.path)
    delta = capture.delta_of(document, run, seen.source, path, _kept(run.id, tools), sweep.project_of)
    if delta is None or _left_alone(delta, sweep):
        return None
    appended = receive(delta, tools)
    tools.storage.work.archived(run.id, appended.metadata.newest.n, appended.metadata.newest.size)
    return Captured(run, appended.generation, appended.bytes_new, delta.source_path)


def _kept(run: str, tools: Tools) -> Kept | None:
    folder = tools.layout.find(run)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is None or metadata is None:
        return None
    pieces = partial(archive.pieces, tools.disk, folder, metadata, metadata.newest)
    return Kept(metadata.format, metadata.generations, pieces)


def _is_excluded(delta: Delta, sweep: Sweep) -> bool:
    return capture.excluded(sweep.exclude, path=delta.source_path, agent=delta.run.agent, cwd=delta.cwd) != ""


def _left(seen: Seen, sweep: Sweep) -> str:
    """The checkpoint of a file that these patterns keep out: with others it is looked at again."""
    return f"{seen.signature} left out by {' '.join(sweep.exclude)}"


def _left_alone(delta: Delta, sweep: Sweep) -> bool:
    if _is_excluded(delta, sweep):
        return True
    return sweep.leave(delta.run, Peek(delta.started, delta.cwd)) != ""


def _take_side_file(seen: Seen, side: SideFile, sweep: Sweep, tools: Tools) -> None:
    run, path = capture.run_of(sweep.machine, seen.source, side.native_id), capture.shown(seen.path)
    held = _shelf(tools).holding(run.id)
    if capture.excluded(sweep.exclude, path=path, agent=run.agent, cwd=held.cwd):
        return
    if not held.generations or sweep.leave(run, Peek(held.started, held.cwd)):
        return
    with capture.opened(tools.disk, seen.path) as (descriptor, _stat):
        pieces = capture.whole(tools.disk, descriptor)
        kept = archive.keep_side_file(tools.disk, tools.layout, run.id, side.name, path, pieces)
    if kept is not None:
        tools.storage.checkpoints.save(path, seen.signature)


def _shelf(tools: Tools) -> archive.Shelf:
    return archive.Shelf(tools.disk, tools.layout)


def receive(delta: Delta, tools: Tools) -> archive.Appended:
    keep = archive.rewrite if delta.rewritten else archive.append
    return keep(tools.disk, tools.layout, delta, tools.clock())  # byte-exact, synced, then acknowledged


# -- index: archived ahead of indexed ---------------------------------------------------------------------------------


def index_run(run: str, tools: Tools) -> RunSummary | None:
    """None when the archive has no such run, or it was forgotten."""
    folder = tools.layout.find(run)
    metadata = archive.load(tools.disk, folder) if folder else None
    forgotten = tools.storage.bars.barred(tools.reader).get(run) == TOMBSTONE
    if folder is None or metadata is None or forgotten:
        with tools.storage.transaction():
            tools.storage.runs.drop(run)
        return None
    lines = Lines(archive.pieces(tools.disk, folder, metadata, metadata.newest))
    build = index.Build(_filed(metadata), tools.gate(), tools.storage)
    with tools.storage.transaction():
        summary = build.run(_source(metadata, tools).read(lines, _transcript(metadata)))
        if lines.withheld or lines.broken:
            summary = replace(summary, withheld=lines.withheld, broken=(*summary.broken, *lines.broken))
            tools.storage.runs.put(summary)
    return summary


def _source(metadata: archive.Metadata, tools: Tools) -> Source:
    source = tools.sources.get(metadata.format)
    if source is None:
        raise DamagedError(f"nobody here reads runs of {metadata.format}", hint="install what captured them")
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


def turns_of(metadata: archive.Metadata, folder: Path, tools: Tools, *, only: int | None = None) -> Iterator[Turn]:
    """A run's turns, masked, straight from the archive: all of them, or one."""
    lines = Lines(archive.pieces(tools.disk, folder, metadata, metadata.newest))
    gate = tools.gate()
    for turn in _source(metadata, tools).read(lines, _transcript(metadata)).turns():
        if only in (None, turn.n):
            yield gate.mask_turn(turn)
        if only is not None and turn.n >= only:
            return


def _transcript(metadata: archive.Metadata) -> Transcript:
    relation = Relation(metadata.relation) if metadata.relation else None
    return Transcript(metadata.native_id, metadata.parent_native_id, relation)


def _filed(metadata: archive.Metadata) -> index.Filed:
    return index.Filed(
        run=Run(metadata.run, metadata.user, metadata.machine, metadata.agent, metadata.native_id),
        generation=metadata.newest,
        bytes=metadata.newest.size,
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


def catch_up(tools: Tools) -> int:
    """Bring storage to where the journal is. Found by comparing offsets, so a kill in between is made good here."""
    if next(journal.read(tools.disk, tools.layout, tools.storage.work.journal_read()), None) is None:
        return 0
    count = 0
    with tools.storage.transaction():
        positions = dict(tools.storage.work.journal_read())
        for placed in journal.read(tools.disk, tools.layout, positions):
            if isinstance(placed, journal.Placed):
                apply(placed.entry, tools.storage)
                positions[placed.file] = placed.next_offset
                count += 1
        if count:
            tools.storage.work.journal_done(positions)
    return count


# -- recall: the right note, or silence -------------------------------------------------------------------------------


def recall_for(query: Query, tools: Tools) -> Recall:
    now = tools.clock()
    gathered = recall.gather(query, tools.reader, tools.storage, tools.specificity)
    choice = recall.choose(query, gathered, _said(query.run, tools), now, tools.weights, tools.budget)
    return Recall(
        id=tools.new_id("l"),
        owner=tools.machine.user,
        at=now,
        query=query,
        outcome=Outcome.SHOWN if choice.shown else Outcome.SILENT,
        why=choice.why,
        shown=choice.shown,
        near=choice.near,
        nonce=tools.new_id("n")[2:],
        tokens=sum(recall.tokens_of(match.memory) for match in choice.shown),
    )


def _said(run: str, tools: Tools) -> recall.Said:
    """What this run was told since its context began or was last compacted."""
    told, tokens = set[str](), 0
    for before in tools.storage.recalls.shown_in(run, tools.reader):
        if before.query.moment is Moment.START:
            told, tokens = set[str](), 0  # titles at the start of a context are pointers, not notes
            continue
        told |= {match.memory.id for match in before.shown}
        tokens += before.tokens
    return recall.said_before(told, tokens)


def keep_recall(answered: Recall, tools: Tools) -> None:
    """After the answer has gone out. The prompt is masked like everything that is not the raw archive."""
    words = tools.gate().mask(answered.query.words)
    kept = replace(answered, query=replace(answered.query, words=words))
    write_down([Entry(RECALL, kept.id, kept.at, kept.owner, tools.machine.name, "lane", recall_data(kept))], tools)
