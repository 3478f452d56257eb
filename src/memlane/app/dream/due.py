"""When is the next Dream, and what does it wait for? Answered from storage alone: it is asked every five minutes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memlane.app.home import Home
from memlane.domain import RunFilter

QUIET = timedelta(minutes=5)  # since a prompt: whoever types may need the machine in a moment
AGAIN = timedelta(hours=1)  # after one that was begun and came to no end; four times as long after each further one
LONGEST = timedelta(days=1)
OVERDUE = 3  # times as late as it should be: then it waits for no quiet moment
BEGUN, DREAMED = "dream-begun", "dreamed"  # notes


@dataclass(frozen=True, slots=True)
class DreamDue:
    """When the next Dream is, and what it waits for."""

    enabled: bool
    last: datetime | None
    at: datetime | None  # not before; None: as soon as there are enough Runs
    runs: int  # new ones that are still missing
    now: bool


def due(home: Home) -> DreamDue:
    storage, config, now = home.storage(), home.config, home.clock()
    last, (begun, tries) = _moment(storage.notes.get(DREAMED)), _begun(home)
    every, wanted = timedelta(hours=config.number("dream.every")), config.count("dream.after_runs")
    missing = wanted - len(storage.runs.listed(RunFilter(since=last, limit=wanted), home.reader)) if wanted > 0 else 0
    times = [last + every] if last else []
    times += [begun + min(LONGEST, AGAIN * 4 ** (tries - 1))] if begun and (last is None or begun > last) else []
    enabled, at = config.switch("dream.enabled"), max(times, default=None)
    ripe = enabled and not missing and (at is None or now >= at)
    late = last is not None and now - last > OVERDUE * every
    return DreamDue(enabled, last, at, missing, ripe and (late or not somebody_since(now - QUIET, home)))


def somebody_since(moment: datetime, home: Home) -> bool:
    """A prompt was answered: somebody is at work."""
    newest = home.storage().recalls.newest(1, home.reader)
    return bool(newest) and newest[0].at > moment


def note_begun(home: Home, began: datetime) -> None:
    """Before it begins: one that takes its process with it is not tried without end."""
    last, (begun, tries) = _moment(home.storage().notes.get(DREAMED)), _begun(home)
    goes_on = begun is not None and (last is None or begun > last)
    home.storage().notes.put(BEGUN, f"{began.isoformat()} {min(tries, 9) + 1 if goes_on else 1}")


def _begun(home: Home) -> tuple[datetime | None, int]:
    """The last one that was begun, and how many since one came to an end."""
    moment, _, tries = home.storage().notes.get(BEGUN).partition(" ")
    return _moment(moment), int(tries or 1)


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
