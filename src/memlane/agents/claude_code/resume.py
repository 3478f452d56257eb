"""How Claude Code goes on with a Run: a file in the folder that it names after the checkout."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.agents.agent import Surroundings
from memlane.agents.claude_code.memory_folder import LONGEST_FOLDER
from memlane.agents.claude_code.source import TRANSCRIPT, folders, what_it_is
from memlane.agents.resume import FileCopy, Placement, RunCopy, behind, placed, spoken
from memlane.errors import UsageError

_UNSAFE = re.compile(r"[^A-Za-z0-9]")


class ClaudeResume:
    by_folder = True
    chain = ("uuid", "parentUuid")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        return ("claude", "--resume", handle, *spoken(prompt))

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("claude", *spoken(prompt))

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        own = folders(around)[0] / _name(run.folder)

        def where(file: FileCopy) -> Path | None:
            _slug, *inside = behind(file.path, ("projects",), what_it_is) or ("",)
            if not inside:
                return own / f"{run.native_id}{TRANSCRIPT}" if file is run.transcript else None
            return own.joinpath(*inside)

        return placed(run, run.native_id, where)


def _name(folder: str) -> str:
    name = _UNSAFE.sub("-", folder)
    if len(name) > LONGEST_FOLDER:  # it adds a digest of its own to a longer one
        raise UsageError(
            f"the path is too long to find Claude Code's folder for it: {folder}", hint="use a shorter one"
        )
    return name
