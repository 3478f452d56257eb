"""Runs kept in a place of the person's own too: a folder, an object store, a bucket on the Hub. Both ways.

A machine writes only below its own name, so several of them never meet. What another machine wrote is taken in as its
Runs. Nothing is ever deleted there, and what was sent is read back and compared before it counts as sent.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from memlane import export
from memlane.app.capture import Capture
from memlane.app.home import Home
from memlane.app.runs import Runs
from memlane.app.sync.state import SyncState, hours_since, opened, state_of
from memlane.domain import RunFilter, RunSummary
from memlane.errors import DamagedError, NotAllowedError
from memlane.store import ObjectStore, StoredBlob, safe_name
from memlane.system.json_file import JsonFile
from memlane.work import WriteLock

TRACES, RAW, INDEX = "traces", "archive", "digests.json"
PARTS = 4  # of a run's name: traces, machine, agent, file
TOGETHER, HEAVY = 16, 8 << 20  # objects, bytes of one commit
_UNSAFE = re.compile(r"[^A-Za-z0-9@_+=,.-]+")
OnObject = Callable[[str, int, int], object]


def _quietly(what: str, done: int, total: int) -> None:
    """Nobody watches."""


@dataclass(slots=True)
class SyncReport:
    """What one sync did."""

    place: str
    sent: list[str] = field(default_factory=list[str])
    taken: list[str] = field(default_factory=list[str])
    unchanged: int = 0
    bytes: int = 0
    set_aside: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


class Syncs:
    def __init__(self, home: Home, runs: Runs, capture: Callable[[], Capture]) -> None:
        self._home, self._runs, self._capture = home, runs, capture

    def sync(self, target: str, on: OnObject = _quietly) -> SyncReport:
        """Masked runs there, and the other machines' runs here."""
        at = opened(self._home, target)
        state, report = state_of(self._home, at), SyncReport(at.place)
        with self._alone():
            waiting = [run for run in self._mine() if state.read().sent.get(self._name(run)) != self._made_from(run)]
            report.unchanged = len(self._mine()) - len(waiting)
            self._send(at, state, report, self._masked(waiting, report, on), index=self._index)
            self._take(at, state, report)
            with state.changed() as known:
                known.at = self._home.clock().timestamp()
        return report

    def due(self) -> str:
        """The target that the timer should sync now; "": none, or not yet."""
        target, hours = self._home.config.text("sync.target"), hours_since(self._home)
        return target if hours is None or hours >= self._home.config.number("sync.every") else ""

    def holds(self, run: RunSummary) -> bool:
        """Whether the target of the settings has this Run as it is now; where none is set, nothing is missing there."""
        target = self._home.config.text("sync.target")
        return not target or state_of(self._home, opened(self._home, target)).read().sent.get(
            self._name(run)
        ) == self._made_from(run)

    def mirror(self, target: str, on: OnObject = _quietly) -> SyncReport:
        """The archive itself, byte for byte, as it is: only to a private place."""
        at = opened(self._home, target)
        if at.private is False:
            raise NotAllowedError(
                f"{at.place} can be read by others: raw transcripts hold secrets", hint="make it private, or drop --raw"
            )
        state, report = state_of(self._home, at), SyncReport(at.place)
        with self._alone():
            known = state.read().sent
            files = [(name, file, stamp) for name, file, stamp in self._archived(report) if known.get(name) != stamp]
            self._send(at, state, report, self._read(files, on))
        return report

    # -- sending -----------------------------------------------------------------------------------------------------

    def _mine(self) -> Sequence[RunSummary]:
        return self._runs.select(RunFilter(machine=self._home.config.machine))

    @property
    def _index(self) -> str:
        return _index_of(_named(self._home.config.machine))

    def _name(self, run: RunSummary) -> str:
        return f"{TRACES}/{_named(run.machine)}/{_named(run.agent)}/{run.id}.jsonl"

    def _made_from(self, run: RunSummary) -> str:
        """Changes when the object would: more bytes, another title, stricter rules of the gate."""
        facts = (run.generation, run.bytes, run.title, run.tags, self._home.tools().gate().version)
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]

    def _masked(self, runs: Sequence[RunSummary], report: SyncReport, on: OnObject) -> Iterator[tuple[str, bytes, str]]:
        for number, run in enumerate(runs):
            on("sending", number, len(runs))
            try:
                pieces = export.FORMATS["neutral"].pieces(run, self._runs.show(run.id).turns)
                data = "".join(pieces).encode("utf-8", "replace")
            except DamagedError as error:
                report.set_aside.append((run.id, error.message))
                continue
            yield self._name(run), data, self._made_from(run)

    def _archived(self, report: SyncReport) -> Iterator[tuple[str, Path, str]]:
        base, disk = self._home.config.archive_base, self._home.disk
        for file in disk.files_below(base):
            name = f"{RAW}/{file.relative_to(base).as_posix()}"
            if not safe_name(name):
                report.set_aside.append((str(file), "its name cannot be kept everywhere"))
                continue
            yield name, file, disk.signature(file)
            report.unchanged += 1

    def _read(self, files: Sequence[tuple[str, Path, str]], on: OnObject) -> Iterator[tuple[str, bytes, str]]:
        for number, (name, file, stamp) in enumerate(files):
            on("sending", number, len(files))
            yield name, self._home.disk.read_whole(file), stamp

    def _send(
        self,
        at: ObjectStore,
        state: JsonFile[SyncState],
        report: SyncReport,
        objects: Iterator[tuple[str, bytes, str]],
        index: str = "",
    ) -> None:
        """A few at a time: put, read back, compared, and only then written down as sent."""
        batch, marks, size = dict[str, bytes](), dict[str, str](), 0
        for name, data, made_from in objects:
            batch[name], marks[name], size = data, made_from, size + len(data)
            if len(batch) >= TOGETHER or size >= HEAVY:
                self._put(at, state, report, batch, marks, index)
                batch, marks, size = {}, {}, 0
        if batch:
            self._put(at, state, report, batch, marks, index)

    def _put(
        self,
        at: ObjectStore,
        state: JsonFile[SyncState],
        report: SyncReport,
        batch: Mapping[str, bytes],
        marks: Mapping[str, str],
        index: str,
    ) -> None:
        """`index`: which digests its machine's objects have; the last of a batch, so it never promises too much."""
        digests = {name: hashlib.sha256(data).hexdigest() for name, data in batch.items()}
        promised = {index: _packed({**(state.read().digests or _promised(at, index)), **digests})} if index else {}
        at.put({**batch, **promised})
        wrong = [name for name, data in {**batch, **promised}.items() if at.get(name) != data]
        if index in wrong:
            wrong = list(batch)
        with state.changed() as known:
            known.sent.update({name: mark for name, mark in marks.items() if name not in wrong})
            known.digests.update({name: digest for name, digest in digests.items() if index and name not in wrong})
        for name in batch:
            if name in wrong:
                report.set_aside.append((name, f"{at.place} gave other bytes back; it is sent again next time"))
            else:
                report.sent.append(name)
                report.bytes += len(batch[name])

    # -- taking ------------------------------------------------------------------------------------------------------

    def _take(self, at: ObjectStore, state: JsonFile[SyncState], report: SyncReport) -> None:
        """What other machines wrote and this one has not taken yet, machine by machine."""
        mine, known = _named(self._home.config.machine), state.read().taken
        fresh = dict[str, list[StoredBlob]]()
        for one in at.objects(f"{TRACES}/"):
            parts = one.name.split("/")
            theirs = len(parts) == PARTS and parts[1] != mine and one.name.endswith(".jsonl")
            if theirs and known.get(one.name) != one.version:
                fresh.setdefault(parts[1], []).append(one)
        for machine, objects in fresh.items():
            digests = _promised(at, _index_of(machine))
            for start in range(0, len(objects), TOGETHER):
                self._take_some(at, state, report, machine, objects[start : start + TOGETHER], digests)

    def _take_some(
        self,
        at: ObjectStore,
        state: JsonFile[SyncState],
        report: SyncReport,
        machine: str,
        objects: Sequence[StoredBlob],
        digests: Mapping[str, str],
    ) -> None:
        whole = list[StoredBlob]()
        with tempfile.TemporaryDirectory(prefix="lane-sync-") as folder:
            for number, one in enumerate(objects):
                data = at.get(one.name)
                if data is None or hashlib.sha256(data).hexdigest() != digests.get(one.name):
                    report.set_aside.append(
                        (one.name, f"not what {machine} sent, or not yet; the next sync looks again")
                    )
                    continue
                (Path(folder) / f"{number:04}.jsonl").write_bytes(data)
                whole.append(one)
            if not whole:
                return
            taken = self._capture().imports.take([Path(folder)], kind="neutral", machine=machine)
        if taken.paused is not None:
            return
        report.set_aside += [(aside.path, aside.reason) for aside in taken.set_aside]
        report.taken += [change.run.id for change in taken.changes]
        with state.changed() as known:
            known.taken.update({one.name: one.version for one in whole})

    def _alone(self) -> AbstractContextManager[None]:
        return WriteLock(self._home.run_folder / "sync.lock").held()


def _index_of(machine: str) -> str:
    return f"{TRACES}/{machine}/{INDEX}"


def _packed(digests: Mapping[str, str]) -> bytes:
    return msgspec.json.encode(digests, order="sorted")


def _promised(at: ObjectStore, index: str) -> Mapping[str, str]:
    """What a machine says its objects are; nothing, where that cannot be read."""
    try:
        return msgspec.json.decode(at.get(index) or b"{}", type=dict[str, str])
    except msgspec.DecodeError:
        return {}


def _named(words: str) -> str:
    """A machine or an agent as part of a name that every store takes."""
    return _UNSAFE.sub("-", words).strip(".-") or "unnamed"
