"""One key at a time, without Enter: what was typed ahead is not lost, an arrow is one key, and Ctrl+C is a key too."""

from __future__ import annotations

import os
import sys
import termios
import tty
from collections.abc import Container

from memlane.surfaces.cli.picker.keys import Keys

GONE = "<gone>"  # nobody is at the terminal any more
ENOUGH = ("q", GONE, "<esc>", "<ctrl-c>", "<ctrl-d>")


class Pressing:
    """The person's keys, the terminal theirs again between two of them."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._waiting: list[str] = []

    def one_of(self, wanted: Container[str]) -> str:
        """The next key that means something here; "" when they have had enough."""
        while True:
            key = self._next().lower()
            if key in wanted:
                return key
            if key in ENOUGH:
                return ""

    def _next(self) -> str:
        while not self._waiting:
            data = _read()
            if not data:
                return GONE
            self._waiting += [*self._keys.came(data), *(self._keys.nothing_more() if self._keys.unfinished else ())]
        return self._waiting.pop(0)


def _read() -> bytes:
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setraw(number, termios.TCSADRAIN)
    try:
        return os.read(number, 256)
    except OSError:
        return b""
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
