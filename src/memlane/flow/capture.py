"""What is new on this machine, file by file into the archive: a transcript, a file beside one, a database of many.

Each file stands for itself: what cannot be read is set aside by name, and the next one goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from memlane import archive, capture
from memlane.agents import (
    Collection,
    Container,
    Document,
    Peek,
    SideFile,
    Transcript,
    UnreadPart,
    guarded,
    is_worth_reading,
)
from memlane.capture import ArchivedRun, CaptureTools, SkippedFile, SourceFile, SourceFolder, UnreadableFile
from memlane.domain import Machine, Project, Run
from memlane.domain.delta import Delta
from memlane.errors import BusyError, DamagedError
from memlane.flow.index import index_beside
from memlane.flow.tools import OnProgress, Progress, Tools
from memlane.system.disk import cause_of, message_of
from memlane.system.sqlite_snapshot import UnreadableSqliteError


@dataclass(frozen=True, slots=True)
class CapturedRun:
    """Bytes that are now durable in the archive."""

    run: Run
    generation: int
    bytes_new: int
    path: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """How to look: where, on whose behalf, and what to leave alone."""

    places: Sequence[SourceFolder]
    machine: Machine
    exclude: Sequence[str]
    project_of: Callable[[Peek], Project]
    leave: Callable[[Run, Peek], str]  # a reason not to take this run, or ""
    audit: bool = False


def sweep_places(
    sweep: Sweep, tools: Tools, on: OnProgress
) -> tuple[list[CapturedRun], list[UnreadableFile | SkippedFile], int]:
    """Everything new in these places into the archive; the files that were not taken; and how many there are."""
    seen, left, files = changed(sweep, tools)
    captured, more = take_all(seen, sweep, tools, on)
    return captured, [*left, *more], files


def changed(sweep: Sweep, tools: Tools) -> tuple[list[SourceFile], list[UnreadableFile | SkippedFile], int]:
    """Files that are not as they were when all of them was archived: the newest first, side files last."""
    known: Mapping[str, str] = {} if sweep.audit else tools.storage.checkpoints.all()
    seen, aside, total = list[SourceFile](), list[UnreadableFile | SkippedFile](), 0
    for found in capture.look(tools.disk, sweep.places, known):
        if isinstance(found, UnreadableFile | SkippedFile):
            aside.append(found)
            continue
        total += 1
        if found and known.get(capture.shown(found.path)) not in (found.signature, _left(found, sweep)):
            seen.append(found)
    seen.sort(key=lambda s: (isinstance(s.what, SideFile), -s.stat.modified_ns, s.path))
    return _first_of_a_name_first(seen), aside, total


def _first_of_a_name_first(seen: Sequence[SourceFile]) -> list[SourceFile]:
    """Files of one native id among themselves by their names, not by their times: the first of them is the Run."""
    alike = defaultdict[str, list[SourceFile]](list)
    for one in seen:
        alike[_shared_name(one)].append(one)
    waiting = {name: iter(sorted(some, key=lambda s: s.path) if name else some) for name, some in alike.items()}
    return [next(waiting[_shared_name(one)]) for one in seen]


def _shared_name(seen: SourceFile) -> str:
    """The native id, where other files may have it too."""
    return seen.what.native_id if isinstance(seen.what, Transcript) and seen.what.apart else ""


def take_all(
    seen: Sequence[SourceFile], sweep: Sweep, tools: Tools, on: OnProgress
) -> tuple[list[CapturedRun], list[UnreadableFile]]:
    total, done = sum(s.stat.size for s in seen), 0
    captured, aside = list[CapturedRun](), list[UnreadableFile]()
    for number, one in enumerate(seen):
        taken_of_it = 0  # of a file with many runs in it, how far it is
        on(Progress("copying", number, len(seen), done, total, str(one.path)))
        for taken in take(one, sweep, tools):
            match taken:
                case CapturedRun() as new:
                    captured.append(new)
                    taken_of_it = min(one.stat.size, taken_of_it + new.bytes_new)
                    on(Progress("copying", number, len(seen), done + taken_of_it, total, str(one.path)))
                case UnreadableFile() as problem:
                    aside.append(problem)
        done += one.stat.size
    if seen:
        on(Progress("copying", len(seen), len(seen), done, total))
    return captured, aside


def take(seen: SourceFile, sweep: Sweep, tools: Tools) -> Iterator[CapturedRun | UnreadableFile]:
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
        of_the_source = error.filename in (None, seen.path, str(seen.path))  # else it is the archive's
        yield UnreadableFile(path, cause_of(error) if of_the_source else message_of(error))
    except (capture.ChangedUnderneathError, DamagedError, UnreadableSqliteError, BusyError) as error:
        yield UnreadableFile(path, error.message)


def _take_transcript(seen: SourceFile, transcript: Transcript, sweep: Sweep, tools: Tools) -> CapturedRun | None:
    look = CaptureTools(tools.disk, _shelf(tools), sweep.project_of, audit=sweep.audit)
    transcript = capture.told_apart(look, seen, transcript, sweep.machine)
    run = capture.run_of(sweep.machine, seen.source, transcript.native_id)
    try:
        return _take_new_bytes(look, seen, transcript, run, sweep, tools)
    except DamagedError:  # our own copy: the audit takes it again if the agent still has every byte of it
        if look.audit or transcript.rewritten:
            raise
    return _take_new_bytes(replace(look, audit=True), seen, transcript, run, sweep, tools)


def _take_new_bytes(
    look: CaptureTools, seen: SourceFile, transcript: Transcript, run: Run, sweep: Sweep, tools: Tools
) -> CapturedRun | None:
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
    return CapturedRun(run, appended.generation, appended.bytes_new, capture.shown(seen.path))


def _nothing_new(seen: SourceFile, run: Run, tools: Tools) -> None:
    metadata = _settled(run, tools)
    if metadata is None:
        tools.storage.checkpoints.save(capture.shown(seen.path), seen.signature)
    else:
        _archived(seen, metadata, tools)


def _settled(run: Run, tools: Tools) -> archive.Metadata | None:
    """All of it is in the archive, perhaps since a kill came before the register and storage were told so."""
    folder = tools.layout.find(run.id)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is not None and metadata is not None:
        archive.settle(tools.disk, folder)
        _register(tools).add_runs(archive.generation_names(metadata), tools.clock())
    return metadata


def _archived(seen: SourceFile, metadata: archive.Metadata, tools: Tools) -> None:
    with tools.storage.transaction():
        tools.storage.work.archived(metadata.run, metadata.newest.n, metadata.newest.size)
        tools.storage.checkpoints.save(capture.shown(seen.path), seen.signature)


def _take_container(seen: SourceFile, sweep: Sweep, tools: Tools) -> Iterator[CapturedRun | UnreadableFile]:
    """Every run in a database or an export; those whose lines are as they were cost one digest."""
    path, complete = capture.shown(seen.path), True
    assert isinstance(seen.source, Collection)
    for document in _documents(seen.source, seen):
        if isinstance(document, UnreadPart):
            complete = False
            yield UnreadableFile(f"{path}: {document.where}", document.reason)
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
            taken, complete = UnreadableFile(name, error.message), False
        if taken is not None:
            yield taken
    if complete:
        tools.storage.checkpoints.save(path, seen.signature)


def _documents(source: Collection, seen: SourceFile) -> Iterator[Document | UnreadPart]:
    with guarded(seen.source.name):
        yield from source.documents(seen.path)


def _take_document(document: Document, seen: SourceFile, sweep: Sweep, tools: Tools) -> CapturedRun | None:
    run = capture.run_in(document, sweep.machine, seen.source)
    path = capture.shown(seen.path)
    delta = capture.delta_of(document, run, seen.source, path, _kept(run.id, seen.source.name, tools), sweep.project_of)
    if delta is None:
        if (metadata := _settled(run, tools)) is not None:
            tools.storage.work.archived(run.id, metadata.newest.n, metadata.newest.size)
        return None
    if _left_alone(delta, sweep):
        return None
    appended = receive(delta, tools)
    tools.storage.work.archived(run.id, appended.metadata.newest.n, appended.metadata.newest.size)
    return CapturedRun(run, appended.generation, appended.bytes_new, delta.source_path)


def receive(delta: Delta, tools: Tools) -> archive.AppendReceipt:
    """Byte-exact, synced, registered, then acknowledged."""
    now = tools.clock()
    _register(tools).begin(now)
    keep = archive.rewrite if delta.rewritten else archive.append
    receipt = keep(tools.disk, tools.layout, delta, now)
    try:
        _register(tools).add_runs(archive.generation_names(receipt.metadata), now)
    except OSError:  # its file is looked at again; until then what is archived can be found
        tools.storage.work.archived(delta.run.id, receipt.metadata.newest.n, receipt.metadata.newest.size)
        raise
    return receipt


def _register(tools: Tools) -> archive.Register:
    return archive.Register(tools.disk, tools.layout, tools.machine.name)


def _kept(run: str, source: str, tools: Tools) -> ArchivedRun | None:
    """Bytes that a kill left without metadata count too: taken once more, they would be there twice."""
    shelf, folder = _shelf(tools), tools.layout.find(run)
    held = shelf.holding(run)
    if folder is None or not held.generations:
        return None
    metadata = archive.load(tools.disk, folder) if held.settled else None
    pieces = partial(shelf.pieces, run, held.generations[-1])
    return ArchivedRun(metadata.format if metadata else source, held.generations, pieces, held.settled)


def _is_excluded(delta: Delta, sweep: Sweep) -> bool:
    return capture.excluded(sweep.exclude, path=delta.source_path, agent=delta.run.agent, cwd=delta.cwd) != ""


def _left(seen: SourceFile, sweep: Sweep) -> str:
    """The checkpoint of a file that these patterns keep out: with others it is looked at again."""
    return f"{seen.signature} left out by {' '.join(sweep.exclude)}"


def _left_alone(delta: Delta, sweep: Sweep) -> bool:
    if _is_excluded(delta, sweep):
        return True
    return sweep.leave(delta.run, Peek(delta.started, delta.cwd)) != ""


def _take_side_file(seen: SourceFile, side: SideFile, sweep: Sweep, tools: Tools) -> None:
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
        if is_worth_reading(kept.name):
            with tools.lock.held():
                index_beside(run.id, tools)


def _shelf(tools: Tools) -> archive.Shelf:
    return archive.Shelf(tools.disk, tools.layout)
