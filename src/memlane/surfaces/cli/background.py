"""What goes on after a command has ended: meaning search for all that was taken in, by a process of its own.

It is niced, yields to every question, and ends when nothing is left; `lane tick` would do the same, later.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.lane import Lane
    from memlane.surfaces.cli.frame import Screen

WORTH_A_PROCESS = 2_000  # pieces; fewer wait for the next tick or capture


def go_on(screen: Screen, lane: Lane) -> None:
    stand = lane.meaning.standing()
    left = stand.all - stand.done
    if stand.why or left < WORTH_A_PROCESS:
        return
    subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane", "tick", "--meaning", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=dict(lane.config.variables),
    )
    screen.note(f"meaning search: {stand.share:.0%} built, the rest in the background (words are all found already)")
