"""Where something failed and was reached in the end: failed, failed, then worked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.phrases import drops_it
from memlane.catch.windows.goals import Goal, goal_of
from memlane.domain import Author, Kind, Signal, Spot, Step, ToolCall, Trigger

REACH = 12  # Steps from the first failure to what worked: farther back, a failure is another story
_FAILED_ANYWAY = re.compile(r"^\s*(?:Exit code|exit status|Command failed with exit code):? [1-9]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Try:
    at: int
    spot: Spot
    goal: Goal
    said: str  # the command, else the tool's name
    failed: bool


def recoveries(steps: Sequence[tuple[Spot, Step]]) -> Iterator[Trigger]:
    """Failed, failed, then worked; or failed once, and another way worked. They never overlap."""
    failures: list[_Try] = []
    changed = 0  # where a file was last changed
    for at, (spot, step) in enumerate(steps):
        if step.kind is Kind.PROMPT and step.author is Author.PERSON and drops_it(step.text):
            failures = []
        if step.call is not None and step.call.changes:
            changed = at
        each = _try(at, spot, step)
        if each is None:
            continue
        if each.failed:
            failures.append(each)
            continue
        before = [other for other in failures if _belongs(other, each)]
        if _is_recovery(before, each, changed):
            yield Trigger(Signal.RECOVERY, before[0].spot, each.spot)
            failures = []
        else:
            failures = [other for other in failures if not other.goal.same(each.goal)]


def _belongs(failure: _Try, worked: _Try) -> bool:
    near = worked.at - failure.at < REACH and worked.spot.turn - failure.spot.turn <= 1
    return near and failure.goal.same(worked.goal)


def _is_recovery(failures: Sequence[_Try], worked: _Try, changed: int) -> bool:
    """Once red, then mended, then green is work as usual; once red, then green in another way is not."""
    if len(failures) != 1:
        return len(failures) > 1
    (failure,) = failures
    return failure.said != worked.said and worked.goal.verb != "" and not failure.at < changed < worked.at


def _try(at: int, spot: Spot, step: Step) -> _Try | None:
    """A chain of commands is one try, at what it ends with."""
    if step.call is None:
        return None
    goal, said = goal_of(step.call)
    return None if goal is None else _Try(at, spot, goal, said, has_failed(step.call))


def has_failed(call: ToolCall) -> bool:
    return call.error or _FAILED_ANYWAY.match(call.result[:80]) is not None
