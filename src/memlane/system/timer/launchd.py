"""A launch agent of macOS: one property list in the person's own Library."""

from __future__ import annotations

import plistlib
from pathlib import Path

from memlane.system import files
from memlane.system.computer import CommandLine, Computer
from memlane.system.plan import TIMER, Change, FileChange, ProgramCall
from memlane.system.timer.timer import MINUTES, WHAT, tick, variables

LABEL = "dev.memlane.tick"


class Launchd:
    """macOS. Untested on a real one: only its files and calls are."""

    name = "launchd"

    def works(self, computer: Computer) -> bool:
        return computer.platform == "darwin" and bool(computer.which("launchctl"))

    def put_in(self, computer: Computer) -> tuple[Change, ...]:
        path, wanted = _path(computer), _property_list(computer)
        before = files.read(path)
        running = computer.run(_command(computer, "print", f"{_domain(computer)}/{LABEL}")).well
        if before == wanted and running:
            return ()
        write = (FileChange(TIMER, path, before, wanted, WHAT),) if before != wanted else ()
        stop = (_stopping(computer),) if running else ()
        start = ProgramCall(TIMER, _command(computer, "bootstrap", _domain(computer), str(path)), "start it")
        return (*write, *stop, start)

    def take_out(self, computer: Computer) -> tuple[Change, ...]:
        path = _path(computer)
        before = files.read(path)
        if before is None:
            return ()
        stop = (_stopping(computer),) if computer.which("launchctl") else ()
        return (*stop, FileChange(TIMER, path, before, None, "- the timer"))

    def folders(self, computer: Computer) -> tuple[Path, ...]:
        return (_path(computer).parent, _path(computer).parent.parent)


def _stopping(computer: Computer) -> ProgramCall:
    return ProgramCall(TIMER, _command(computer, "bootout", f"{_domain(computer)}/{LABEL}"), "stop it")


def _command(computer: Computer, *words: str) -> CommandLine:
    return CommandLine((computer.which("launchctl"), *words))


def _domain(computer: Computer) -> str:
    return f"gui/{computer.account}"


def _path(computer: Computer) -> Path:
    return computer.home / "Library" / "LaunchAgents" / f"{LABEL}.plist"


def _property_list(computer: Computer) -> bytes:
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(tick(computer)),
            "StartInterval": MINUTES * 60,
            "RunAtLoad": True,
            "ProcessType": "Background",
            "LowPriorityIO": True,
            **({"EnvironmentVariables": set_} if (set_ := variables(computer)) else {}),
        }
    )
