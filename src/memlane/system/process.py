"""How a process of ours behaves towards others, and towards its own memory. Knows no room."""

from __future__ import annotations

import gc
import os

BEHIND = 10  # nobody waits for it: a tenth of what whoever waits for an answer gets
WAITED_FOR = 5  # somebody does, but not for an answer: a third
MANY = 50_000  # objects between two looks


def give_way(niceness: int = WAITED_FOR) -> None:
    """What takes in much lets whoever waits for an answer go first. Said twice, it is as if said once."""
    if os.getpriority(os.PRIO_PROCESS, 0) < niceness:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)


def seldom_collect() -> None:
    """Python looks for rings of dead objects after every 700 new ones, which is a sixth of a first capture's time.
    What we make has next to no rings: it is gone when nobody holds it."""
    gc.set_threshold(MANY, 20, 20)


def is_running(pid: int) -> bool:
    """Also where it is somebody else's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
