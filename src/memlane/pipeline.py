"""The data path, top to bottom: an agent's file becomes a Run in the archive, Chunks that are found, a note recalled.

Every step can be repeated; a kill between two of them costs a repeat, never a loss and never a duplicate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memlane import archive, index, recall
from memlane.archive import journal
from memlane.disk import Disk
from memlane.domain import (
    Entry,
    Machine,
    Moment,
    Outcome,
    Query,
    Reader,
    Recall,
    Relation,
    Run,
    RunSummary,
    Turn,
)
from memlane.domain.delta import Delta, Generation
from memlane.domain.journal import RECALL, TOMBSTONE
from memlane.errors import DamagedError
from memlane.gate import Gate
from memlane.sources import (
    BrokenSourceError,
    Lines,
    Source,
    Transcript,
    guarded,
)
from memlane.storage import Bookmark, Mark, Storage, apply, recall_data
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


# -- archive and index: archived ahead of indexed ---------------------------------------------------------------------


def receive(delta: Delta, tools: Tools) -> archive.Appended:
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
    lines = Lines(archive.added(tools.disk, folder, newest, bookmark.offset))
    build = index.Build(_filed(metadata), tools.gate(), tools.storage)
    try:
        with guarded(metadata.format):
            mind = index.recalled(bookmark, lines, source, _transcript(metadata))
            summary = build.run(index.Stretch(lines, source, mind, goes_on=True)) if mind else None
    except BrokenSourceError:
        summary = None  # the whole of it decides whether it can be read
    if summary is None or build.start_over:
        tools.storage.work.index_again(metadata.run)
        return None
    return summary


def _fits(bookmark: Bookmark, newest: Generation, mark: Mark | None, tools: Tools) -> bool:
    """Whether all that was indexed up to the bookmark is what would be indexed now."""
    if mark is None or newest.stored != "raw" or mark.rules != tools.gate().version:
        return False
    return newest.n == bookmark.generation == mark.generation and bookmark.offset <= mark.size <= newest.size


def _read_whole(
    metadata: archive.Metadata, folder: Path, tools: Tools, learned: index.Learned | None = None
) -> RunSummary:
    source, transcript = _source(metadata, tools), _transcript(metadata)
    lines = Lines(archive.pieces(tools.disk, folder, metadata, metadata.newest))
    build = index.Build(_filed(metadata), tools.gate(), tools.storage, learned)
    with guarded(metadata.format):
        mind = index.Mind(source.read(lines, transcript), transcript)
        summary = build.run(index.Stretch(lines, source, mind))
    if build.learned_better:
        return _read_whole(metadata, folder, tools, build.learned)
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
    with guarded(metadata.format):
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
