"""Is this home healthy, and how can problems be fixed?"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.capture import Capture
from memlane.app.health.overview import AgentOverview, HomeOverview, Overviews
from memlane.app.home import Home
from memlane.app.vectors import VectorUpkeep

if TYPE_CHECKING:
    from memlane.app.health.doctor import Doctor

__all__ = ["AgentOverview", "Health", "HomeOverview"]


class Health(Overviews):
    """Counts that answer at once, and the checks that take a look at everything."""

    def __init__(self, home: Home, capture: Capture, vectors: VectorUpkeep) -> None:
        super().__init__(home, capture)
        self._vectors = vectors

    @cached_property
    def doctor(self) -> Doctor:
        from memlane.app.health.doctor import Doctor

        return Doctor(self._home, self._capture, self, self._vectors)
