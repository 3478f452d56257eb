"""How reading in the background stands: who reads, what was read today and found, what it cost, and why it waits.

Also the pause a person asks for. It asks nobody anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from memlane.app.home import Home
from memlane.app.home.language_model import breaker_of, kept, llm_spec, mailbox, spend
from memlane.domain import RunFilter
from memlane.errors import LaneError
from memlane.flow.catch import SURER, CatchOutcome
from memlane.llm import Caps, DaySpend, SessionAnswer, SessionQuestion


class ReadingPause(msgspec.Struct):
    """`until` is None while nobody says otherwise."""

    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadingState:
    """`reader` is what the settings name: embedded, none, or the model."""

    reader: str
    today: DaySpend
    caps: Caps
    open: int  # Windows that are known and that no model and no agent has read
    paused: str  # why nothing is read in the background now
    until: datetime | None
    skipped: tuple[str, ...]  # projects


class BackgroundReading:
    def __init__(self, home: Home) -> None:
        self._home = home
        self._kept = kept(home, "pause", ReadingPause)

    def now(self) -> ReadingState:
        home, ledger = self._home, spend(self._home)
        pause = self.paused()
        skipped = home.config.names("catch.skip_projects")
        why = "you paused it" if pause else self._why_not()
        until = pause.until if pause else None
        return ReadingState(self._reader(), ledger.so_far(), ledger.caps, self._open(skipped), why, until, skipped)

    def paused(self) -> ReadingPause | None:
        """By a person."""
        pause = self._kept.read()
        over = pause.since is None or (pause.until is not None and pause.until <= self._home.clock())
        return None if over else pause

    def pause(self, time: timedelta | None) -> ReadingPause:
        now = self._home.clock()
        with self._kept.changed() as pause:
            pause.since, pause.until = now, now + time if time else None
        return self._kept.read()

    def resume(self) -> None:
        """Also a model that was left alone because of its limit is asked again."""
        with self._kept.changed() as pause:
            pause.since = pause.until = None
        if self._home.config.text("catch.with") == "model":
            breaker_of(self._home).begin_anew()

    # -- in an agent's open session ------------------------------------------------------------------------------------

    @property
    def in_sessions(self) -> bool:
        """Whether the person wants an open session to read for us, and has not paused it."""
        config = self._home.config
        chosen = (config.text("catch.with"), config.text("catch.model")) == ("model", "session")
        return chosen and self.paused() is None

    def for_session(self) -> SessionQuestion | None:
        """What a session is asked next; the question stands until it is answered or given up."""
        return mailbox(self._home).next() if self.in_sessions else None

    def by_session(self, id: str, answer: SessionAnswer) -> bool:
        """Whether somebody still waits for it."""
        return mailbox(self._home).give(id, answer)

    def _reader(self) -> str:
        name = self._home.config.text("catch.with")
        if name != "model":
            return name
        spec = llm_spec(self._home.config, self._home.config.text)
        return " ".join(word for word in (spec.command or spec.url or spec.model, spec.name) if word)

    def _why_not(self) -> str:
        if self._home.config.text("catch.with") != "model":
            return ""
        try:
            return breaker_of(self._home).why_not() or spend(self._home).why_not()
        except LaneError as error:
            return error.message

    def _open(self, skipped: tuple[str, ...]) -> int:
        if self._home.config.text("catch.with") != "model":
            return 0
        runs = self._home.storage().runs.listed(RunFilter(), self._home.reader)
        skips = self._home.called_any(skipped)
        wanted = (run.id for run in runs if not skips(run.project))
        return sum(unread_by_models(self._home, run) for run in wanted)


def unread_by_models(home: Home, run: str) -> int:
    """Its Windows that only the classifier has read."""
    read = home.storage().catches.read(run, home.reader)
    return sum(not readers & SURER for readers in read.values())


def count_read(home: Home, outcome: CatchOutcome) -> None:
    """What the model's questions of today came to."""
    if outcome.windows:
        spend(home).count(outcome.windows, len(outcome.made))
