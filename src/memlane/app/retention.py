"""On Central: runs whose time is over by a rule are deleted like a person would, except what is under a hold.

What a rule would delete is counted before it is set; `lane work` asks `due` and deletes, one run after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane.app.acts.forget import forget_for_good
from memlane.app.control import ControlBook, RetentionRule, holds, of_owner
from memlane.app.home import Home
from memlane.domain import RunFilter, RunSummary
from memlane.domain.journal import TOMBSTONE

AT_ONCE = 50  # runs of one person, before the next gets a turn


@dataclass(frozen=True, slots=True)
class RetentionPlan:
    """What one rule would delete of one person, and what a hold keeps of it."""

    owner: str
    runs: int
    bytes: int
    held: int
    oldest: datetime | None


class Retention:
    """Of one person: their home on Central."""

    def __init__(self, home: Home) -> None:
        self._home = home

    def plans(self, control: ControlBook, rule: RetentionRule) -> Sequence[RetentionPlan]:
        """Of everybody whom the rule concerns; `self` is Central's own home."""
        found = list[RetentionPlan]()
        for owner in control.people.names():
            config = of_owner(self._home.config, owner)
            if rule.person in ("", owner) and (config.home / "index").is_dir():
                theirs = Home(config, self._home.clock)
                try:
                    found.append(Retention(theirs).plan(rule, control.retention.concerning(owner)))
                finally:
                    theirs.close()
        return [one for one in found if one.runs or one.held]

    def plan(self, rule: RetentionRule, others: Sequence[RetentionRule]) -> RetentionPlan:
        """`others`: the rules there are; a narrower one counts more."""
        now = self._home.clock()
        over = [
            (run, ended) for run, ended, known in self._runs([*_without(others, rule), rule]) if known.over(ended, now)
        ]
        mine = [(run, ended) for run, ended in over if _narrowest([*_without(others, rule), rule], run) == rule]
        held = [run for run, _ended in mine if holds.kept_by(self._home, run.id) is not None]
        size, oldest = sum(run.bytes for run, _ended in mine), min((ended for _run, ended in mine), default=None)
        return RetentionPlan(self._home.config.user, len(mine) - len(held), size, len(held), oldest)

    def carry_out(self, rules: Sequence[RetentionRule]) -> int:
        """How many were deleted."""
        now, done = self._home.clock(), 0
        for run, ended, rule in self._runs(rules):
            if rule.due(ended, now) and holds.kept_by(self._home, run.id) is None:
                forget_for_good(self._home, run.id, f"retention {rule.id}: {rule.words}")
                done += 1
            if done >= AT_ONCE:
                break
        return done

    def _runs(self, rules: Sequence[RetentionRule]) -> Iterator[tuple[RunSummary, datetime, RetentionRule]]:
        """Those that a rule concerns, with their last word."""
        home = self._home
        gone = home.storage().bars.barred(home.reader)
        for run in home.storage().runs.listed(RunFilter(), home.reader) if rules else ():
            rule, ended = _narrowest(rules, run), run.last.at or run.ended or run.started
            if rule is not None and ended is not None and gone.get(run.id) != TOMBSTONE:
                yield run, ended, rule


def _without(rules: Sequence[RetentionRule], one: RetentionRule) -> Sequence[RetentionRule]:
    return [rule for rule in rules if rule.id != one.id]


def _narrowest(rules: Sequence[RetentionRule], run: RunSummary) -> RetentionRule | None:
    fitting = [one for one in rules if one.fits(run.owner, run.project)]
    return max(fitting, key=lambda one: one.narrowness, default=None)
