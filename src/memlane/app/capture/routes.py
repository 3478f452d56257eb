"""What makes us capture an agent's new work: its hooks, a watch, the timer, or a person's next command.

A watch is known by a lock that it holds and the kernel lets go of, so a killed one is never taken for a living one.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from enum import StrEnum

from memlane.app.home import Home
from memlane.system.disk import private_folder

LOCK = "watch.lock"


class CaptureRoute(StrEnum):
    """The soonest first."""

    HOOK = "hook"
    WATCHED = "watched"
    TIMER = "timer"
    COMMAND = "your next `lane capture`"


def routes(*, hooked: bool, watched: bool, timer: bool) -> tuple[CaptureRoute, ...]:
    """All that apply. A person's next command captures too, and is named where nothing else does."""
    named = {CaptureRoute.HOOK: hooked, CaptureRoute.WATCHED: watched, CaptureRoute.TIMER: timer}
    return tuple(route for route, holds in named.items() if holds) or (CaptureRoute.COMMAND,)


@contextmanager
def watch_lock(home: Home, *, whole: bool) -> Generator[None, None, None]:
    """Held by every watch over all agents; a watch over some of them says nothing about the others."""
    if not whole:
        yield
        return
    private_folder(home.run_folder)
    descriptor = os.open(home.run_folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        with suppress(OSError):  # a mount without locks, or somebody looks at it just now
            fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def watched(home: Home) -> bool:
    """Whether a watch over all agents runs now."""
    try:
        descriptor = os.open(home.run_folder / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
