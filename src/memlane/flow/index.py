"""Archive → Chunks: a Run's masked turns become findable.

Work is found, not queued: what is archived ahead of its index mark is what is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memlane.capture import UnreadableFile
from memlane.domain import BESIDE, Author, Kind, Relation, Run, RunSummary, Step, Turn
from memlane.domain.delta import Generation
from memlane.domain.journal import TOMBSTONE
from memlane.errors import DamagedError
from memlane.flow.tools import OnProgress, Progress, Tools, quietly
from memlane.storage import Bookmark, IndexMark
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane import agents, archive, index
else:  # a prompt is answered without them
    agents, archive, index = (LazyModule(f"memlane.{room}") for room in ("agents", "archive", "index"))

MOST_ROUNDS = 6  # of indexing in one sweep; what is still left waits for the next
Cut = Callable[[Turn], Turn | None]  # to what is wanted of it; None: nothing


def index_pending(tools: Tools, on: OnProgress) -> tuple[dict[str, int], list[UnreadableFile]]:
    """Every Run archived ahead of its index, also after an interrupted sweep: how many Turns each gained."""
    turns, aside = dict[str, int](), list[UnreadableFile]()
    pending = tools.storage.work.pending()
    for _round in range(MOST_ROUNDS if pending else 0):
        sizes = {run: 0 if on is quietly else _size(run, tools) for run in pending}
        total, done = sum(sizes.values()), 0
        for number, run in enumerate(pending):
            on(Progress("indexing", number, len(pending), done, total, run))
            done += sizes[run]
            before = tools.storage.runs.get(run, tools.reader)
            try:
                with tools.lock.held():
                    after = index_run(run, tools)
            except DamagedError as error:
                aside.append(UnreadableFile(run, error.message))
                continue
            turns[run] = turns.get(run, 0) + max(0, (after.turns if after else 0) - (before.turns if before else 0))
        on(Progress("indexing", len(pending), len(pending), total, total))
        again = tools.storage.work.pending()  # a fork may have found its parent meanwhile
        pending = [run for run in again if run not in {a.path for a in aside}] if set(again) != set(pending) else ()
    with tools.lock.held():
        tools.storage.settle()
    return turns, aside


def _size(run: str, tools: Tools) -> int:
    """What there is to read of it: the bar goes by bytes, for one run may be as long as a hundred others."""
    folder, mark = tools.layout.find(run), tools.storage.work.indexed(run)
    metadata = archive.load(tools.disk, folder) if folder else None
    read = mark.size if mark is not None and metadata is not None and mark.generation == metadata.newest.n else 0
    return max(1, metadata.newest.size - read) if metadata is not None else 1


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
        summary = _read_on(metadata, folder, tools) or _read_whole(metadata, folder, tools)
        _index_beside(metadata, folder, tools)
        return summary


def index_beside(run: str, tools: Tools) -> None:
    """What stands beside a Run changed, and nothing of its transcript."""
    folder = tools.layout.find(run)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is not None and metadata is not None and tools.storage.runs.get(run, tools.reader) is not None:
        with tools.storage.transaction():
            _index_beside(metadata, folder, tools)


def _index_beside(metadata: archive.Metadata, folder: Path, tools: Tools) -> None:
    if not any(agents.is_worth_reading(copy.name) for copy in metadata.files):
        return  # a neutral run has it in its transcript
    found = beside(metadata, folder, tools)
    chunks = index.chunks_of(metadata.run, found) if found is not None else ()
    tools.storage.chunks.replace(metadata.run, metadata.user, BESIDE, chunks)


def beside(metadata: archive.Metadata, folder: Path, tools: Tools) -> Turn | None:
    """Plans, lists of tasks and summaries that its agent keeps beside a transcript, as a Turn of its own, masked."""
    newest = {agents.first_name(copy.name): copy.name for copy in metadata.files if agents.is_worth_reading(copy.name)}
    steps = list[Step]()
    for name, kept in newest.items():
        try:
            text = agents.beside_text(kept, tools.disk.read_whole(folder / archive.SIDE_FOLDER / kept))
        except OSError:
            continue  # `archive verify` names it
        if text:
            steps.append(Step(len(steps) + 1, Author.AGENT, Kind.TEXT, 0, f"{name}\n\n{text}"))
    return tools.gate().mask_turn(Turn(BESIDE, Author.AGENT, tuple(steps))) if steps else None


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
