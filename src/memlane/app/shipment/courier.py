"""One exchange with Central: what this archive has beyond the receipts goes there, what others left comes here.

Every step can be repeated. A kill, a cut line or a lying receipt costs sending something again, never a byte.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

import msgspec

from memlane import archive
from memlane.app.acts.forget import finish_forgetting
from memlane.app.home import Home
from memlane.app.home.link import FRAMES, CentralLine, data_of, no_central, understood
from memlane.app.shipment.mask_copy import UNMASKED, bring_up
from memlane.app.shipment.outbox import Behind, Outbox
from memlane.app.shipment.receipts import Receipts, told
from memlane.archive import (
    Answer,
    FrameAnswer,
    Metadata,
    OutgoingRun,
    Part,
    Reception,
    RunReceipt,
    Sender,
    ShipFrame,
)
from memlane.domain import Run
from memlane.domain.delta import Delta, Generation
from memlane.errors import DamagedError, LaneError
from memlane.flow.capture import receive
from memlane.flow.journal import catch_up, encode

ONE_REQUEST = 8 << 20  # bytes of frames: about 1.5 MB as sent
FORGETTING = (b'"kind":"gone"', b'"kind":"tombstone"')
COPIES = "copies"  # of other machines' runs that were read here
MANY_ROUNDS = 64  # of asking for lines: each brings up to 8 MiB


@dataclass(slots=True)
class ShipReport:
    """What one exchange did."""

    runs: set[str] = field(default_factory=set[str])
    bytes: int = 0
    sent: int = 0  # as they went over the line
    lines: int = 0  # bytes of journal lines sent
    received: int = 0  # bytes of journal lines fetched
    conflicts: list[str] = field(default_factory=list[str])
    damaged: list[str] = field(default_factory=list[str])


OnShip = Callable[[int, int], None]  # bytes done, bytes in all


def nothing(_done: int, _all: int) -> None:
    return None


class Courier:
    """Whoever calls holds the lock of the shipper: one exchange at a time."""

    def __init__(self, home: Home, line: CentralLine, receipts: Receipts, outbox: Outbox) -> None:
        self._home, self._line, self._receipts, self.outbox = home, line, receipts, outbox
        self.state = outbox.state
        self.report = ShipReport()
        self._apart = dict[str, tuple[OutgoingRun, list[Generation]]]()  # where Central holds other bytes for good

    # -- out -------------------------------------------------------------------------------------------------------

    def ship(self, on: OnShip = nothing) -> None:
        """Journals first: they are small, and what other machines wait for."""
        if self.outbox.masks:
            self.state.kept_back = bring_up(self._home, self.outbox.uncopied())
        self._send_all(((one, None) for one in self.outbox.lines()), nothing)
        total = self.outbox.behind().bytes
        self._send_all(self._run_frames(), lambda done, _all: on(done, total))
        self._receipts.write(self.state)

    def tell(self, behind: Behind) -> None:
        """What is still here alone, with every question from now on."""
        self._line.headers |= {"X-Lane-Behind-Runs": str(behind.runs), "X-Lane-Behind-Bytes": str(behind.bytes)}

    def _run_frames(self) -> Iterator[tuple[ShipFrame, OutgoingRun | None]]:
        for run in self.outbox.runs():
            receipt = self.state.runs.setdefault(run.metadata.run, RunReceipt())
            try:
                if receipt.told:
                    self._compare(run, receipt)
                if self.outbox.masks and not self._continues(run, receipt):
                    self._keep_back(run)
                    continue
                for one in archive.frames_of(self._home.disk, run, receipt):
                    yield one, run
            except (DamagedError, OSError) as error:  # our own copy: `lane archive verify` names it; the next goes on
                said = error.message if isinstance(error, DamagedError) else str(error)
                self.report.damaged.append(f"{run.metadata.run}: {said}")

    def _send_all(self, frames: Iterator[tuple[ShipFrame, OutgoingRun | None]], on: OnShip) -> None:
        batch, size, done = list[tuple[ShipFrame, OutgoingRun | None]](), 0, 0
        for one, run in frames:
            if batch and (size + len(one.data) > ONE_REQUEST or len(batch) >= archive.MOST_FRAMES):
                self._send(batch)
                done, batch, size = done + size, [], 0
                on(done, 0)
            batch.append((one, run))
            size += len(one.data) + len(one.head.metadata)
        if batch:
            self._send(batch)

    def _send(self, batch: Sequence[tuple[ShipFrame, OutgoingRun | None]]) -> None:
        body = archive.packed(one for one, _run in batch)
        reply = self._line.send("/api/ship", body, content=FRAMES)
        self.report.sent += len(body)
        answers = understood(data_of(reply), list[FrameAnswer])
        if len(answers) != len(batch):
            raise no_central()
        for (one, run), answer in zip(batch, answers, strict=True):
            self._settle(one, run, answer)
        for run, ours in self._apart.values():
            self._set_apart(run, ours)
        self._apart.clear()
        self._receipts.write(self.state)

    def _settle(self, one: ShipFrame, run: OutgoingRun | None, answer: FrameAnswer) -> None:
        if answer.answer in (Answer.TAKEN, Answer.HAVE):
            self._acknowledge(one, run, answer)
        elif answer.answer is Answer.CONFLICT:
            self._resolve(one, run, answer)
        else:
            self.report.damaged.append(f"{one.head.run or one.head.name}: {answer.why}")

    def _acknowledge(self, one: ShipFrame, run: OutgoingRun | None, answer: FrameAnswer) -> None:
        if run is None:
            end = one.head.start + len(one.data)
            if answer.size == end:
                self.state.journals[one.head.name] = (answer.size, answer.last)
                self.report.lines += len(one.data)
            return
        receipt = self.state.runs.setdefault(run.metadata.run, RunReceipt())
        end = one.head.start + len(one.data)
        if one.head.part is Part.RAW:  # of what Central has beyond ours we know nothing
            receipt.held[one.head.n] = (end, one.head.after) if answer.size > end else (answer.size, answer.last)
        elif answer.last:  # all of it
            receipt.files.append(answer.last)
            receipt.files += [g.stored_sha256 for g in run.metadata.generations if g.n == one.head.n]
            if one.head.part is Part.PATCH:
                receipt.held[one.head.n] = (answer.size, answer.last)
        self.report.bytes += len(one.data)
        self.report.runs.add(run.metadata.run)
        if _is_all_there(run.metadata, receipt):
            receipt.seen = run.seen

    # -- what does not fit -------------------------------------------------------------------------------------------

    def _resolve(self, one: ShipFrame, run: OutgoingRun | None, answer: FrameAnswer) -> None:
        """Central says what it holds. Where that is a beginning of ours, we go on from there."""
        if run is None:
            self._resolve_lines(one, answer)
            return
        receipt = self.state.runs.setdefault(run.metadata.run, RunReceipt())
        ours = next((g for g in run.metadata.generations if g.n == one.head.n), None)
        if one.head.part is not Part.RAW or ours is None:
            receipt.held.pop(one.head.n, None)
            if self.outbox.masks and answer.size > one.head.total:  # a file as it was found, which masking made shorter
                self._keep_back(run)
            return
        if answer.size <= ours.size and self._digest(run, one.head.n, answer.size) == answer.last:
            receipt.held[one.head.n] = (answer.size, answer.last)
            return
        if self.outbox.masks:
            receipt.held[one.head.n] = (answer.size, answer.last)
            self._keep_back(run)
            return
        if one.head.n not in receipt.apart:
            receipt.apart.append(one.head.n)
            self._apart.setdefault(run.metadata.run, (run, []))[1].append(ours)

    def _continues(self, run: OutgoingRun, receipt: RunReceipt) -> bool:
        """What Central holds is the beginning of what is sent now."""
        known = [(g, *receipt.held.get(g.n, (0, ""))) for g in run.metadata.generations]
        return all(
            not size or digest == (self._digest(run, g.n, size) if g.stored == "raw" else g.sha256)
            for g, size, digest in known
        )

    def _keep_back(self, run: OutgoingRun) -> None:
        if run.metadata.run not in self.state.kept_back:
            self.state.kept_back[run.metadata.run] = UNMASKED
            self.report.conflicts.append(f"{run.metadata.run}: {UNMASKED}")

    def _set_apart(self, run: OutgoingRun, ours: list[Generation]) -> None:
        """A disk was put back, and the run went another way since: both are kept. Ours become the next generations,
        here and there, as if its file had been replaced; the newest stays so, since capture goes on behind it."""
        home, told, receipt = self._home, run.metadata, self.state.runs[run.metadata.run]
        ours = ours if told.newest in ours else [*ours, told.newest]
        with home.lock.held():
            for old in ours:
                held = archive.held(home.disk, run.folder).generations
                n = max(*(g.n for g in held), *receipt.held, old.n) + 1
                delta = Delta(
                    Run(told.run, told.user, told.machine, told.agent, told.native_id),
                    n,
                    old.source_path,
                    archive.pieces(home.disk, run.folder, told, old),
                    datetime.fromisoformat(told.started),
                    told.cwd,
                    told.project,
                    format=told.format,
                )
                newest = receive(delta, home.tools()).metadata.newest
                home.storage().work.archived(told.run, newest.n, newest.size)

    def _digest(self, run: OutgoingRun, n: int, size: int) -> str:
        generation = next(g for g in run.metadata.generations if g.n == n)
        whole, left = hashlib.sha256(), size
        for piece in archive.added(self._home.disk, run.folder, generation, 0):
            whole.update(piece[:left])
            left -= min(left, len(piece))
        return whole.hexdigest()

    def _resolve_lines(self, one: ShipFrame, answer: FrameAnswer) -> None:
        name = one.head.name
        content = archive.lines_held(self._home.disk, self._home.layout, name)
        if answer.size <= len(content) and archive.last_line(content[: answer.size]) == answer.last:
            self.state.journals[name] = (answer.size, answer.last)
            return
        self._put_together(name)

    def _put_together(self, name: str) -> None:
        """A disk was put back, and lines were written since: first Central's, then ours that it has never seen."""
        theirs, home = self._all_lines(name), self._home
        with home.lock.held():
            archive.put_together(home.disk, home.layout, name, theirs, home.config.machine)
            self._read_again(name)
        self.state.journals[name] = (len(theirs), archive.last_line(theirs))

    def _read_again(self, name: str) -> None:
        """Applying a line twice changes nothing."""
        if self._home.engine.serving():
            work = self._home.storage().work
            work.journal_done({**work.journal_read(), name: 0})

    def _all_lines(self, name: str) -> bytes:
        """All that Central has of this file. One answer may end before it, since other files come along."""
        known = {n: held for n, held in self._held().items() if n != name}
        theirs = b""
        for _round in range(MANY_ROUNDS):
            frames, more = self._lines_beyond(known)
            for one in frames:
                known[one.head.name] = (one.head.start + len(one.data), archive.last_line_of(one))
                theirs += one.data if one.head.name == name else b""
            if not (frames and more):
                break
        return theirs

    def _lines_beyond(self, known: Mapping[str, tuple[int, str]]) -> tuple[Sequence[ShipFrame], bool]:
        files = [{"name": name, "size": size, "last": last} for name, (size, last) in known.items()]
        reply = self._line.send("/api/lines", msgspec.json.encode({"files": files}))
        frames = list(archive.unpacked(reply.body)) if reply.body else []
        return frames, reply.headers.get("x-lane-more") == "1"

    def _held(self) -> Mapping[str, tuple[int, str]]:
        return archive.journals_held(self._home.disk, self._home.layout)

    # -- back --------------------------------------------------------------------------------------------------------

    def fetch(self) -> None:
        """The lines of the owner's other machines, into this archive and into what is known here."""
        if self.outbox.only_runs:
            return
        home, seen = self._home, list[ShipFrame]()
        for _round in range(MANY_ROUNDS):
            frames, more = self._lines_beyond(self._held())
            before = self.report.received
            for one in frames:
                self._keep(one)
                seen.append(one)
            if not more or self.report.received == before:
                break
        if self.report.received and home.engine.serving():
            tools = home.tools()
            with home.lock.held():
                catch_up(tools)
            encode(tools)
            finish_forgetting(home)
        if any(word in frame.data for frame in seen for word in FORGETTING):
            shutil.rmtree(home.config.home / COPIES, ignore_errors=True)  # of what others have; it is fetched again

    def _keep(self, one: ShipFrame) -> None:
        home = self._home
        sender = Sender(home.config.user, home.config.machine)
        with home.lock.held():
            answer = Reception(home.disk, home.layout, sender, home.clock()).take(one).answer
        if answer.answer is Answer.CONFLICT and one.head.start == 0:
            self._put_together(one.head.name)
            self.report.received += len(one.data)
        elif answer.answer in (Answer.TAKEN, Answer.HAVE):
            self.state.journals[one.head.name] = (one.head.start + len(one.data), archive.last_line_of(one))
            self.report.received += len(one.data) if answer.answer is Answer.TAKEN else 0
        elif answer.answer in (Answer.DAMAGED, Answer.REFUSED):
            self.report.damaged.append(f"{one.head.name}: {answer.why}")

    # -- looked over ---------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """What Central holds, asked: after a disk was put back, here or there, receipts would leave a gap."""
        found = cast(Mapping[str, Mapping[str, object]], self._line.ask("/api/ship", timeout=120.0))
        held = told(cast(Mapping[str, Mapping[str, object]], found["runs"]))
        self.state.journals = msgspec.convert(found["journals"], dict[str, tuple[int, str]])
        for run in {*self.state.runs, *held}:
            known, receipt = held.get(run, RunReceipt()), self.state.runs.get(run)
            if receipt is None or known.held != receipt.held:
                known.told, known.apart = True, receipt.apart if receipt is not None else []
                self.state.runs[run] = known
        for name, order in msgspec.convert(found["orders"], dict[str, str]).items():
            self._check_order(name, order)

    def _check_order(self, name: str, theirs: str) -> None:
        """After disks were put back, the same lines may stand in another order before the same last one."""
        content = archive.lines_held(self._home.disk, self._home.layout, name)
        size, _last = self.state.journals.get(name, (0, ""))
        ours = archive.order_of(content[:size]) if len(content) >= size else ""
        if ours and theirs and ours != theirs:
            self._put_together(name)

    def _compare(self, run: OutgoingRun, receipt: RunReceipt) -> None:
        """Central told what it holds; where our bytes do not begin like that, they are sent from their beginning."""
        for ours in run.metadata.generations:
            size, digest = receipt.held.get(ours.n, (0, ""))
            if size and ours.stored == "raw" and (size > ours.size or self._digest(run, ours.n, size) != digest):
                receipt.held.pop(ours.n)
        receipt.told = False


def _is_all_there(metadata: Metadata, receipt: RunReceipt) -> bool:
    sent = (g for g in metadata.generations if g.n not in receipt.apart)
    generations = all(_is_held(g, *receipt.held.get(g.n, (0, ""))) for g in sent)
    return generations and all(file.sha256 in receipt.files for file in metadata.files)


def _is_held(ours: Generation, size: int, digest: str) -> bool:
    return size > ours.size or (size, digest) == (ours.size, ours.sha256)


def words_of(error: LaneError) -> str:
    return f"{error.message}" + (f" ({error.hint})" if error.hint else "")
