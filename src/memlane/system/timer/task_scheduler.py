"""A task of Windows' Task Scheduler."""

from __future__ import annotations

import subprocess
from pathlib import Path

from memlane.system.computer import CommandLine, Computer
from memlane.system.plan import TIMER, Change, ProgramCall
from memlane.system.timer.timer import MINUTES, WHAT, tick, variables

TASK = "Memory Lane tick"


class TaskScheduler:
    """Windows. Untested on a real one: only its calls are."""

    name = "tasks"

    def works(self, computer: Computer) -> bool:
        return computer.platform == "win32" and bool(computer.which("schtasks"))

    def put_in(self, computer: Computer) -> tuple[Change, ...]:
        if _line(computer) in computer.run(_command(computer, "/Query", "/V", "/FO", "LIST")).output.decode(
            "utf-8", "replace"
        ):
            return ()
        create = ("/Create", "/F", "/SC", "MINUTE", "/MO", str(MINUTES), "/TR", _line(computer))
        return (ProgramCall(TIMER, _command(computer, *create), WHAT),)

    def take_out(self, computer: Computer) -> tuple[Change, ...]:
        if not self.works(computer) or not computer.run(_command(computer, "/Query")).well:
            return ()
        return (ProgramCall(TIMER, _command(computer, "/Delete", "/F"), "- the timer"),)

    def folders(self, computer: Computer) -> tuple[Path, ...]:  # noqa: ARG002 - it makes none
        return ()


def _command(computer: Computer, verb: str, *words: str) -> CommandLine:
    return CommandLine((computer.which("schtasks"), verb, "/TN", TASK, *words))


def _line(computer: Computer) -> str:
    command = subprocess.list2cmdline(tick(computer))
    moved = "".join(f"set {name}={value}&& " for name, value in variables(computer).items())
    return f'cmd /c "{moved}{command}"' if moved else command
