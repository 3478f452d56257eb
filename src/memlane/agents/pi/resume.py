"""How Pi goes on with a Run: a file in the folder that it names after the checkout, given by its path."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.agents.agent import Surroundings
from memlane.agents.pi.origin import ENDING, folders, what_it_is
from memlane.agents.resume import FileCopy, Placement, RunCopy, behind, placed, spoken

_BETWEEN = re.compile(r"[/\\:]")


class PiResume:
    by_folder = True
    chain = ("id", "parentId")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        return ("pi", "--session", handle, *spoken(prompt))

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("pi", *spoken(prompt))

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        own = folders(around)[0] / f"--{_BETWEEN.sub('-', run.folder.lstrip('/'))}--"

        def where(file: FileCopy) -> Path | None:
            inside = behind(file.path, ("sessions",), what_it_is)
            if file is run.transcript:
                stamp = f"{run.started:%Y-%m-%dT%H-%M-%S}-{run.started.microsecond // 1000:03}Z"
                return own / (inside[-1] if inside else f"{stamp}_{run.native_id}{ENDING}")
            return own.joinpath(*inside[1:]) if len(inside) > 1 else None

        return placed(run, str(where(run.transcript)), where)
