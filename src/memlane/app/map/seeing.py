"""What only pictures need: counts from transcripts, and places on a map. Each is loaded when it is looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.home import Home
from memlane.app.runs.library import RunLibrary

if TYPE_CHECKING:
    from memlane.app.map import MemoryMap
    from memlane.app.runs.tallies import RunTallies


class Seeing:
    def __init__(self, home: Home, reading: RunLibrary) -> None:
        self._home, self._reading = home, reading

    @cached_property
    def tallies(self) -> RunTallies:
        from memlane.app.runs.tallies import RunTallies

        return RunTallies(self._home, self._reading)

    @cached_property
    def places(self) -> MemoryMap:
        from memlane.app.map import MemoryMap

        return MemoryMap(self._home)
