"""Somebody leaves Central: their machines and grants end, and what they sent is kept, given to them, or deleted."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane.app.control import ControlBook, holds, of_owner
from memlane.app.home import Home
from memlane.errors import HeldError, UsageError

KEEP, EXPORT, FORGET = "keep", "export", "forget"


@dataclass(frozen=True, slots=True)
class DeparturePlan:
    """What would happen, counted before anything does."""

    name: str
    what: str
    runs: int
    bytes: int
    machines: Sequence[str]
    shares: int
    folder: Path | None = None

    def words(self, *, done: bool) -> str:
        if self.what == KEEP:
            return "kept here; nobody can read them until they are invited again"
        if self.what == EXPORT:
            return f"{'copied' if done else 'would be copied'} to {self.folder}, and kept here too"
        return "deleted" if done else "would be deleted for good"


class Departures:
    def __init__(self, home: Home, control: ControlBook) -> None:
        self._home, self._control = home, control

    def plan(self, name: str, what: str, folder: Path | None = None) -> DeparturePlan:
        """Nothing is changed. It fails where carrying it out would."""
        control = self._control
        control.people.left(name, "")
        if folder is not None and folder.exists():
            raise UsageError(f"{folder} is there already", hint="give a new folder: --to FOLDER")
        if what == FORGET:
            self._must_be_free(name)
        theirs = Home(of_owner(self._home.config, name)).layout
        machines = [one.title for one in control.machines.of(name) if not one.revoked]
        size = sum(path.stat().st_size for path in theirs.root.rglob("*") if path.is_file())
        shares = len(control.grants.without(name))
        return DeparturePlan(name, what, sum(1 for _run in theirs.run_folders()), size, machines, shares, folder)

    def carry_out(self, plan: DeparturePlan) -> None:
        """The records first: from then on nothing of theirs comes in, so a copy is whole."""
        if plan.what == FORGET:
            self._must_be_free(plan.name)
        self._control.leave(plan.name, self._home.config.user)
        theirs = Home(of_owner(self._home.config, plan.name))
        if plan.what == EXPORT and plan.folder is not None:
            shutil.copytree(theirs.layout.root, plan.folder)
        if plan.what == FORGET:
            with theirs.lock.held():
                if theirs.engine.serving() is not None:  # an empty index takes the place of theirs
                    theirs.engine.swap(theirs.engine.begin())
            shutil.rmtree(theirs.layout.root, ignore_errors=True)
            shutil.rmtree(theirs.config.home, ignore_errors=True)

    def _must_be_free(self, name: str) -> None:
        """All of it goes at once, so one hold on a part of it keeps all."""
        hold = holds.person_kept_by(Home(of_owner(self._home.config, name)))
        if hold is not None:
            raise HeldError(hold.words, hint=f"lane hold release {hold.id}; or let them go with their runs kept")
