"""What should be there beside what is: the registers compared with the folders of Runs and the lines of the Journal.

Names and counts, not bytes: cheap enough for `lane doctor` and before a rebuild. `archive.verify` reads every byte.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from memlane.archive.forget import being_forgotten, entries_with
from memlane.archive.journal import BadLine, lines_of
from memlane.archive.layout import METADATA, Layout
from memlane.archive.metadata import UnreadableMetadataError, load
from memlane.archive.presence import (
    FileLines,
    GenerationName,
    LineName,
    generations_there,
    lines_in,
    name_of,
    runs_there,
)
from memlane.archive.register import Register
from memlane.archive.register_line import ANEW, Loss, Registered, register_files, registered
from memlane.domain.findings import Finding, Level
from memlane.domain.journal import TOMBSTONE
from memlane.errors import DamagedError
from memlane.system.disk import Disk

MISSING, EXTRA, ALTERED, UNREGISTERED = "missing", "extra", "altered", "unregistered"
UNREADABLE = "unreadable"
REPAIR = "lane archive repair"
PERMISSIONS = "check its owner and permissions"
MOST_LINES = 10  # named one by one, of one file


@dataclass(slots=True)
class FileComparison:
    """One file of the Journal against its register, line by line."""

    there: list[LineName] = field(default_factory=list[LineName])  # with the missing ones where they stood
    missing: list[LineName] = field(default_factory=list[LineName])
    damaged: list[tuple[BadLine, LineName | None]] = field(default_factory=list[tuple[BadLine, LineName | None]])
    extra: list[LineName] = field(default_factory=list[LineName])
    twice: list[LineName] = field(default_factory=list[LineName])
    moved: list[LineName] = field(default_factory=list[LineName])
    unregistered: list[LineName] = field(default_factory=list[LineName])

    @property
    def lost(self) -> tuple[LineName, ...]:
        return (*self.missing, *(name for _bad, name in self.damaged if name))


@dataclass(frozen=True, slots=True)
class Comparison:
    losses: Sequence[Loss]
    findings: Sequence[Finding]  # a loss is among them
    given_up: Collection[GenerationName] = ()  # lost, and a person knows


def compare(disk: Disk, layout: Layout) -> Comparison:
    known, begun = registered(disk, layout), {path.name for path in register_files(layout)}
    losses, findings = list[Loss](), list[Finding]()
    for part in (_runs(disk, layout, known, begun=bool(begun)), _journal(disk, layout, known, begun)):
        for one in part:
            match one:
                case Loss():
                    losses.append(one)
                case Finding():
                    findings.append(one)
    return Comparison(losses, findings, known.lost)


def begin_anew(register: Register, now: datetime) -> tuple[int, int]:
    """In place of one that was lost or damaged: all that is there, and what is known to be missing still is."""
    disk, layout = register.disk, register.layout
    known = registered(disk, layout)
    gone = _forgotten(disk, layout)
    runs = {name: None for run, wanted in known.runs.items() if run not in gone for name in wanted.values()}
    runs |= dict.fromkeys(runs_there(disk, layout))
    files = list[FileLines]()
    paths = {layout.journal_name(path): path for path in layout.journal_files()}
    for name in sorted(paths.keys() | (known.lines.keys() - {""})):
        if name.rpartition("/")[2] == register.path.name:
            files.append(_expected(disk, layout, paths.get(name), name, known))
    register.write_anew(now, ANEW, list(runs), files)
    register.keep_head(whatever=True)
    return len(runs), sum(len(file.names) for file in files)


def _forgotten(disk: Disk, layout: Layout) -> set[str]:
    """Runs that a person forgot: the line of the register that said so may be the one that is lost."""
    found = set[str]()
    for entry in entries_with(disk, layout, f'"kind":"{TOMBSTONE}"'):
        if entry.kind == TOMBSTONE:
            (found.discard if entry.data.get("restored") else found.add)(entry.id)
    return found


def _expected(disk: Disk, layout: Layout, path: Path | None, name: str, known: Registered) -> FileLines:
    wanted, given_up = known.lines.get(name, []), known.given_up.get(name, Counter[LineName]())
    if path is None:
        return FileLines(name, 0, tuple((Counter(wanted) - given_up).elements()))
    return FileLines(name, lines_in(disk, layout, path).size, tuple(compare_file(disk, path, wanted, given_up).there))


# -- Runs --------------------------------------------------------------------------------------------------------------


def _runs(disk: Disk, layout: Layout, known: Registered, *, begun: bool) -> Iterator[Loss | Finding]:
    folders, going = defaultdict[str, list[Path]](list), set(being_forgotten(disk, layout))
    for folder in layout.run_folders():
        folders[folder.name].append(folder)
    blind = list(unreadable_months(layout))
    yield from (Finding(UNREADABLE, Level.FAIL, f"{month}: {error.strerror}", PERMISSIONS) for month, error in blind)
    for run, wanted in known.runs.items():
        if run not in folders and run not in going:
            lost = f"{run}: its folder is missing ({_files(wanted.values())})"
            yield Loss(run, lost, tuple(wanted.values()))
            if not blind:  # otherwise it may well be there
                yield Finding(MISSING, Level.FAIL, lost, REPAIR)
    for run, found in folders.items():
        if run not in going:
            if len(found) > 1:
                places = " and ".join(str(folder) for folder in found)
                yield Finding(EXTRA, Level.FAIL, f"{run} is there twice: {places}", "keep one of them, move the other")
            yield from _run(disk, found[0], known.runs.get(run, {}).values(), begun=begun)


def unreadable_months(layout: Layout) -> Iterator[tuple[Path, OSError]]:
    for month in layout.months(layout.runs):
        try:
            layout.disk.names(month)
        except OSError as error:
            yield month, error


def _run(disk: Disk, folder: Path, wanted: Iterable[GenerationName], *, begun: bool) -> Iterator[Loss | Finding]:
    run, wanted, there = folder.name, tuple(wanted), generations_there(disk, folder)
    try:
        metadata = load(disk, folder)
    except DamagedError as error:
        yield Loss(run, f"{run}: {error.message}", wanted)
        kind = ALTERED if isinstance(error, UnreadableMetadataError) else UNREADABLE
        yield Finding(kind, Level.FAIL, error.message, error.hint)
        return
    if metadata is None and there:
        yield from _gone(run, wanted, f"{folder} has raw bytes and no {METADATA}")
    elif metadata is not None and metadata.run != run:
        what = f"{folder / METADATA} is of another run, {metadata.run}"
        yield Loss(run, what, wanted)
        yield Finding(ALTERED, Level.FAIL, what, f"{REPAIR} (rebuilds it from the raw bytes)")
    for name in wanted:
        if not disk.is_file(folder / name.file):
            yield from _gone(run, (name,), f"{run}: {name.file} is missing ({folder})")
    if begun and (new := [name for name in there if name not in wanted]):
        yield _unregistered(f"{run}: {_files(new)}")


def _gone(run: str, names: tuple[GenerationName, ...], what: str) -> Iterator[Loss | Finding]:
    yield Loss(run, what, names)
    yield Finding(MISSING, Level.FAIL, what, REPAIR)


def _files(names: Iterable[GenerationName]) -> str:
    return ", ".join(name.file for name in names)


def _unregistered(what: str) -> Finding:
    return Finding(UNREGISTERED, Level.WARN, f"{what} is not registered yet", "lane tick registers it")


# -- the Journal -------------------------------------------------------------------------------------------------------


def _journal(disk: Disk, layout: Layout, known: Registered, begun: Collection[str]) -> Iterator[Loss | Finding]:
    files = {layout.journal_name(path): path for path in layout.journal_files()}
    for name in sorted(files.keys() | (known.lines.keys() - {""})):
        wanted, given_up = known.lines.get(name, []), known.given_up.get(name, Counter[LineName]())
        if name not in files:
            lost = tuple((Counter(wanted) - given_up).elements())
            if lost:
                yield from _lines_gone(name, lost, f"journal/{name} is missing, with {_lines(lost)}")
            continue
        try:
            compared = compare_file(disk, files[name], wanted, given_up)
        except OSError as error:
            yield Loss(name, f"journal/{name}: {error.strerror}", journal=name, lines=tuple(wanted))
            yield Finding(UNREADABLE, Level.FAIL, f"{files[name]}: {error.strerror}", PERMISSIONS)
            continue
        yield from _file(files[name], name, compared, begun=files[name].name in begun)


def _lines_gone(name: str, lost: tuple[LineName, ...], what: str) -> Iterator[Loss | Finding]:
    yield Loss(name, what, journal=name, lines=lost)
    yield Finding(MISSING, Level.FAIL, what, _repaired_or_accepted(name))


def _file(path: Path, name: str, found: FileComparison, *, begun: bool) -> Iterator[Loss | Finding]:
    for bad, was in found.damaged:
        yield _bad(bad, was)
    if found.lost:
        few = ", ".join(map(str, found.lost[:3])) + (", …" if len(found.lost) > 3 else "")
        yield Loss(name, f"journal/{name}: {_lines(found.lost)} lost: {few}", journal=name, lines=found.lost)
    for line in found.missing[:MOST_LINES]:
        yield Finding(MISSING, Level.FAIL, f"{path}: the line {line} is missing", _repaired_or_accepted(name))
    if len(found.missing) > MOST_LINES:
        more = found.missing[MOST_LINES:]
        yield Finding(MISSING, Level.FAIL, f"{path}: {_lines(more)} more missing", _repaired_or_accepted(name))
    if not begun:
        return
    by_hand = "remove it by hand, or restore the file from a backup"
    for line in found.extra:
        yield Finding(EXTRA, Level.FAIL, f"{path}: the line {line} is not in the register", by_hand)
    for line in found.twice:
        yield Finding(EXTRA, Level.FAIL, f"{path}: the line {line} is there twice", by_hand)
    if found.moved:
        what = f"{path}: {_lines(found.moved)} not where they were written, first {found.moved[0]}"
        yield Finding(ALTERED, Level.FAIL, what, "restore the file from a backup")
    if found.unregistered:
        yield _unregistered(f"{path}: {_lines(found.unregistered)}")


def _lines(lines: Sequence[LineName]) -> str:
    return f"{len(lines):,} line{'s' * (len(lines) != 1)}"


def _bad(line: BadLine, was: LineName | None) -> Finding:
    if line.torn:
        what = f"{line.file} line {line.line} was cut off by a crash before it was saved"
        return Finding("journal-torn", Level.WARN, what, "the next write replaces it")
    what = f"{line.file} line {line.line}: {line.reason}" + (f" (it was {was})" if was else "")
    hint = REPAIR if was else "all other lines are used; restore this one from a backup"
    return Finding(ALTERED, Level.FAIL, what, hint)


def compare_file(
    disk: Disk, path: Path, wanted: Sequence[LineName], given_up: Counter[LineName] | None = None
) -> FileComparison:
    walk = _Walk(wanted, Counter(given_up or {}))
    for line in lines_of(disk, path, {}):
        if isinstance(line, BadLine):
            walk.pass_bad(line)
        else:
            walk.pass_line(name_of(line.entry))
    walk.pass_gap(len(wanted))
    return walk.found


class _Walk:
    """Along both at once. What is wanted and not passed by is a gap; damaged lines in it are what was wanted there."""

    def __init__(self, wanted: Sequence[LineName], given_up: Counter[LineName]) -> None:
        self.found = FileComparison()
        self._wanted, self._given_up, self._next = wanted, given_up, 0
        self._bad = list[BadLine]()
        self._places = defaultdict[LineName, list[int]](list)
        for place, name in enumerate(wanted):
            self._places[name].append(place)

    def pass_bad(self, line: BadLine) -> None:
        self._bad.append(line)

    def pass_line(self, name: LineName) -> None:
        places = self._places.get(name, [])
        ahead = bisect_left(places, self._next)
        if ahead < len(places):
            self.pass_gap(places[ahead])
            self._next += 1
        elif name in self.found.missing:
            self.found.missing.remove(name)
            self.found.moved.append(name)
            return
        elif places:
            self.found.twice.append(name)
            return
        elif self._next == len(self._wanted):
            self.pass_gap(self._next)
            self.found.unregistered.append(name)
        else:
            self.found.extra.append(name)
        self.found.there.append(name)

    def pass_gap(self, until: int) -> None:
        for name in self._wanted[self._next : until]:
            bad = self._bad.pop(0) if self._bad and not self._bad[0].torn else None
            if self._given_up[name]:
                self._given_up[name] -= 1  # also if what is left of it stands there
                continue
            self.found.there.append(name)
            if bad is not None:
                self.found.damaged.append((bad, name))
            else:
                self.found.missing.append(name)
        self.found.damaged += [(bad, None) for bad in self._bad]
        self._bad.clear()
        self._next = until


def _repaired_or_accepted(name: str) -> str:
    """Some lines nothing else knows: after a repair only a person can say that they are gone."""
    return f"{REPAIR}; what is still missing afterwards is lost: lane rebuild --accept-loss {name}"
