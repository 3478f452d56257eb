"""How a process of ours behaves towards others, and towards its own memory. Knows no room."""

from __future__ import annotations

import gc
import os

NICENESS = 10  # a tenth of what somebody gets who waits for an answer
MANY = 50_000  # objects between two looks


def give_way() -> None:
    """What takes in much goes on when nobody waits for an answer. Said twice, it is as if said once."""
    if os.getpriority(os.PRIO_PROCESS, 0) < NICENESS:
        os.setpriority(os.PRIO_PROCESS, 0, NICENESS)


def seldom_collect() -> None:
    """Python looks for rings of dead objects after every 700 new ones, which is a sixth of a first capture's time.
    What we make has next to no rings: it is gone when nobody holds it."""
    gc.set_threshold(MANY, 20, 20)
