"""Where no timer runs `lane tick`, the daemon does, after a turn: one at a time, with low priority, on its own.

It is bounded, takes the locks that every tick takes, and ends by itself, also when the daemon has left.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping

from memlane.process import BEHIND

LOOK_EVERY = 60.0  # seconds between two looks at when the last one was


class Ticks:
    """`due`: whether the last one is too long ago."""

    def __init__(self, variables: Mapping[str, str], due: Callable[[], bool], say: Callable[[str, str], None]) -> None:
        self._variables = variables
        self._due = due
        self._say = say
        self._child = 0
        self._looked = -LOOK_EVERY

    def look(self) -> None:
        """Somebody has just been answered and nobody waits."""
        now = time.monotonic()
        if self._running() or now - self._looked < LOOK_EVERY:
            return
        self._looked = now
        if self._due():
            self._start()

    def _running(self) -> bool:
        if self._child and os.waitpid(self._child, os.WNOHANG)[0]:
            self._child = 0
        return self._child != 0

    def _start(self) -> None:
        command = ["nice", "-n", str(BEHIND), sys.executable, "-P", "-m", "memlane", "tick", "--json"]
        nothing = [(os.POSIX_SPAWN_OPEN, n, os.devnull, os.O_RDWR, 0) for n in (0, 1, 2)]
        try:
            self._child = os.posix_spawnp(command[0], command, self._variables, file_actions=nothing, setsid=True)
        except OSError as error:
            self._say("ERROR", f"a tick could not be started: {error.strerror}")
