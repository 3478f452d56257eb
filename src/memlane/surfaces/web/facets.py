"""Filters beside a list: each value with how many it would leave, the commonest first. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

AT_ONCE = 10  # values of a filter; the others are folded
FOLDED = 200

Counted = Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Facet:
    """`more` are those that are not among the first; `rest` as many of them as are shown at all."""

    name: str
    values: Counted
    more: int
    chosen: str
    rest: Counted = ()

    @property
    def tells(self) -> bool:
        """One value that all have is no filter."""
        return bool(self.chosen) or self.name == "has" or len(self.values) > 1


def facet(name: str, counted: Counter[str], chosen: str, total: int = 0) -> Facet:
    """The chosen one is always among the first. `total`: of all values, where not all were counted."""
    every = counted.most_common(AT_ONCE + FOLDED)
    values, rest = every[:AT_ONCE], every[AT_ONCE:]
    if chosen and chosen not in dict(values):
        values, rest = [*values, (chosen, counted[chosen])], [one for one in rest if one[0] != chosen]
    return Facet(name, values, max(total or len(counted), len(values)) - len(values), chosen, rest)
