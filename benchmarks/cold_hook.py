"""A prompt in a home whose daemon has left: the hook as an agent runs it, and what was written down of it."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.hook_driver import SCRIPT, spread, timed
from memlane.app import Lane
from memlane.config import load
from memlane.domain import NO_PROJECT, Outcome, Query, Recall

HOOK = f"{shlex.quote(sys.executable)} -I -S {shlex.quote(str(SCRIPT))} claude-code UserPromptSubmit"
AHEAD = "exec chrt --rr 1 "
WRITTEN_WITHIN = 5.0  # seconds: it is written down after the answer; a daemon that came too late heard nothing
A_LOOK = 0.05
BY_MODEL, BY_WORDS, TOO_SLOW, NO_NEED = "by the model", "by words alone", "too slow", "needed no look"


@dataclass(slots=True)
class ColdHook:
    """A person's home. Every prompt finds no daemon, starts one, and is the first that it answers."""

    folder: Path
    ahead: bool = False  # of all else that runs on this machine, as if it were idle
    took: list[float] = field(default_factory=list[float])  # milliseconds, as the agent sees it
    answered: Counter[str] = field(default_factory=Counter[str])

    @property
    def variables(self) -> dict[str, str]:
        known = {name: value for name, value in os.environ.items() if not name.startswith("LANE_")}
        return {**known, "HOME": str(self.folder), "LANE_HOME": str(self.folder / "lane"), "LANE_USER": "ann"}

    def ask(self, prompt: str) -> Recall:
        self.close()
        given: dict[str, Any] = {"session_id": f"cold-{time.monotonic_ns()}", "cwd": str(self.folder), "prompt": prompt}
        given["hook_event_name"] = "UserPromptSubmit"
        took, _said = timed(AHEAD + HOOK if self.ahead else HOOK, json.dumps(given).encode(), self.variables)
        self.took.append(took)
        found = self._written(given["session_id"])
        self.answered[_answered(found)] += 1
        return found

    def close(self) -> None:
        command = [sys.executable, "-m", "memlane", "daemon", "stop"]
        subprocess.run(command, env=self.variables, capture_output=True, check=False)

    def figures(self) -> dict[str, object]:
        return {"whole_ms": spread(self.took), **self.answered}

    def _written(self, session: str) -> Recall:
        until = time.monotonic() + WRITTEN_WITHIN
        while time.monotonic() < until:
            with Lane(load(self.variables)) as lane:
                newest = next((one for one in lane.recall.newest(5) if one.query.native_id == session), None)
            if newest is not None:
                return newest
            time.sleep(A_LOOK)
        unheard = Query("", NO_PROJECT, str(self.folder), "claude-code", session, "")
        return Recall("", "", datetime.now(UTC), unheard, Outcome.TOO_SLOW, "the hook had ended")


def _answered(found: Recall) -> str:
    if found.outcome is Outcome.TOO_SLOW:
        return TOO_SLOW
    if "fallback" in found.extra:
        return BY_WORDS
    return BY_MODEL if found.shown or found.asks or found.near else NO_NEED
