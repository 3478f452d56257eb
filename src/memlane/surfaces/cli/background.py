"""What goes on after a command has ended, by a process of its own: meaning search, and reading for memories.

It is niced, yields to every question, and ends when nothing is left; `lane tick` would do the same, later.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.surfaces.cli.frame import Screen

WORTH_A_PROCESS = 2_000  # pieces; fewer wait for the next tick or capture


def go_on(screen: Screen, lane: Lane) -> None:
    stand = lane.vectors.standing()
    left = stand.all - stand.done
    if stand.why or left < WORTH_A_PROCESS:
        return
    _alone(screen, "tick", "--meaning")
    screen.note(
        f"meaning search: {int(stand.share * 100)} % built, the rest in the background (words are all found already)"
    )


def read_on(screen: Screen) -> None:
    """The older runs, for memories: nobody waits for them. Where a tick is at it already, this ends at once."""
    _alone(screen, "tick", "--catching")


def _alone(screen: Screen, *words: str) -> None:
    subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane", *words, "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=dict(screen.config.variables),
    )
