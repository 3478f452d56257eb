"""Is this home healthy, and how can problems be fixed?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from memlane.app.capture import Capture
from memlane.app.health.overview import AgentOverview, HomeOverview, Overviews
from memlane.app.home import Home
from memlane.app.vectors import VectorUpkeep

if TYPE_CHECKING:
    from memlane.app.health.doctor import Doctor
    from memlane.app.health.effects import SettingEffects
    from memlane.app.health.probes import Probes
    from memlane.app.search import RunSearch

__all__ = ["AgentOverview", "Health", "HomeOverview"]


class Health(Overviews):
    """Counts that answer at once, and the checks that take a look at everything."""

    def __init__(self, home: Home, capture: Capture, vectors: VectorUpkeep, search: Callable[[], RunSearch]) -> None:
        super().__init__(home, capture)
        self._vectors = vectors
        self._search = search

    @cached_property
    def probes(self) -> Probes:
        from memlane.app.health.probes import Probes

        return Probes(self._home, self._search, self.hooks)

    @cached_property
    def doctor(self) -> Doctor:
        from memlane.app.health.doctor import Doctor

        return Doctor(self._home, self._capture, self, self._vectors, self.probes)

    @cached_property
    def effects(self) -> SettingEffects:
        from memlane.app.health.effects import SettingEffects

        return SettingEffects(self._home, self._vectors)
