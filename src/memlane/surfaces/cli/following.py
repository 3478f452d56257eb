"""`--follow`: goes on until Ctrl+C, which is how it is meant to end: nothing was cut off, so nothing is said."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from memlane.surfaces.cli.frame import Screen

INTERRUPTED = 130


@contextmanager
def until_interrupted(screen: Screen) -> Generator[None, None, None]:
    try:
        yield
    except KeyboardInterrupt:
        screen.leave(INTERRUPTED)
