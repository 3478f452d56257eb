"""The loop: hooks come in, each gets its answer or nothing, in the order they came and within their time.

One thread does all of it; writing down and capturing are handed on. It leaves when told, when nobody asks, when it
has lost its claim, or when the program on the disk is not the one it is any more.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

import memlane
from memlane.app.home import contact
from memlane.app.recall import NOTHING, HookAnswer
from memlane.domain import Outcome, Recall, RecallMoment
from memlane.errors import NotSetUpError
from memlane.surfaces.daemon.children import SHIP, SHIP_EVERY, TICK, BackgroundCommand, Captures, WatchChild
from memlane.surfaces.daemon.current_lane import (
    ONE_QUESTION,
    Answerer,
    CurrentLane,
    printed,
    printed_with_card,
    signature,
)
from memlane.surfaces.daemon.files import SOCKET, STARTING, DaemonClaim, token
from memlane.surfaces.daemon.log_file import LogFile
from memlane.surfaces.daemon.mods import ModMarks
from memlane.surfaces.daemon.protocol import (
    VERSION,
    WRONG_TOKEN,
    HookConnection,
    HookRefusal,
    HookRequest,
    HttpBytes,
    is_mine,
)
from memlane.surfaces.daemon.scribe import Scribe, unsaid

if TYPE_CHECKING:
    from memlane.surfaces.api import HttpListener
    from memlane.surfaces.daemon.desk import Desk
    from memlane.surfaces.daemon.http import PageProcess

QUIET_START = 1.0  # seconds: the first hooks have the processor to themselves
LOOK_AROUND = 5.0  # seconds between two looks at the claim, the clock and the program
SHORTEST_IDLE = 1.0
SLOWEST_REQUEST = 2.0  # seconds a hook may take to say what it wants
MOST_CONNECTIONS = 256
MEASURED = 200  # answers that `lane daemon status` speaks of
TO_FINISH = 2.0  # seconds for what is being captured or is not written down yet
HANDED_OVER_WITHIN = 0.0005  # seconds the scribe may go on when a question comes; Python's own are ten times that
WRITTEN_WITHIN = 0.06  # seconds: a line of the journal takes a few milliseconds, on most disks
A_MOMENT = 0.005
_PAUSE = 0.05
OURSELVES = "lane"  # as agent: `lane daemon status` asks


class Daemon:
    def __init__(self, claim: DaemonClaim, listener: socket.socket, token: str) -> None:
        self._claim = claim
        self._listener = listener
        self._token = token
        self._answering = Answerer()
        config = self._answering.opened.config
        self._scribe = Scribe(claim, LogFile(config.home))
        self._captures = Captures(config.variables, self._scribe.say)
        self._ticks = BackgroundCommand(TICK, config.variables, self._answering.tick_is_due, self._scribe.say)
        ship_is_due = partial(contact.is_due, config.home)
        self._ships = BackgroundCommand(SHIP, config.variables, ship_is_due, self._scribe.say, SHIP_EVERY)
        self._watch = WatchChild(config.variables, self._scribe.say, self._somebody_works)
        self._selector = selectors.DefaultSelector()
        self._connections: set[HookConnection] = set()
        self._ready: deque[tuple[HookConnection, HookRequest]] = deque()
        self._began = self._asked = time.monotonic()
        self._took: deque[float] = deque(maxlen=MEASURED)
        self._counts = {"answered": 0, "shown": 0, "too_late": 0, "refused": 0, "failed": 0}
        self._program = signature(Path(memlane.__file__))
        self._leave_because = ""
        self._unbuilt = False  # a question met a home whose index another version made
        self._mods = ModMarks(config.home / "run")
        self._desk: Desk | None = None
        self._http: HttpListener | None = None
        self._beside: PageProcess | None = None
        self._wants_http = config.count("http.port") > 0

    # -- the loop --------------------------------------------------------------------------------------------------

    def run(self) -> str:
        """Until there is a reason to leave, which is returned."""
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)
        self._catch_signals()
        self._answering.prepare()
        if self._answering.outdated():
            self._ticks.look()
        gc.enable()
        sys.setswitchinterval(HANDED_OVER_WITHIN)
        Path(STARTING).unlink(missing_ok=True)
        while not self._leave_because:
            self._turn(self._patience())
            self._look_around()
        self._leave()
        return self._leave_because

    def _turn(self, patience: float) -> None:
        for key, _events in self._selector.select(patience):
            cast(Callable[[], None], key.data)()
        while self._ready and self._is_ours():
            self._serve(*self._ready.popleft())
        self._captures.look()

    def _patience(self) -> float:
        soon = QUIET_START if self._wants_http or self._watch.due else LOOK_AROUND
        return min(soon, max(0.05, self._idle_until() - time.monotonic()))

    def _idle_until(self) -> float:
        minutes = self._answering.opened.config.number("daemon.idle_minutes")
        asked = max(self._asked, self._http.asked if self._http else 0.0)
        return asked + max(SHORTEST_IDLE, minutes * 60)

    def _open_http(self) -> None:
        """Only who wants it pays for it."""
        from memlane.surfaces.daemon.http import PageProcess, serving  # noqa: PLC0415 - only who wants it

        self._wants_http = False
        config = self._answering.opened.config
        self._beside = PageProcess(config.variables)
        self._http = serving(config.count("http.port"), self._token, self._claim, self._scribe, self._beside)

    def _look_around(self) -> None:
        now = time.monotonic()
        for connection in [c for c in self._connections if now - c.since > SLOWEST_REQUEST]:
            self._hang_up(connection)
        if not self._is_ours():
            return
        if self._wants_http and now - self._began >= QUIET_START:
            self._open_http()
        if self._watch.due and now - self._began >= QUIET_START:
            self._start_watch()
        if not self._ready and now - self._began >= QUIET_START:
            self._ships.look()
        if signature(Path(memlane.__file__)) != self._program:
            self._leave_because = "another version was installed"
        elif now >= self._idle_until() and not self._captures.busy and not self._scribe.waiting:
            self._leave_because = "idle"

    # -- the watch ---------------------------------------------------------------------------------------------------

    def _start_watch(self) -> None:
        self._answering.prepare()  # its settings as they are now
        if not self._answering.opened.config.switch("daemon.watch"):
            self._watch.put_off()
            return
        self._watch.start()
        if self._watch.running:
            words = self._watch.words
            self._selector.register(words, selectors.EVENT_READ, lambda: self._hear_watch(words))

    def _hear_watch(self, words: int) -> None:
        if not self._watch.listen():
            self._selector.unregister(words)

    def _somebody_works(self) -> None:
        """An agent wrote, whether it has hooks or not: we stay, and do what is due after a turn."""
        self._asked = time.monotonic()
        if not self._ready:
            self._ticks.look()

    # ----------------------------------------------------------------------------------------------------------------

    def _is_ours(self) -> bool:
        ours = self._claim.ours()
        if not ours:
            self._leave_because = "another daemon answers for this home"
        return ours

    def _leave(self) -> None:
        ours, until = self._claim.ours(), time.monotonic() + TO_FINISH
        if self._http is not None:
            self._http.close()
        if self._beside is not None:
            self._beside.close()
        if ours:
            Path(SOCKET).unlink(missing_ok=True)
            self._turn(0)  # whoever knocked before that
        self._selector.unregister(self._listener)
        self._listener.close()
        while ours and self._captures.busy and time.monotonic() < until:
            self._turn(_PAUSE)
        self._captures.stop()
        self._watch.stop()
        if self._desk is not None:
            self._desk.leave(max(_PAUSE, until - time.monotonic()) if ours else 0)
        if ours:
            self._mods.clear()
        self._scribe.leave(max(_PAUSE, until - time.monotonic()) if ours else 0)
        self._claim.release()

    # -- signals ---------------------------------------------------------------------------------------------------

    def _catch_signals(self) -> None:
        """They wake the loop: a child has ended, we were frozen and are not any more, or we are asked to leave."""
        here, there = socket.socketpair()
        here.settimeout(0)
        there.settimeout(0)
        signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        self._wakers = (here, there)
        self._selector.register(here, selectors.EVENT_READ, lambda: here.recv(4096))
        for number in (signal.SIGCHLD, signal.SIGCONT):
            signal.signal(number, lambda _number, _frame: None)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._told_to_leave)

    def _told_to_leave(self, number: int, _frame: object) -> None:
        self._leave_because = f"signal {number}"

    # -- connections -----------------------------------------------------------------------------------------------

    def _accept(self) -> None:
        while True:
            try:
                line, _address = self._listener.accept()
            except OSError:  # nobody else, or none we could take now
                return
            if len(self._connections) >= MOST_CONNECTIONS or not is_mine(line):
                self._counts["refused"] += 1
                line.close()
                continue
            connection = HookConnection(line, self._token)
            self._connections.add(connection)
            self._selector.register(line, selectors.EVENT_READ, lambda c=connection: self._read(c))
            self._read(connection)  # a hook has usually said all by now

    def _read(self, connection: HookConnection) -> None:
        match connection.read():
            case HookRequest() as request:
                self._take_off(connection)
                self._ready.append((connection, request))
            case HookRefusal(why, newer):
                self._refuse(connection, why, newer=newer)
            case HttpBytes() as said:
                self._read_http(connection, said)
            case None:
                pass

    def _read_http(self, connection: HookConnection, said: HttpBytes) -> None:
        from memlane.surfaces.daemon.socket_door import framed  # noqa: PLC0415 - only who wants it

        desk = self._opened_desk()
        found = desk.read(said)
        if found is None:
            return
        self._take_off(connection)
        if isinstance(found, HookRequest):
            connection.frame = framed
            self._ready.append((connection, found))
        else:
            self._asked = time.monotonic()
            desk.take(connection, found)

    def _opened_desk(self) -> Desk:
        """Only an agent with our code inside it pays for it."""
        if self._desk is None:
            from memlane.surfaces.daemon.desk import Desk  # noqa: PLC0415 - only who wants it

            self._desk = Desk(self._token, CurrentLane(self._claim.ours), self._scribe.say)
        return self._desk

    def _refuse(self, connection: HookConnection, why: str, *, newer: bool) -> None:
        self._take_off(connection)
        connection.answer()
        if why != "cut":
            self._counts["refused"] += 1
            self._scribe.say("WARN", f"a request was refused: {why}")
        if newer:
            self._leave_because = "a newer version asks"
        elif why == WRONG_TOKEN and token() != self._token:
            self._leave_because = "its token is not the one on the disk any more"

    def _take_off(self, connection: HookConnection) -> None:
        self._selector.unregister(connection.line)
        self._connections.discard(connection)

    def _hang_up(self, connection: HookConnection) -> None:
        self._take_off(connection)
        connection.close()

    # -- one question ----------------------------------------------------------------------------------------------

    def _serve(self, connection: HookConnection, request: HookRequest) -> None:
        if request.agent == OURSELVES:
            connection.answer(msgspec.json.encode(self._state()))
            return
        began = self._asked = time.monotonic()
        if not self._mods.serves(request):
            connection.answer()
            return
        answer = self._in_order(request, self._answered(request))
        late = time.monotonic() >= request.until
        said = printed(answer) if request.mod is None else printed_with_card(answer)
        sent = connection.answer(b"" if late else said) and not late
        self._took.append((time.monotonic() - began) * 1000)
        self._counts["answered"] += 1
        self._after(request, answer, sent=sent)

    def _answered(self, request: HookRequest) -> HookAnswer:
        try:
            if time.monotonic() >= request.until:
                self._counts["too_late"] += 1
                return self._answering.too_late(request, "the daemon had too much to do")
            return self._answering.answer(request, self._nobody_else_asks)
        except ONE_QUESTION as error:
            self._counts["failed"] += 1
            self._unbuilt = isinstance(error, NotSetUpError) and self._answering.outdated()
            self._scribe.say("ERROR", f"{request.agent} {request.event}: {type(error).__name__}: {error}")
            return NOTHING

    def _nobody_else_asks(self) -> bool:
        """For a moment, in which they may."""
        return not self._ready and not self._selector.select(A_MOMENT)

    def _in_order(self, request: HookRequest, answer: HookAnswer) -> HookAnswer:
        """A run is told nothing new while what it was told before is not written down: it could be the same. Files that
        are read together ask at the same moment, so it is waited for a little."""
        recall = answer.recall
        waits = recall is not None and (answer.output or recall.begins) and self._scribe.is_behind(recall.query.run)
        if recall is None or not waits:
            return answer
        if self._scribe.caught_up(recall.query.run, min(WRITTEN_WITHIN, request.until - time.monotonic())):
            return self._answered(request)
        why = "earlier notes of this run are not saved yet"
        again = recall.begins or recall.query.moment is RecallMoment.ANSWER  # the next prompt looks, or begins it
        unseen = None if again else unsaid(recall, Outcome.NOT_LOOKED, why)
        return replace(answer, output={}, recall=unseen, ahead=None)

    def _after(self, request: HookRequest, answer: HookAnswer, *, sent: bool) -> None:
        recall = answer.recall
        if recall is not None and _is_awaited(recall) and answer.output and not sent:
            recall = unsaid(recall, Outcome.TOO_SLOW, f"found in {self._took[-1]:.0f} ms, after the hook had timed out")
        if answer.ahead is not None and (sent or not answer.output):  # else it is due at the next call
            self._scribe.keep(answer.ahead)
        if recall is not None:
            if request.mod is None:
                self._mods.commanded(request.agent, recall.query.native_id)
            self._counts["shown"] += recall.outcome is Outcome.SHOWN
            self._scribe.keep(recall)
        for said in filter(None, (answer.taught, answer.outcome)):
            self._scribe.keep_said(said)
        if answer.capture:
            self._captures.want(request.agent, request.variables, answer.capture)
        if not self._ready:
            self._answering.look_around()
            if answer.capture or self._unbuilt:  # a turn has ended: nobody waits for a while
                self._unbuilt = False
                self._ticks.look()

    def _state(self) -> Mapping[str, object]:
        took = sorted(self._took)
        return {
            "pid": os.getpid(),
            "epoch": self._claim.epoch,
            "version": memlane.__version__,
            "protocol": VERSION,
            "uptime_s": round(time.monotonic() - self._began, 1),
            **{f"p{part}_ms": round(took[(len(took) - 1) * part // 100], 2) if took else None for part in (50, 95, 99)},
            "connections": len(self._connections),
            "queue": self._scribe.waiting,
            "dropped": self._scribe.dropped,
            "capturing": self._captures.busy,
            "watching": self._watch.running,
            "http": self._http.place.port if self._http else None,
            "host": self._http.place.host if self._http else None,
            **self._counts,
        }


def _is_awaited(recall: Recall) -> bool:
    """What an answer brings up waits for the next prompt, whoever saw it."""
    return recall.outcome in (Outcome.SHOWN, Outcome.QUESTION) and recall.query.moment is not RecallMoment.ANSWER


def serve(claim: DaemonClaim, listener: socket.socket, token: str) -> str:
    return Daemon(claim, listener, token).run()
