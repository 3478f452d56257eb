"""On Central: what a person's machines send goes into the archive, and what they lack goes out of it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from memlane import archive, capture, export
from memlane.app.control.holds import kept_by
from memlane.app.control.people import PersonBook
from memlane.app.control.policy import PolicyBook
from memlane.app.control.records import ControlRecords
from memlane.app.home import Home
from memlane.archive import Answer, FrameAnswer, Metadata, Part, Reception, RunReceipt, Sender, ShipFrame
from memlane.config import Config
from memlane.errors import ClosedGateError, DamagedError, NotFoundError, UsageError
from memlane.system.disk import private_folder

ONE_REPLY = 8 << 20  # bytes of frames in one answer; there is a next one
ONLY_RUNS = "its token sends runs alone: a line of the journal can forget and change what others keep"
LARGEST_LINE = 4 << 20  # of one that goes over two pieces: a longer one is not looked through again


@dataclass(frozen=True, slots=True)
class HeldRun:
    """How much of a run is here."""

    run: str
    generations: Mapping[int, tuple[int, str]]
    files: Sequence[str]


def arrival_mark(config: Config) -> Path:
    """Touched when something arrived: a worker looks at it every second, and opens nothing for it."""
    return config.home / "run" / "arrived"


size_of = archive.size_unpacked  # of what is sent, before it is taken


class Arrivals:
    def __init__(self, home: Home) -> None:
        self._home = home

    def take(self, body: bytes, *, only_runs: bool = False) -> Sequence[FrameAnswer]:
        """One answer for each frame, in their order; the lock is taken for each, so nobody waits for all of them."""
        home, answers, here = self._home, list[FrameAnswer](), dict[str, Metadata]()
        home.create_storage()
        sender = Sender(home.config.user, home.config.machine)
        for one in archive.unpacked(body):
            why = ONLY_RUNS if only_runs and one.head.part is Part.JOURNAL else self._forbidden(one)
            if why:
                answers.append(FrameAnswer(Answer.REFUSED, one.head.run, one.head.n, one.head.name, why=why))
                continue
            with home.lock.held():
                arrival = Reception(home.disk, home.layout, sender, home.clock(), self._is_held).take(one)
            answers.append(arrival.answer)
            if arrival.metadata is not None:
                here[arrival.metadata.run] = arrival.metadata
        self._mark(here)
        if here or any(one.answer is Answer.TAKEN for one in answers):
            with suppress(OSError):  # a worker looks at everything once in a while
                private_folder(home.run_folder)
                arrival_mark(home.config).touch(mode=0o600)
        return answers

    def _is_held(self, run: str) -> bool:
        """A hold on its project keeps it: it does not leave that project meanwhile."""
        return kept_by(self._home, run) is not None

    def _forbidden(self, one: ShipFrame) -> str:
        """The policy's words against it, or "". A machine that keeps to the policy never sends such a frame."""
        policy = self._policy.now()
        if not (policy.never or policy.mask) or not one.head.metadata:
            return ""
        with suppress(DamagedError):  # what cannot be read is answered by who takes it
            told = archive.metadata_in(one.head.metadata.encode(), Path(one.head.run))
            path = told.newest.source_path
            if pattern := capture.excluded(policy.never, path=path, agent=told.agent, cwd=told.cwd):
                return f"this Central's policy forbids it: {pattern} is never captured"
            if policy.mask and not self._is_masked(one, told):
                return "this Central's policy forbids it: a secret in it is not masked"
        return ""

    def _is_masked(self, one: ShipFrame, told: Metadata) -> bool:
        """As far as this piece shows. If the gate cannot say, it is not."""
        mask = self._home.tools().gate().mask_values
        try:
            return all(export.is_settled(data, mask, ends=ends) for data, ends in self._pieces(one, told))
        except ClosedGateError:
            return False

    def _pieces(self, one: ShipFrame, told: Metadata) -> Iterator[tuple[bytes, bool]]:
        """What this frame shows, from the beginnings of lines, and whether it ends there. Not a document's changes."""
        paths = {g.source_path for g in told.generations} | {f.source_path for f in told.files}
        for name in (told.cwd, told.project.name, told.project.key, *sorted(paths)):
            yield name.encode("utf-8", "surrogatepass"), True
        if one.head.part is Part.SIDE:
            yield one.data, one.head.start + len(one.data) >= one.head.total
        if one.head.part is Part.RAW:
            total = next((g.size for g in told.generations if g.n == one.head.n), 0)
            before = self._line_before(one)
            data = one.data.partition(b"\n")[2] if before is None else before + one.data
            yield data, one.head.start + len(one.data) >= total

    def _line_before(self, one: ShipFrame) -> bytes | None:
        """The half line that a piece goes on with. None: it is longer than a piece, or not here."""
        start, disk = one.head.start, self._home.disk
        if start == 0:
            return b""
        folder = self._home.layout.find(one.head.run)
        known = next((g for g in archive.held(disk, folder).generations if g.n == one.head.n), None)
        if folder is None or known is None or known.stored != "raw" or known.size < start:
            return None
        begin = max(0, start - LARGEST_LINE)
        held = b"".join(archive.added(disk, folder, known, begin))[: start - begin]
        _rest, newline, line = held.rpartition(b"\n")
        return line if newline or begin == 0 else None

    @cached_property
    def _policy(self) -> PolicyBook:
        records = ControlRecords(self._home)
        return PolicyBook(records, PersonBook(records))

    def _mark(self, here: Mapping[str, Metadata]) -> None:
        """What a worker has to do now. If we are killed before this, or the disk is full, its machine sends it again:
        it is here, and is marked then."""
        if here:
            storage = self._home.storage()
            with self._home.lock.held(), storage.transaction():
                for run, metadata in here.items():
                    storage.work.archived(run, metadata.newest.n, metadata.newest.size)

    def held(self, machine: str = "") -> Iterator[HeldRun]:
        """Everything that is here, for a machine that has lost its receipts or does not trust them; of one machine."""
        for folder in self._home.layout.run_folders():
            kept = archive.held(self._home.disk, folder)
            if kept.metadata is not None and machine in ("", kept.metadata.machine):
                here = archive.receipt_of(kept)
                yield HeldRun(folder.name, here.held, here.files)

    def journals(self) -> Mapping[str, tuple[int, str]]:
        return archive.journals_held(self._home.disk, self._home.layout)

    def orders(self) -> Mapping[str, str]:
        """Of the lines in each file of the journal: equal sizes and equal ends may have other lines between."""
        disk, layout = self._home.disk, self._home.layout
        names = map(layout.journal_name, layout.journal_files())
        return {name: archive.order_of(archive.lines_held(disk, layout, name)) for name in names}

    def frames_of(self, run: str, known: Mapping[str, object]) -> tuple[bytes, bool]:
        """What a machine that wants to read a run does not have of it; and whether there is more."""
        home, receipt = self._home, _receipt(known)
        named = [folder for folder in home.layout.run_folders() if folder.name.startswith(run)]
        folder = named[0] if len(named) == 1 else None
        found = archive.outgoing_run(home.disk, folder) if folder is not None else None
        if found is None or found.metadata.run in home.storage().bars.barred(home.reader):
            raise NotFoundError(f"there is no run {run}", hint="lane runs")
        return _reply(archive.frames_of(home.disk, found, receipt))

    def lines_beyond(self, known: Mapping[str, tuple[int, str]]) -> tuple[bytes, bool]:
        """The lines of all machines that whoever asks does not have; and whether there are more."""
        return _reply(archive.journal_frames(self._home.disk, self._home.layout, known))


def _receipt(known: Mapping[str, object]) -> RunReceipt:
    try:
        return msgspec.convert(known, RunReceipt, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"what you have of the run is not understood: {error}", hint="docs/formats/shipment.md"
        ) from None


def _reply(frames: Iterable[ShipFrame]) -> tuple[bytes, bool]:
    """As much as one answer holds, at least one frame; and whether there is more."""
    page, size = list[ShipFrame](), 0
    for one in frames:
        size += len(one.data) + len(one.head.metadata)
        if page and (size > ONE_REPLY or len(page) >= archive.MOST_FRAMES):
            return archive.packed(page), True
        page.append(one)
    return archive.packed(page), False
