"""Writes down what was answered, after the agent has its answer: one thread, a Lane of its own, a bounded queue.

Nothing is dropped silently, and nothing is written by a daemon that has lost its claim.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from memlane.app.recall import SaidOutcome, TaughtPrompt
from memlane.domain import Outcome, Recall, RecallMoment
from memlane.errors import BusyError, LaneError
from memlane.surfaces.daemon.current_lane import CurrentLane
from memlane.surfaces.daemon.files import DaemonClaim
from memlane.surfaces.daemon.log_file import LogFile

MOST_WAITING = 1000
QUIET_START = 1.0  # seconds: the first answers have the processor to themselves
TRY_AGAIN = 2.0
A_MOMENT = 0.002
SAME_LINE_EVERY = 60.0


@dataclass(frozen=True, slots=True)
class LogLine:
    """Something for the log."""

    level: str
    text: str


class Scribe:
    """`keep` and `say` never wait; `leave` waits until all is written, or as long as it may."""

    def __init__(self, claim: DaemonClaim, log: LogFile) -> None:
        self.dropped = 0  # recalls that found the queue full or could not be written
        self._claim = claim
        self._log = log
        self._opened = CurrentLane(claim.ours)
        self._queue: queue.Queue[Recall | TaughtPrompt | SaidOutcome | LogLine | None] = queue.Queue(MOST_WAITING)
        self._told: list[str] = []  # runs with something shown that is not written down yet
        self._said: dict[str, float] = {}
        self._begin = threading.Event()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._write_all, name="scribe", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        return self._queue.qsize()

    # -- from the thread that answers --------------------------------------------------------------------------------

    def keep(self, recall: Recall) -> None:
        if _tells_a_run(recall):
            self._told.append(recall.query.run)
        if not self._put(recall):
            self.dropped += 1
            self._forget_told(recall)
            if self.dropped == 1:
                self._log.write("ERROR", f"{MOST_WAITING} recalls are waiting to be saved; this one is dropped")
        self._begin.set()

    def keep_said(self, said: TaughtPrompt | SaidOutcome) -> None:
        """What was taught in a prompt, or how a run went."""
        if not self._put(said):
            self.dropped += 1
            self._log.write("ERROR", f"{MOST_WAITING} lines are waiting to be saved; what was said is dropped")
        self._begin.set()

    def say(self, level: str, text: str) -> None:
        self._put(LogLine(level, text))

    def is_behind(self, run: str) -> bool:
        """Whether earlier notes of this run are not saved yet, so that it would be told again."""
        return run in self._told

    def caught_up(self, run: str, patience: float) -> bool:
        until = time.monotonic() + patience
        while self.is_behind(run):
            if time.monotonic() >= until:
                return False
            time.sleep(A_MOMENT)
        return True

    def leave(self, patience: float) -> None:
        self._leaving.set()
        self._begin.set()
        self._put(None)
        self._thread.join(patience)
        if self._thread.is_alive() and self._claim.ours():
            self._log.write("ERROR", f"left with {self.waiting} recalls not saved")

    def _put(self, work: Recall | TaughtPrompt | SaidOutcome | LogLine | None) -> bool:
        try:
            self._queue.put_nowait(work)
        except queue.Full:
            return False
        return True

    # -- in its own thread -------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        self._begin.wait(QUIET_START)
        self._list_paths()
        self._masked("")  # builds the gate, here and not while an agent waits
        while (work := self._queue.get()) is not None:
            if isinstance(work, LogLine):
                self._write_line(work)
            elif isinstance(work, SaidOutcome):
                self._write(lambda work=work: self._judge(work), "an outcome")
            elif isinstance(work, TaughtPrompt):
                self._write(lambda work=work: self._opened.lane().recall.keep_taught(work), "a teaching")
            else:
                self._write(lambda work=work: self._opened.lane().recall.keep(work), "a recall")
                self._forget_told(work)
        self._opened.close()

    def _judge(self, said: SaidOutcome) -> None:
        self._opened.lane().runs.outcomes.outcome(said.run, success=said.success, by=said.agent)

    def _list_paths(self) -> None:
        """It may be missing, or be from before a setting was changed."""
        with suppress(LaneError, OSError):
            home = self._opened.lane().home
            home.list_paths(home.storage())

    def _write(self, keep: Callable[[], object], what: str) -> None:
        """A full disk or a busy lock is waited for; on the way out there is one last try."""
        while self._claim.ours():
            last = self._leaving.is_set()
            try:
                keep()
            except (BusyError, OSError) as error:
                self._write_line(LogLine("WARN", f"{what} is waiting to be saved: {_of(error)}"))
                if last:
                    break
                self._leaving.wait(TRY_AGAIN)
            except LaneError as error:
                self._write_line(LogLine("ERROR", f"{what} cannot be saved: {_of(error)}"))
                break
            else:
                return
        self.dropped += 1

    def _write_line(self, line: LogLine) -> None:
        now = time.monotonic()
        if now - self._said.get(line.text, -SAME_LINE_EVERY) < SAME_LINE_EVERY:
            return
        self._said = {text: at for text, at in self._said.items() if now - at < SAME_LINE_EVERY} | {line.text: now}
        if self._claim.ours():
            self._log.write(line.level, self._masked(line.text))

    def _masked(self, text: str) -> str:
        try:
            return self._opened.lane().home.gate.mask(text)
        except (LaneError, OSError):
            return "something failed, and so did the gate that its words must pass"

    def _forget_told(self, recall: Recall) -> None:
        if _tells_a_run(recall):
            self._told.remove(recall.query.run)


def _tells_a_run(recall: Recall) -> bool:
    return recall.outcome is Outcome.SHOWN and recall.query.moment is not RecallMoment.ASKED


def unsaid(recall: Recall, outcome: Outcome, why: str) -> Recall:
    """The same look, of which the agent saw nothing."""
    return replace(recall, outcome=outcome, why=why, shown=(), near=(*recall.shown, *recall.near), tokens=0)


def _of(error: Exception) -> str:
    return error.message if isinstance(error, LaneError) else str(error)
