"""What can be brought back is: registers, then lines of the Journal, then runs.

A run whose `metadata.json` is lost or damaged is known again by its raw bytes.

Its id is a hash of (user, machine, agent, native id), so whatever the records seem to say can be checked against the
name of its folder: a guess is never written down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memlane import archive, identity
from memlane.agents import Line, LineStream, Peek, Source, Transcript
from memlane.app.archive.restore import restored
from memlane.app.home import Home
from memlane.archive.layout import METADATA
from memlane.archive.metadata import encode
from memlane.archive.register_line import BEGUN
from memlane.archive.shelf import UNREADABLE, RunHolding, put_aside_unreadable
from memlane.domain import Finding, Level, Machine, RunFilter, run_id
from memlane.errors import DamagedError

LINES_TO_ASK = 20_000  # a fork may copy many records of its parent before the first of its own


def repaired(home: Home) -> Iterator[Finding]:
    """Lines before anything reads the journal again: then the index still has what they said."""
    with home.lock.held():
        yield from _registers(home)
        yield from _moved_lines(home)
        yield from restored(home)
        yield from _runs(home)
        home.register.settle_all(home.clock())
        home.register.keep_head(whatever=True)


def _registers(home: Home) -> Iterator[Finding]:
    """Begun anew with what is there and what was known to be missing, aloud; only this machine's own."""
    register, wrong = home.register, list(archive.check_registers(home.disk, home.layout, home.config.machine))
    if not any(one.level is Level.FAIL for one in wrong):
        return
    if not register.says_card():
        register.write_card(home.clock(), BEGUN)
        yield Finding("repaired", Level.OK, f"{home.layout.card(home.config.machine)} written again")
        yield from _registers(home)
        return
    runs, lines = archive.begin_anew(register, home.clock())
    what = f"{register.path} begun anew: {runs:,} generations and {lines:,} journal lines are expected from now on"
    yield Finding("repaired", Level.OK, f"{what}; what only the old one knew of is not missed any more")


def _moved_lines(home: Home) -> Iterator[Finding]:
    for name in archive.lines_put_back(home.disk, home.layout, home.config.machine):
        yield Finding("repaired", Level.OK, f"journal/{name}: its lines are in their order again")


def _runs(home: Home) -> Iterator[Finding]:
    broken = [(folder, kept) for folder in home.layout.run_folders() if (kept := _unsettled(home, folder))]
    for folder, kept in broken:
        yield _mended(home, folder, kept)


def _unsettled(home: Home, folder: Path) -> RunHolding | None:
    kept = archive.held(home.disk, folder)
    if kept.metadata is not None and kept.metadata.run != folder.name:
        home.disk.rename(folder / METADATA, folder / f"{METADATA}{UNREADABLE}")
        kept = archive.held(home.disk, folder)
    return kept if kept.generations and (kept.metadata is None or not kept.settled) else None


def _machines(home: Home) -> Sequence[str]:
    """This one first, then whichever others the archive and the index have runs of."""
    found = dict.fromkeys([home.config.machine])
    for folder in home.layout.run_folders():
        metadata = archive.held(home.disk, folder).metadata
        if metadata is not None:
            found[metadata.machine] = None
    for run in home.storage().runs.listed(RunFilter(), home.reader):
        found[run.machine] = None
    return list(found)


def _mended(home: Home, folder: Path, kept: RunHolding) -> Finding:
    metadata = kept.metadata or _known_again(home, folder, kept, _machines(home))
    if metadata is None:
        return Finding(
            "unknown-run",
            Level.WARN,
            f"{folder} has raw bytes of an unknown run",
            "left unchanged; restore its metadata.json from a backup",
        )
    put_aside_unreadable(home.disk, folder)
    whole = replace(metadata, generations=kept.generations, files=kept.files)
    home.disk.replace(folder / METADATA, encode(whole))
    home.storage().work.archived(whole.run, whole.newest.n, whole.newest.size)
    return Finding("repaired", Level.OK, f"{folder.name}: {METADATA} rebuilt from the raw bytes", "lane capture")


def _known_again(home: Home, folder: Path, kept: RunHolding, machines: Sequence[str]) -> archive.Metadata | None:
    for source in home.sources.values():
        for transcript in _guesses(home, folder, kept, source):
            if machine := _whose(home, folder.name, source, transcript, machines):
                first = source.peek(_lines(home, folder, kept))
                return _metadata(home, folder, source, transcript, machine, first)
    return None


def _guesses(home: Home, folder: Path, kept: RunHolding, source: Source) -> Iterator[Transcript]:
    """What its lines say it may be; then what the index knew, for an id that stood in its file's name alone."""
    yield from source.peek(_lines(home, folder, kept)).may_be
    for line in _lines(home, folder, kept):  # a fork's first lines may be its parent's
        yield from source.peek([line]).may_be
    indexed = home.storage().runs.get(folder.name, home.reader)
    if indexed is not None and indexed.agent == source.name:
        yield Transcript(indexed.native_id)


def _lines(home: Home, folder: Path, kept: RunHolding) -> Iterator[Line]:
    metadata = archive.Metadata(folder.name, "", "", "", "", "", generations=kept.generations)
    lines = iter(LineStream(archive.pieces(home.disk, folder, metadata, metadata.newest)))
    for _number in range(LINES_TO_ASK):
        try:
            yield next(lines)
        except (StopIteration, DamagedError):
            return


def _whose(home: Home, run: str, source: Source, transcript: Transcript, machines: Sequence[str]) -> str:
    user = home.config.user
    ids = ((name, run_id(Machine(user, name), source.name, transcript.native_id)) for name in machines)
    return next((name for name, id in ids if id == run), "")


def _metadata(
    home: Home, folder: Path, source: Source, transcript: Transcript, machine: str, first: Peek
) -> archive.Metadata:
    here = machine == home.config.machine
    started = first.started or datetime.strptime(folder.parent.name, "%Y-%m").replace(tzinfo=UTC)
    return archive.Metadata(
        run=folder.name,
        user=home.config.user,
        machine=machine,
        agent=source.name,
        native_id=transcript.native_id,
        started=started.isoformat(),
        cwd=first.cwd,
        project=identity.project_of(first.cwd, first.remote, look_on_disk=here),
        parent_native_id=transcript.parent_native_id,
        relation=transcript.relation.value if transcript.relation else "",
        format=source.name,
    )
