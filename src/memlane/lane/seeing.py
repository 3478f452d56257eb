"""What only pictures need: counts from transcripts, and places on a map. Each is loaded when it is looked at."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memlane.lane.home import Home
from memlane.lane.reading import Reading

if TYPE_CHECKING:
    from memlane.lane.placing import Placing
    from memlane.lane.tallying import Tallying


class Seeing:
    def __init__(self, home: Home, reading: Reading) -> None:
        self._home, self._reading = home, reading

    @cached_property
    def tallies(self) -> Tallying:
        from memlane.lane.tallying import Tallying

        return Tallying(self._home, self._reading)

    @cached_property
    def places(self) -> Placing:
        from memlane.lane.placing import Placing

        return Placing(self._home)
