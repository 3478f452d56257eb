"""What a page hands over: a template, its values, filters beside a list; and what an act says. Knows no HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.surfaces.api import RouteRequest

if TYPE_CHECKING:
    from memlane.app import Lane


@dataclass(frozen=True, slots=True)
class PageView:
    """A template that extends `layout.html` is a page; one that does not is a part of one."""

    template: str
    title: str
    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ActReport:
    """What an act did, in a sentence; the id of what `undo` takes back; where to go now, if not back to the page."""

    says: str
    undo: str = ""
    go: str = ""


Shows = Callable[["Lane", RouteRequest], PageView]
Does = Callable[["Lane", RouteRequest], ActReport]


def view(template: str, title: str, **values: object) -> PageView:
    return PageView(template, title, values)


def field(want: RouteRequest, name: str, otherwise: str = "") -> str:
    """A field of the query or the body, as text."""
    return str(want.fields.get(name, otherwise)).strip()


def number(want: RouteRequest, name: str, otherwise: int) -> int:
    found = want.fields.get(name)
    return found if isinstance(found, int) else otherwise


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
