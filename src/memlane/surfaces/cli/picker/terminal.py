"""The person's terminal, taken over and given back exactly as it was, whatever happens in between.

It knows bytes, sizes and signals; nothing about what is drawn.
"""

from __future__ import annotations

import base64
import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from memlane.surfaces.cli.keyboard import Keys
from memlane.surfaces.cli.output import shown
from memlane.surfaces.cli.picker.paint import Picture

_ENTER = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[2J"  # another screen, no wrapping, pastes marked
_LEAVE = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
_LEND = "\x1b[0m\x1b[?2004l\x1b[?7h\x1b[2J\x1b[H"  # our screen stays: what a pager leaves on it is not theirs
_BEGIN, _END = "\x1b[?2026h\x1b[?25l", "\x1b[?25h\x1b[?2026l"  # shown at once, where the terminal can
ESCAPE_WAIT = 0.05  # seconds after which an escape is a key of its own
GONE = "<gone>"
ENDING = (signal.SIGTERM, signal.SIGHUP)


class Terminal:
    def __init__(self) -> None:
        self._in, self._out = sys.stdin.fileno(), sys.stdout.fileno()
        self._keys = Keys()
        self._wake_read, self._wake_write = os.pipe()
        self._shown: Sequence[str] = ()
        self._cursor = ""
        self._before = termios.tcgetattr(self._in)

    @property
    def size(self) -> tuple[int, int]:
        found = os.get_terminal_size(self._out)
        return max(1, found.columns), max(1, found.lines)

    def wake(self) -> None:
        """From another thread: there is something new to draw."""
        with suppress(OSError):
            os.write(self._wake_write, b"!")

    # -- taking and giving back --------------------------------------------------------------------------------------

    @contextmanager
    def taken(self) -> Generator[None, None, None]:
        """Raw keys and a screen of our own; both are given back on any way out."""
        os.set_blocking(self._wake_write, False)
        old_wake = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        handlers = {number: signal.signal(number, _ends) for number in ENDING}
        handlers[signal.SIGWINCH] = signal.signal(signal.SIGWINCH, self._resized)
        try:
            with self._ours():
                yield
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(old_wake)
            os.close(self._wake_read)
            os.close(self._wake_write)

    @contextmanager
    def _ours(self) -> Generator[None, None, None]:
        try:
            self._take()
            yield
        finally:
            self._give_back()

    def _take(self) -> None:
        tty.setraw(self._in, termios.TCSADRAIN)
        self._write(_ENTER)
        self.forget()

    def _give_back(self, saying: str = _LEAVE) -> None:
        with suppress(OSError):  # nobody is there any more
            self._write(saying)
        with suppress(termios.error):
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._before)

    @contextmanager
    def lent(self) -> Generator[None, None, None]:
        """To a pager: their keys as they are used to, on a screen that will be drawn over."""
        self._give_back(_LEND)
        try:
            yield
        finally:
            self._take()

    def suspend(self) -> None:
        self._give_back()
        try:
            os.kill(os.getpid(), signal.SIGTSTP)
        finally:
            self._take()

    def forget(self) -> None:
        """Whatever is on the screen: everything is drawn again."""
        self._shown = ()

    def _resized(self, _number: int, _frame: FrameType | None) -> None:
        self.forget()

    # -- reading and writing -----------------------------------------------------------------------------------------

    def pressed(self, wait: float | None) -> list[str]:
        """Keys, at most so long later; none when something else is to be looked after."""
        timeout = ESCAPE_WAIT if self._keys.unfinished else wait
        ready, _, _ = select.select([self._in, self._wake_read], [], [], timeout)
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
        if self._in not in ready:
            return list(self._keys.nothing_more()) if not ready else []
        try:
            data = os.read(self._in, 4096)
        except OSError:
            return [GONE]
        return list(self._keys.came(data)) if data else [GONE]

    def show(self, picture: Picture) -> None:
        """Only rows that changed are written."""
        rows = [_row(number, pieces) for number, pieces in enumerate(picture.rows)]
        before = self._shown if len(self._shown) == len(rows) else [""] * len(rows)
        changed = "".join(row for row, old in zip(rows, before, strict=True) if row != old)
        cursor = f"\x1b[{picture.cursor[0] + 1};{picture.cursor[1] + 1}H"
        if changed or cursor != self._cursor:
            self._write(f"{_BEGIN}{changed}{cursor}{_END}")
        self._shown, self._cursor = rows, cursor

    def copy(self, text: str) -> None:
        """Into the person's clipboard, if their terminal lets us."""
        self._write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07")

    def _write(self, text: str) -> None:
        data = text.encode("utf-8", "replace")
        while data:
            data = data[os.write(self._out, data) :]


def _row(number: int, pieces: Sequence[tuple[int, str]]) -> str:
    return f"\x1b[{number + 1};1H\x1b[2K" + "".join(f"\x1b[{number + 1};{at + 1}H{shown(text)}" for at, text in pieces)


def _ends(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
