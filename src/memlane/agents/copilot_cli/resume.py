"""How Copilot CLI goes on with a Run: a folder with its id, and in it the events and where it was."""

from __future__ import annotations

from pathlib import Path

from memlane.agents.agent import Surroundings
from memlane.agents.copilot_cli.source import EVENTS, folders, what_it_is
from memlane.agents.resume import FileCopy, Placement, RunCopy, behind, placed


class CopilotResume:
    by_folder = False
    chain = ("id", "parentId")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:
        return ("copilot", f"--resume={handle}", *(("--interactive", prompt) if prompt else ()))

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("copilot", "--interactive", prompt)

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        (sessions,) = folders(around)

        def where(file: FileCopy) -> Path | None:
            inside = behind(file.path, ("session-state",), what_it_is)
            if len(inside) > 1:
                return sessions.joinpath(*inside)
            return sessions / run.native_id / EVENTS if file is run.transcript else None

        return placed(run, run.native_id, where)
