"""What went wrong in a Run and is worth telling: what worked in the end, then what never did. Rules alone. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memlane.app.runs.tallies import said
from memlane.catch.windows.recovery import COMMANDS, Goal, goal_of, has_failed
from memlane.catch.windows.triggers import triggers
from memlane.domain import Kind, Signal, Spot, Step, ToolCall, Turn

LONGEST_COMMAND, LONGEST_REASON = 110, 160  # characters
_ERROR = re.compile(r"error|fail|not found|no such|denied|refused|exception|cannot|can't|unable|invalid", re.IGNORECASE)
_LABEL = re.compile(r"^(?:output|stderr|stdout|error):\s*", re.IGNORECASE)
_TAG = re.compile(r"</?\w+>")
# Lines around what a command printed, and a code alone.
_FRAME = re.compile(
    r"(?:(?:command failed with )?exit (?:code|status):?\s*-?\d+|(?:command|directory|signal|process group pgid"
    r"|background pids|wall time|chunk id|process exited with code \S+|original token count|output)\b.*"
    r"|\(?(?:none|empty|no output)\)?|\W*)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"doesn't want to (?:proceed|take)|rejected by (?:the )?user|\buser (?:rejected|denied|declined|cancel)"
    r"|aborted by user|operation was aborted|request interrupted",
    re.IGNORECASE,
)
# Tools that look and tell that something is not there.
_LOOKING = re.compile(r"read|grep|glob|list|^ls$|find|search|fetch|view|get|open|skill|ask|todo|plan", re.IGNORECASE)

Failure = tuple[Spot, Step, str]


def failures(turns: Sequence[Turn], steps: Sequence[tuple[Spot, Step]]) -> Iterator[Failure]:
    by_spot, solved = dict(steps), set[Spot]()
    for trigger in triggers(turns):
        tried, worked = by_spot.get(trigger.first), by_spot.get(trigger.last)
        if trigger.signal is not Signal.RECOVERY or not (tried and worked and tried.call and worked.call):
            continue
        solved |= {spot for spot, _step in steps if trigger.first <= spot <= trigger.last}
        if not _REFUSED.search(tried.call.result):
            yield trigger.first, tried, f"{_failed(tried.call)}. {_worked(tried.call, worked.call)}"
    yield from _unsolved(steps, solved)


def _unsolved(steps: Sequence[tuple[Spot, Step]], solved: set[Spot]) -> Iterator[Failure]:
    """The last try at each thing that was tried and not reached."""
    refused = {before for (before, _step), (_spot, after) in pairwise(steps) if after.kind is Kind.ANSWER}
    left = list[tuple[Goal, Failure]]()
    for spot, step in steps:
        goal = goal_of(step.call)[0] if step.call is not None else None
        if step.call is None or goal is None:
            continue
        left = [one for one in left if not one[0].same(goal)]
        if spot not in solved | refused and _is_worth_telling(step.call):
            left.append((goal, (spot, step, f"{_failed(step.call)}. Not solved in this run")))
    yield from (failure for _goal, failure in left)


def _is_worth_telling(call: ToolCall) -> bool:
    """It failed at something. Who looks for what is not there has learned that, and a filter that found nothing too."""
    if not has_failed(call) or _REFUSED.search(call.result):
        return False
    command = any(call.input.get(name) for name in COMMANDS)
    if not command:
        return call.changes or _LOOKING.search(call.name) is None
    return bool(_reason(call)) or "|" not in said(call)


def _worked(tried: ToolCall, worked: ToolCall) -> str:
    again, before = said(worked), said(tried)
    return "It worked later" if again == before else f"Then this worked: {_code(again)}"


def _failed(call: ToolCall) -> str:
    reason = _reason(call)
    return f"{_code(said(call))}: {reason}" if reason else _code(said(call))


def _reason(call: ToolCall) -> str:
    """The line that names an error, else the last that is more than a frame."""
    lines = (_LABEL.sub("", _TAG.sub("", line).strip()).strip() for line in call.result.splitlines())
    told = [line for line in lines if not _FRAME.fullmatch(line)]
    return _cut(next((line for line in told if _ERROR.search(line)), told[-1] if told else ""), LONGEST_REASON)


def _code(words: str) -> str:
    return f"`{_cut(words, LONGEST_COMMAND)}`".replace("``", "`")


def _cut(words: str, most: int) -> str:
    kept = words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
    return kept.replace("`", "'").rstrip(". ")
