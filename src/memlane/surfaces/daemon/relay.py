"""The daemon of a thin machine: hooks come in, each is asked of Central within its own time, or gets nothing.

It has no index and no model. Until it listens it loads only what listening takes; what asking takes comes afterwards.
While Central does not answer, hooks are silent at once; runs are captured and sent when a turn has ended.
"""

from __future__ import annotations

import gc
import json
import os
import queue
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import memlane
from memlane.config import load
from memlane.surfaces.daemon.files import SOCKET, STARTING, DaemonClaim
from memlane.surfaces.daemon.log_file import LogFile
from memlane.surfaces.daemon.protocol import VERSION, HookConnection, HookRefusal, HookRequest, is_mine

if TYPE_CHECKING:
    from memlane.app.thin import CentralLine, ThinCall, ThinHooks
    from memlane.surfaces.daemon.children import Captures

THREADS = 4  # hooks that wait for Central at the same time
LOOK_EVERY = 0.5  # seconds between two looks at the claim, the clock and what is to be captured
SLOWEST_REQUEST = 2.0  # seconds a hook may take to say what it wants
QUIET = 5.0  # seconds without asking a Central that did not answer
QUIET_START = 1.0  # seconds: the first hooks have the processor to themselves
TO_FINISH = 2.0
MEASURED = 200
OURSELVES = "lane"  # as agent: `lane daemon status` asks


class Relay:
    def __init__(self, claim: DaemonClaim, listener: socket.socket, token: str) -> None:
        self._claim, self._listener, self._token = claim, listener, token
        self._config = load()
        self._log = LogFile(self._config.home)
        self._began = self._asked = time.monotonic()
        self._waiting: queue.SimpleQueue[HookConnection | None] = queue.SimpleQueue()
        self._grown: queue.SimpleQueue[tuple[HookRequest, str]] = queue.SimpleQueue()
        self._loaded = threading.Event()
        self._quiet_until = 0.0
        self._took: deque[float] = deque(maxlen=MEASURED)
        self._counts = {"answered": 0, "shown": 0, "too_late": 0, "refused": 0, "failed": 0}
        self._program = _signature(Path(memlane.__file__))
        self._settings = _signature(self._config.file)
        self._leave_because = ""

    def run(self) -> str:
        """Until there is a reason to leave, which is returned."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._told_to_leave)
        Path(STARTING).unlink(missing_ok=True)
        threading.Thread(target=self._load, name="load", daemon=True).start()
        threads = [threading.Thread(target=self._answer_all, daemon=True) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        self._listener.settimeout(LOOK_EVERY)
        while not self._leave_because:
            self._accept()
            if self._loaded.is_set():
                self._look_around()
        self._leave(threads)
        return self._leave_because

    def _load(self) -> None:
        """In the background: the first hook may be there already."""
        from memlane.app import Lane  # noqa: PLC0415 - more than listening takes
        from memlane.surfaces.daemon.children import (  # noqa: PLC0415
            SHIP,
            SHIP_EVERY,
            TICK,
            BackgroundCommand,
            Captures,
        )

        lane, variables = Lane(self._config), self._config.variables
        self._hooks: ThinHooks = lane.thin
        self._captures: Captures = Captures(variables, self._say)
        self._behind = [
            BackgroundCommand(TICK, variables, lambda: lane.health.tick_is_due(), self._say),
            BackgroundCommand(SHIP, variables, self._ship_is_due, self._say, SHIP_EVERY),
        ]
        gc.enable()
        self._loaded.set()

    # -- one thread listens and looks around -------------------------------------------------------------------------

    def _accept(self) -> None:
        try:
            line, _address = self._listener.accept()
        except OSError:  # nobody, or a signal
            return
        if not is_mine(line):
            self._counts["refused"] += 1
            line.close()
            return
        self._waiting.put(HookConnection(line, self._token))

    def _look_around(self) -> None:
        while not self._grown.empty():
            request, transcript = self._grown.get()
            self._captures.want(request.agent, request.variables, transcript)
        self._captures.look()
        if time.monotonic() - self._began >= QUIET_START:
            for command in self._behind:
                command.look()
        idle = max(1.0, self._config.number("daemon.idle_minutes") * 60)
        if not self._claim.ours():
            self._leave_because = "another daemon answers for this home"
        elif _signature(Path(memlane.__file__)) != self._program:
            self._leave_because = "another version was installed"
        elif _signature(self._config.file) != self._settings:
            self._leave_because = "a setting was changed"
        elif time.monotonic() - self._asked > idle and not self._captures.busy:
            self._leave_because = "idle"

    def _ship_is_due(self) -> bool:
        from memlane.app.home import contact  # noqa: PLC0415 - loaded by now

        return contact.is_due(self._config.home)

    def _told_to_leave(self, number: int, _frame: object) -> None:
        self._leave_because = f"signal {number}"

    def _leave(self, threads: list[threading.Thread]) -> None:
        ours, until = self._claim.ours(), time.monotonic() + TO_FINISH
        if ours:
            Path(SOCKET).unlink(missing_ok=True)
        self._listener.close()
        for _thread in threads:
            self._waiting.put(None)
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        if self._loaded.is_set():
            while ours and self._captures.busy and time.monotonic() < until:
                self._look_around()
                time.sleep(0.05)
            self._captures.stop()
        self._claim.release()

    # -- the others ask ------------------------------------------------------------------------------------------------

    def _answer_all(self) -> None:
        line: CentralLine | None = None
        while (connection := self._waiting.get()) is not None:
            request = self._read(connection)
            if request is None:
                continue
            if request.agent == OURSELVES:
                connection.answer(json.dumps(self._state()).encode())
                continue
            began = self._asked = time.monotonic()
            said, line = self._answered(request, line)
            connection.answer(said if time.monotonic() < request.until else b"")
            self._took.append((time.monotonic() - began) * 1000)
            self._counts["answered"] += 1
            self._counts["shown"] += bool(said)

    def _read(self, connection: HookConnection) -> HookRequest | None:
        connection.line.settimeout(SLOWEST_REQUEST)
        while (found := connection.read()) is None:
            pass
        if isinstance(found, HookRequest):
            return found
        connection.answer()  # what is not understood; code inside an agent that speaks HTTP: its hook asks instead
        self._counts["refused"] += 1
        if isinstance(found, HookRefusal) and found.newer:
            self._leave_because = "a newer version asks"
        return None

    def _answered(self, request: HookRequest, line: CentralLine | None) -> tuple[bytes, CentralLine | None]:
        if not self._loaded.wait(max(0.0, request.until - time.monotonic())):
            self._counts["too_late"] += 1
            return b"", line
        try:
            call = self._hooks.understood(request.agent, request.event, request.body, off=request.off)
            if call is None:
                return b"", line
            if call.capture:
                self._grown.put((request, call.capture))
            if not call.asks or time.monotonic() < self._quiet_until:
                return b"", line
            line = line or self._hooks.line()
            return self._asked_central(call, line, request.until), line
        except Exception as error:  # noqa: BLE001 - one question ends nothing else
            self._failed(request, error)
            return b"", None

    def _asked_central(self, call: ThinCall, line: CentralLine, until: float) -> bytes:
        """Once more where the line had been closed while it lay idle: then Central has heard nothing."""
        from memlane.errors import UnreachableError  # noqa: PLC0415 - loaded by now

        began = time.monotonic()
        try:
            return self._hooks.asked(call, line, until - began)
        except UnreachableError:
            if time.monotonic() - began > (until - began) / 4:
                raise
            return self._hooks.asked(call, line, until - time.monotonic())

    def _failed(self, request: HookRequest, error: Exception) -> None:
        from memlane.errors import LaneError  # noqa: PLC0415 - loaded by now

        self._counts["failed"] += 1
        if isinstance(error, LaneError):  # Central is away, or has refused this machine: nobody waits for it again soon
            self._quiet_until = time.monotonic() + QUIET
        words = error.message if isinstance(error, LaneError) else f"{type(error).__name__}: {error}"
        self._say("WARN", f"{request.agent} {request.event}: nothing was said: {words}")

    def _say(self, level: str, text: str) -> None:
        from memlane.app.home import masked  # noqa: PLC0415 - loaded by now

        if self._claim.ours():
            self._log.write(level, masked(text))

    def _state(self) -> Mapping[str, object]:
        took = sorted(self._took)
        return {
            "pid": os.getpid(),
            "epoch": self._claim.epoch,
            "version": memlane.__version__,
            "protocol": VERSION,
            "uptime_s": round(time.monotonic() - self._began, 1),
            **{f"p{part}_ms": round(took[(len(took) - 1) * part // 100], 2) if took else None for part in (50, 95, 99)},
            "connections": 0,
            "queue": self._grown.qsize(),
            "dropped": 0,
            "capturing": self._loaded.is_set() and self._captures.busy,
            "watching": False,
            "http": None,
            "host": None,
            **self._counts,
        }


def _signature(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_ino


def serve(claim: DaemonClaim, listener: socket.socket, token: str) -> str:
    return Relay(claim, listener, token).run()
