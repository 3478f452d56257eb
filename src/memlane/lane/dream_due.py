"""When is the next Dream, and what does it wait for? Answered from storage alone: it is asked every five minutes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memlane.lane.home import Home
from memlane.storage import RunFilter

QUIET = timedelta(minutes=5)  # since a prompt: whoever types may need the machine in a moment
AGAIN = timedelta(hours=1)  # after one that was begun and came to no end
OVERDUE = 3  # times as late as it should be: then it waits for no quiet moment
BEGUN, DREAMED = "dream-begun", "dreamed"  # notes


@dataclass(frozen=True, slots=True)
class Due:
    """When the next Dream is, and what it waits for."""

    enabled: bool
    last: datetime | None
    at: datetime | None  # not before; None: as soon as there are enough Runs
    runs: int  # new ones that are still missing
    now: bool


def due(home: Home) -> Due:
    storage, config, now = home.storage(), home.config, home.clock()
    last, begun = (_moment(storage.notes.get(name)) for name in (DREAMED, BEGUN))
    every, wanted = timedelta(hours=config.number("dream.every")), config.count("dream.after_runs")
    missing = wanted - len(storage.runs.listed(RunFilter(since=last, limit=wanted), home.reader)) if wanted > 0 else 0
    times = [last + every] if last else []
    times += [begun + AGAIN] if begun and (last is None or begun > last) else []
    enabled, at = config.switch("dream.enabled"), max(times, default=None)
    ripe = enabled and not missing and (at is None or now >= at)
    late = last is not None and now - last > OVERDUE * every
    return Due(enabled, last, at, missing, ripe and (late or not somebody_since(now - QUIET, home)))


def somebody_since(moment: datetime, home: Home) -> bool:
    """A prompt was answered: somebody is at work."""
    newest = home.storage().recalls.newest(1, home.reader)
    return bool(newest) and newest[0].at > moment


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
