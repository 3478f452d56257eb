"""Runs of all the owner's machines: asked of Central, put together with what is here, and read from a copy.

Central answers for everything that reached it; this home for what it has, also when Central is away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import msgspec

from memlane.app.home import Home
from memlane.app.home.link import understood
from memlane.app.search import Mode, RunSearch, Search, SearchAnswer
from memlane.app.shipment import Shipment
from memlane.app.shipment.courier import COPIES, words_of
from memlane.config import Config
from memlane.domain import RunFilter, RunSummary
from memlane.errors import LaneError, NotFoundError
from memlane.search import FoundTurn

T = TypeVar("T")
PATIENCE = 4.0  # seconds for a question; what is here is shown without it


class Everywhere:
    def __init__(self, home: Home, shipment: Shipment) -> None:
        self._home, self._shipment = home, shipment

    def search(self, words: str, which: RunFilter, limit: int, mode: Mode) -> tuple[SearchAnswer | None, str]:
        """By Central. None: this machine has not joined one, or, in words, why it does not answer."""
        asked = {"query": words, "which": _plain(which), "limit": limit, "mode": mode.value}
        return self._ask("/api/views/search", asked, SearchAnswer)

    def runs(self, which: RunFilter) -> tuple[Sequence[RunSummary], str]:
        """Those that are not here."""
        found, why = self._ask("/api/views/runs", {"which": _plain(which)}, list[RunSummary])
        return found or [], why

    def _ask(self, path: str, fields: Mapping[str, object], kind: type[T]) -> tuple[T | None, str]:
        """What Central said, or why it said nothing. Neither: this machine has not joined one."""
        if self._shipment.member is None:
            return None, ""
        try:
            return understood(self._shipment.ask(path, fields, PATIENCE), kind), ""
        except LaneError as error:
            return None, f"this machine only: {words_of(error)}"

    # -- one run ---------------------------------------------------------------------------------------------------

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


def together(here: SearchAnswer, there: SearchAnswer, limit: int) -> SearchAnswer:
    """Turns of both, best first. What is in both is shown once, as it is here."""
    mine = {(hit.chunk.run, hit.chunk.turn) for hit in here.search.best}
    other = [hit for hit in there.search.best if (hit.chunk.run, hit.chunk.turn) not in mine]
    best = sorted((*here.search.best, *other), key=_score, reverse=True)[:limit]
    turns = max(there.search.turns, here.search.turns, len(best))
    runs = max(there.search.runs, here.search.runs, len({hit.run.id for hit in best}))
    found = Search(best, turns, runs, {} if there.search.best else here.search.meant)
    return replace(here, search=found)


def _score(hit: FoundTurn) -> float:
    return hit.score


WithLoans = Callable[[SearchAnswer, str, RunFilter, int, Mode | None], SearchAnswer]


def found_for(search: RunSearch, fields: Mapping[str, object], with_loans: WithLoans) -> SearchAnswer:
    """On Central: what another machine's `lane search` asks, with what others share."""
    which, words = msgspec.convert(fields["which"], RunFilter), str(fields["query"])
    limit, mode = min(1000, int(str(fields.get("limit", 10)))), Mode(str(fields.get("mode", Mode.AUTO.value)))
    return with_loans(search.find(words, which, limit, mode), words, which, limit, mode)


def _plain(value: object) -> object:
    return msgspec.to_builtins(value)
