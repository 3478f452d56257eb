"""A terminal somebody sits at: `lane` in it as a process, keys in, and the screen as they would see it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from wcwidth import wcwidth

from tests.acceptance.command_line import COMMAND, Person

PATIENCE = 60  # seconds until a screen that does not come is a failure; nothing is measured by it
_ORDER = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|\x1b[=>]")
_HALF = re.compile(r"\x1b(?:\[[0-9;?]*|\][^\x07]*)?\Z")


@dataclass(slots=True)
class Glass:
    """What stands on a screen after everything that was written to it; only the orders that `lane` may give."""

    rows: int
    columns: int
    lines: list[list[str]] = field(default_factory=list[list[str]])
    at: tuple[int, int] = (0, 0)
    modes: set[str] = field(default_factory=set[str])
    colours: int = 0
    left: str = ""

    def __post_init__(self) -> None:
        self.wipe()

    def wipe(self) -> None:
        self.lines = [[" "] * self.columns for _row in range(self.rows)]

    def write(self, text: str) -> None:
        text = self.left + text
        half = _HALF.search(text)
        self.left, text = (half[0], text[: half.start()]) if half else ("", text)
        done = 0
        for order in _ORDER.finditer(text):
            self._put(text[done : order.start()])
            self._obey(order[1] or "", order[2] or "")
            done = order.end()
        self._put(text[done:])

    def _obey(self, given: str, order: str) -> None:
        if order == "H":
            row, column = (int(n or 1) for n in (given.split(";") if given else ("1", "1")))
            self.at = (min(row, self.rows) - 1, min(column, self.columns) - 1)
        elif order == "J":
            self.wipe()
        elif order == "K":
            self.lines[self.at[0]] = [" "] * self.columns
        elif order == "m":
            self.colours += given not in ("", "0")
        elif order in "hl" and given.startswith("?"):
            (self.modes.add if order == "h" else self.modes.discard)(given[1:])

    def _put(self, text: str) -> None:
        for character in text:
            row, column = self.at
            if character == "\n":
                self.at = (min(row + 1, self.rows - 1), column)
            elif character == "\r":
                self.at = (row, 0)
            elif (wide := max(0, wcwidth(character))) and column + wide <= self.columns:
                self.lines[row][column : column + wide] = [character, *[""] * (wide - 1)]
                self.at = (row, column + wide)

    @property
    def text(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self.lines)


@dataclass(slots=True)
class Seat:
    """Someone at a terminal in which a command runs."""

    child: int
    terminal: int
    glass: Glass
    raw: bytes = b""
    code: int | None = None

    def sees(self, *words: str) -> str:
        """Waits until all of it stands on the screen; the screen."""
        return self._until(lambda: all(word in self.glass.text for word in words), f"{words}")

    def sees_no(self, word: str) -> str:
        return self._until(lambda: word not in self.glass.text, f"no {word}")

    def press(self, keys: str) -> None:
        os.write(self.terminal, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self.glass = Glass(rows, columns)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.child, signal.SIGWINCH)

    def ends(self) -> int:
        """Waits until the command is over; its exit code."""
        self._until(lambda: self.code is not None, "the end")
        assert self.code is not None
        return self.code

    @property
    def cooked(self) -> bool:
        """The terminal takes lines and shows what is typed, as a shell needs it."""
        flags = termios.tcgetattr(self.terminal)[3]
        return bool(flags & termios.ICANON and flags & termios.ECHO)

    def _until(self, holds: object, what: str) -> str:
        assert callable(holds)
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"{what}\n{self.glass.text}"
            assert self.code is None, f"it ended before {what}\n{self.glass.text}"
            self._look()
        return self.glass.text

    def _look(self) -> None:
        ready, _, _ = select.select([self.terminal], [], [], 0.05)
        if ready:
            with suppress(OSError):
                piece = os.read(self.terminal, 65536)
                self.raw += piece
                self.glass.write(piece.decode("utf-8", "ignore"))
        elif self.code is None:
            pid, status = os.waitpid(self.child, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None


@contextmanager
def seated(person: Person, *words: str, columns: int = 100, rows: int = 30, **more: str) -> Generator[Seat, None, None]:
    """The command in a terminal of this size. The terminal outlives it, so that its state can be looked at."""
    terminal, theirs = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    child = os.fork()
    if child == 0:
        os.login_tty(theirs)
        os.chdir(person.home)
        os.execvpe(COMMAND[0], [*COMMAND, *words], person.surroundings(more))
    seat = Seat(child, terminal, Glass(rows, columns))
    try:
        yield seat
    finally:
        if seat.code is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(terminal)
        os.close(theirs)
