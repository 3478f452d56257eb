"""What Runs did, counted: which tools how often, what failed and what worked in the end. A Run is read once while it
stays as it is; nothing is written down. Reading takes time, so it goes on from look to look, the newest Runs first.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from memlane.app.home import Home
from memlane.app.runs.library import RunLibrary
from memlane.catch.windows.recovery import has_failed, recoveries
from memlane.domain import Repair, RunSummary, Spot, Step, Tally, ToolCall, Turn
from memlane.errors import LaneError

SAID = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url")
EXCERPT = 160  # characters of what failed and of what worked
LOOKED_AT = 400  # characters of a result: where a failure says so


class RunTallies:
    def __init__(self, home: Home, runs: RunLibrary) -> None:
        self._home, self._runs = home, runs
        self._kept: dict[tuple[str, int, int], Tally] = {}

    def of(self, runs: Sequence[RunSummary], seconds: float) -> Mapping[str, Tally]:
        """As many of these, in their order, as that time allows; those that were read before come at once."""
        until, found = time.monotonic() + seconds, dict[str, Tally]()
        for run in runs:
            key = (run.id, run.generation, run.bytes)
            if key not in self._kept and time.monotonic() < until:
                self._kept[key] = self._read(run)
            if key in self._kept:
                found[run.id] = self._kept[key]
        return found

    def _read(self, run: RunSummary) -> Tally:
        steps = list[tuple[Spot, Step]]()

        def look(turn: Turn) -> Turn | None:
            steps.extend((Spot(turn.n, step.n), _short(step)) for step in turn.steps if not step.ours)

        try:
            for _none in self._runs.cut(run.id, look):
                pass
        except LaneError:  # it cannot be read: doctor says so
            return Tally({}, {}, ())
        called = [(spot, step.call) for spot, step in steps if step.call]
        failed = Counter(call.name for _spot, call in called if has_failed(call))
        by_spot = dict(called)
        mended = tuple(
            self._mended(trigger.first, trigger.last, by_spot[trigger.first], by_spot[trigger.last])
            for trigger in recoveries(steps)
            if trigger.first in by_spot and trigger.last in by_spot
        )
        return Tally(Counter(call.name for _spot, call in called), failed, mended)

    def _mended(self, failed: Spot, worked: Spot, tried: ToolCall, did: ToolCall) -> Repair:
        words = (self._home.gate.mask(text) for text in (said(tried), _error(tried.result), said(did)))
        return Repair(failed, worked, *words)


def _short(step: Step) -> Step:
    call = replace(step.call, result=step.call.result[:LOOKED_AT]) if step.call else None
    return replace(step, text=step.text[:LOOKED_AT], call=call)


def said(call: ToolCall) -> str:
    """What it was about, in a line."""
    found = next((value for name in SAID if isinstance(value := call.input.get(name), str) and value.strip()), "")
    return " ".join((found or call.name).split())[:EXCERPT]


def _error(result: str) -> str:
    """The line that says most: the first that names an error, else the first."""
    lines = [line.strip() for line in result.splitlines() if line.strip()]
    named = (
        line for line in lines if "error" in line.lower() or "failed" in line.lower() or "not found" in line.lower()
    )
    return next(named, lines[0] if lines else "")[:EXCERPT]
