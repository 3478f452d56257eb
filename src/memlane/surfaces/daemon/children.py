"""The processes a daemon starts, with low priority: a capture and a tick after a turn, one at a time, and a watch."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

from memlane.system.disk import message_of
from memlane.system.process import BEHIND

LONGEST = 600.0  # seconds; whatever hangs longer is ended, and the next sweep finds the work again
MODULE = "memlane.surfaces.daemon.capture"
ALREADY_SAID = 3  # its exit code when the reason is in the log
MOST_PATHS = 100  # in one command line

Where = tuple[str, tuple[tuple[str, str], ...]]  # an agent, and the variables that say where its files are


class Captures:
    def __init__(self, variables: Mapping[str, str], say: Callable[[str, str], None]) -> None:
        self._variables = variables
        self._say = say
        self._wanted: dict[Where, set[str]] = {}
        self._child = 0
        self._since = 0.0
        self._lifeline = -1

    @property
    def busy(self) -> bool:
        return self._child != 0 or bool(self._wanted)

    def want(self, agent: str, variables: Mapping[str, str], transcript: str) -> None:
        """Its folder too: what belongs to a run may lie beside it."""
        paths = self._wanted.setdefault((agent, tuple(sorted(variables.items()))), set())
        paths |= {transcript, os.path.dirname(transcript)}  # noqa: PTH120 - text in, text out

    def look(self) -> None:
        """Reap the one that has ended, start the one that is wanted."""
        if self._child:
            ended, status = os.waitpid(self._child, os.WNOHANG)
            if not ended:
                if time.monotonic() - self._since > LONGEST:
                    os.kill(self._child, signal.SIGKILL)
                return
            self._over(status)
        if self._wanted:
            self._start()

    def stop(self) -> None:
        self._wanted.clear()
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            os.close(self._lifeline)
            self._child = 0

    def _start(self) -> None:
        (agent, moved), paths = self._wanted.popitem()
        few = sorted(paths) if len(paths) <= MOST_PATHS else []  # none: all of this agent's
        theirs, self._lifeline = os.pipe()  # its end is our end: the kernel closes it whatever happens to us
        command = [sys.executable, "-P", "-m", MODULE, agent, *few]
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs, 0),
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        try:
            self._child = os.posix_spawn(command[0], command, {**self._variables, **dict(moved)}, file_actions=actions)
            self._since = time.monotonic()
        except OSError as error:
            os.close(self._lifeline)
            self._say("ERROR", f"a capture could not be started: {message_of(error)}")
        finally:
            os.close(theirs)

    def _over(self, status: int) -> None:
        code = os.waitstatus_to_exitcode(status)
        if code not in (0, ALREADY_SAID):
            how = f"was ended by signal {-code}" if code < 0 else f"failed with exit code {code}"
            self._say("ERROR", f"a capture {how}; the next one continues from there")
        os.close(self._lifeline)
        self._child = 0


WATCH = "memlane.surfaces.daemon.watch"
SOONEST_AGAIN, LATEST_AGAIN = 10.0, 600.0  # seconds until a watch that ended is started again: each time twice as long


class WatchChild:
    """The process that watches all agents' folders, as long as the daemon lives. `worked` is called when it took
    something."""

    def __init__(
        self, variables: Mapping[str, str], say: Callable[[str, str], None], worked: Callable[[], None]
    ) -> None:
        self._variables = variables
        self._say = say
        self._worked = worked
        self._child = 0
        self._lifeline = -1
        self._due, self._pause = 0.0, SOONEST_AGAIN
        self.words = -1  # what it writes to: readable when it took something or has ended

    @property
    def running(self) -> bool:
        return self._child != 0

    @property
    def due(self) -> bool:
        return not self._child and time.monotonic() >= self._due

    def put_off(self) -> None:
        self._due = time.monotonic() + LOOK_EVERY

    def start(self) -> None:
        theirs, self._lifeline = os.pipe()
        self.words, writes = os.pipe()
        os.set_blocking(writes, False)
        os.set_blocking(self.words, False)
        command = [sys.executable, "-P", "-m", WATCH]
        actions = [
            (os.POSIX_SPAWN_DUP2, theirs, 0),
            (os.POSIX_SPAWN_DUP2, writes, 1),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ]
        self._due = time.monotonic() + self._pause
        self._pause = min(LATEST_AGAIN, 2 * self._pause)
        try:
            self._child = os.posix_spawn(command[0], command, dict(self._variables), file_actions=actions)
        except OSError as error:
            self._close()
            self._say("ERROR", f"the watch could not be started: {error.strerror}")
        finally:
            os.close(theirs)
            os.close(writes)

    def listen(self) -> bool:
        """What it has written; false when it has ended."""
        try:
            told = os.read(self.words, 4096)
        except BlockingIOError:
            return True
        if told:
            self._worked()
            return True
        self.stop()
        return False

    def stop(self) -> None:
        if self._child:
            with suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = 0
            self._close()

    def _close(self) -> None:
        os.close(self._lifeline)
        os.close(self.words)
        self.words = -1


LOOK_EVERY = 60.0  # seconds between two looks at when the last one was
TICK = ("tick", "--json")
SHIP = ("ship", "--background", "--json")
SHIP_EVERY = 10.0


class BackgroundCommand:
    """A command of ours that nobody waits for, one at a time. `due`: whether the last one is too long ago."""

    def __init__(
        self,
        words: tuple[str, ...],
        variables: Mapping[str, str],
        due: Callable[[], bool],
        say: Callable[[str, str], None],
        every: float = LOOK_EVERY,
    ) -> None:
        self._words = words
        self._variables = variables
        self._due = due
        self._say = say
        self._every = every
        self._child = 0
        self._looked = -every

    def look(self) -> None:
        """Somebody has just been answered and nobody waits."""
        now = time.monotonic()
        if self._running() or now - self._looked < self._every:
            return
        self._looked = now
        if self._due():
            self._start()

    def _running(self) -> bool:
        if self._child and os.waitpid(self._child, os.WNOHANG)[0]:
            self._child = 0
        return self._child != 0

    def _start(self) -> None:
        command = ["nice", "-n", str(BEHIND), sys.executable, "-P", "-m", "memlane", *self._words]
        nothing = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
        try:
            self._child = os.posix_spawnp(command[0], command, self._variables, file_actions=nothing, setsid=True)
        except OSError as error:
            self._say("ERROR", f"lane {self._words[0]} could not be started: {message_of(error)}")
