"""`lane tree --follow`: the tree of all machines on a screen of its own, drawn again when something has changed.

This machine is looked at every second, Central every few seconds in a thread, so that a slow one delays nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memlane.surfaces.cli.picker import INTERRUPTED, needs_a_terminal
from memlane.surfaces.cli.runs import merged

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.domain import RunFilter, RunSummary
    from memlane.surfaces.cli.frame import Screen
    from memlane.surfaces.cli.picker.paint import Picture

LOOK = 1.0  # seconds between two looks at this machine
ASK = 3.0  # seconds between two questions to Central
LEAVES = ("q", "<ctrl-c>", "<ctrl-d>", "<gone>")
Draw = Callable[["Screen", Sequence["RunSummary"]], Iterable[str]]


class OtherMachines(threading.Thread):
    """What Central last said about the runs of the others; `changed` is called when it says something else."""

    def __init__(self, lane: Lane, which: RunFilter, changed: Callable[[], None]) -> None:
        super().__init__(name="central", daemon=True)  # a question on its way keeps nobody from leaving
        self._lane, self._which, self._changed = lane, which, changed
        self._over = threading.Event()
        self.answer: tuple[Sequence[RunSummary], str] = ((), "")

    def run(self) -> None:
        while not self._over.wait(ASK):
            before = self.answer
            self.ask()
            if self.answer != before and not self._over.is_set():
                self._changed()

    def ask(self) -> None:
        found, why = self._lane.everywhere.runs(self._which)
        self.answer = (self.answer[0] if why else found, why)  # what was known is shown while Central is away

    def stop(self) -> None:
        self._over.set()


def follow(screen: Screen, lane: Lane, which: RunFilter, draw: Draw, *, here: bool) -> None:
    """Until they leave."""
    needs_a_terminal(screen, "--follow")
    from memlane.surfaces.cli.picker.terminal import Terminal

    lane.runs.select(which)  # where nothing is set up it is said before anything is drawn
    terminal = Terminal()
    others = OtherMachines(lane, which, terminal.wake)
    if not here:
        others.ask()
        others.start()
    with terminal.taken():
        try:
            while True:
                columns, height = terminal.size
                found, why = others.answer
                lines = draw(replace(screen, columns=columns), merged(list(lane.runs.select(which)), found))
                terminal.show(_picture(screen, list(lines), why, (columns, height)))
                keys = terminal.pressed(LOOK)
                if "<ctrl-z>" in keys:
                    terminal.suspend()
                if any(key in LEAVES for key in keys):
                    break
        finally:
            others.stop()
    screen.leave(INTERRUPTED)


def _picture(screen: Screen, lines: list[str], why: str, size: tuple[int, int]) -> Picture:
    """The top of it; the last row says what is left out, and how to leave."""
    from memlane.surfaces.cli.picker.paint import Picture, fitted

    columns, height = size
    room = max(1, height - 1)
    more = [f"{len(lines) - room} more lines"] if len(lines) > room else []
    below = "   ".join([*more, *([why] if why else []), "Ctrl+C: stop"])
    rows = [*lines[:room], *[""] * (room - len(lines)), below]
    return Picture([[(0, fitted(row, columns, screen.ellipsis))] for row in rows], (len(rows) - 1, 0))
