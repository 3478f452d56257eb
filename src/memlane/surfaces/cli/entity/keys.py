"""One key at a time, also those pressed before they were asked for. The terminal is given back as it was."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Generator
from contextlib import contextmanager

ESCAPE = "\x1b"
ARROW = "<arrow>"  # or another key that sends more than itself
ESCAPE_WAIT = 0.05  # seconds after which an escape is a key of its own


@contextmanager
def pressed() -> Generator[Callable[[], str], None, None]:
    """Gives the next key; an escape when the terminal is gone."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _next(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _next(terminal: int) -> str:
    key = os.read(terminal, 1).decode("latin-1")
    if key == ESCAPE and select.select([terminal], [], [], ESCAPE_WAIT)[0]:
        while not (more := os.read(terminal, 1)).isalpha() and more not in (b"", b"~"):
            pass
        return ARROW
    return (key or ESCAPE).lower()
