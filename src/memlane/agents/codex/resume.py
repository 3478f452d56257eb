"""How Codex goes on with a Run: a rollout below the day in its name, found by its id."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from memlane.agents.agent import Surroundings
from memlane.agents.codex.source import Codex
from memlane.agents.resume import FileCopy, Placement, RunCopy, placed, spoken

_DAY = re.compile(r"rollout-(\d{4})-(\d\d)-(\d\d)")


class CodexResume:
    by_folder = False
    chain = ("", "")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        return ("codex", "resume", handle, *spoken(prompt))

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("codex", *spoken(prompt))

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        source = Codex()
        sessions, _archived = source.places(around)

        def where(file: FileCopy) -> Path | None:
            name = file.path.name.removesuffix(".zst")
            if source.recognise(file.path) is None:
                name = _name(run.native_id, run.started)
            day = _DAY.match(name)
            return sessions.joinpath(*day.groups(), name) if day else None

        return placed(run, run.native_id.partition("_")[0], where)


def _name(native_id: str, started: datetime) -> str:
    """For a copy that lost its name."""
    return f"rollout-{started:%Y-%m-%dT%H-%M-%S}-{native_id}.jsonl"
