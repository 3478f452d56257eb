"""Runs of all the owner's machines, and those that others share: asked of Central, put together with what is here.

Central answers for everything that reached it; this home for what it has, also when Central is away. A home that is a
Central itself has nobody to ask but its own records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import msgspec

from memlane.app.control import Grant
from memlane.app.home import Home
from memlane.app.home.link import understood
from memlane.app.loans import Loans, Shelves
from memlane.app.runs.transcript import TranscriptPart
from memlane.app.search import Mode, SearchAnswer
from memlane.app.shipment import Shipment
from memlane.app.shipment.courier import COPIES, words_of
from memlane.config import Config
from memlane.domain import RunFilter, RunSummary
from memlane.errors import LaneError, NotFoundError

T = TypeVar("T")
PATIENCE = 4.0  # seconds for a question; what is here is shown without it


@dataclass(frozen=True, slots=True)
class RunThere:
    """A part of a run, and the shares through which others than its owner read it."""

    part: TranscriptPart
    shares: Sequence[Grant]


class CentralViews:
    """What Central shows a person: what is theirs, with what others share with them for as long as they do."""

    def __init__(self, own: Shelves, loans: Loans) -> None:
        self._own, self._loans = own, loans

    @property
    def lends(self) -> bool:
        """Whether anybody shares anything with them here."""
        return bool(self._loans.grants())

    def search(self, words: str, which: RunFilter, limit: int, mode: Mode) -> SearchAnswer:
        return self._loans.search(self._own.search.find(words, which, limit, mode), words, which, limit, mode)

    def runs(self, which: RunFilter) -> Sequence[RunSummary]:
        return self._loans.runs(self._own.runs.select(which), which)

    def run(self, given: str, at: str, first: int, most: int) -> RunThere:
        """Steps around an address in it (`t41.7`), or from a place on."""
        runs = self._loans.holding_run(given, self._own).runs
        run = runs.get(given)
        pages = runs.transcript
        part = pages.around(runs.address(f"{run.id}#{at}"), most) if at else pages.part(run.id, first, most)
        return RunThere(part, self._loans.opening(run))


class Everywhere:
    def __init__(self, home: Home, shipment: Shipment, own: Callable[[], Shelves], loans: Callable[[], Loans]) -> None:
        self._home, self._shipment, self._own, self._loans = home, shipment, own, loans

    @cached_property
    def views(self) -> CentralViews:
        """Where this home is a Central, or somebody's part of one: what they see on any of their machines."""
        return CentralViews(self._own(), self._loans())

    def search(self, words: str, which: RunFilter, limit: int, mode: Mode) -> tuple[SearchAnswer | None, str]:
        """By Central. None: this machine has not joined one, or, in words, why it does not answer."""
        if (views := self._at_central()) is not None:
            return views.search(words, which, limit, mode), ""
        asked = {"query": words, "which": _plain(which), "limit": limit, "mode": mode.value}
        return self._ask("/api/views/search", asked, SearchAnswer)

    def runs(self, which: RunFilter) -> tuple[Sequence[RunSummary], str]:
        """All that Central has; none and why, where it does not answer."""
        if (views := self._at_central()) is not None:
            return views.runs(which), ""
        found, why = self._ask("/api/views/runs", {"which": _plain(which)}, list[RunSummary])
        return found or [], why

    def run(self, given: str, *, at: str = "", first: int = 0, most: int) -> RunThere:
        """A part of one that is not here. It is read on Central each time, and nothing of it is kept."""
        if (views := self._at_central()) is not None:
            return views.run(given, at, first, most)
        if self._shipment.member is None:
            raise NotFoundError(f"there is no run {given}", hint="lane runs")
        asked = {"run": given, "at": at, "first": first, "most": most}
        return understood(self._shipment.ask("/api/views/run", asked, PATIENCE), RunThere)

    def _at_central(self) -> CentralViews | None:
        """None: another computer is asked, or there is nothing but what is here."""
        if self._shipment.member is not None:
            return None
        return self.views if self.views.lends else None

    def _ask(self, path: str, fields: Mapping[str, object], kind: type[T]) -> tuple[T | None, str]:
        """What Central said, or why it said nothing. Neither: this machine has not joined one."""
        if self._shipment.member is None:
            return None, ""
        try:
            return understood(self._shipment.ask(path, fields, PATIENCE), kind), ""
        except LaneError as error:
            return None, f"this machine only: {words_of(error)}"

    # -- one run, kept -----------------------------------------------------------------------------------------------

    def copy_of(self, run: str, opened: Callable[[Config], object]) -> Config | None:
        """A home of copies, with this run of another machine in it. None: Central has no such run, or none is joined.

        `opened` reads what came into its index."""
        if self._shipment.member is None:
            return None
        config = copies(self._home.config)
        try:
            self._shipment.fetch(run, config)
        except NotFoundError:
            return None
        opened(config)
        return config


def copies(config: Config) -> Config:
    """Of runs of other machines that were read here. It can be deleted at any time."""
    folder = config.home / COPIES
    values = {**config.values, "archive.base": str(folder / "archive"), "storage.url": ""}
    values |= {"thin": False, "embed.model": "none"}  # they are read here, not searched
    return replace(config, home=folder, values={**values, "user": config.user, "machine": config.machine})


def _plain(value: object) -> object:
    return msgspec.to_builtins(value)
