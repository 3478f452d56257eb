"""A timer of `systemd --user`: two unit files, enabled."""

from __future__ import annotations

import re
from pathlib import Path

from memlane.system import files
from memlane.system.computer import CommandLine, Computer
from memlane.system.plan import TIMER, Change, FileChange, FolderRemoval, ProgramCall
from memlane.system.timer.timer import MINUTES, WHAT, tick, variables

UNIT = "lane-tick"


class Systemd:
    """Linux with a user manager. Without one (a container, a bare ssh login) `systemctl --user` fails and we know."""

    name = "systemd"

    def works(self, computer: Computer) -> bool:
        return bool(_systemctl(computer)) and computer.run(_command(computer, "show-environment")).well

    def put_in(self, computer: Computer) -> tuple[Change, ...]:
        wanted = _units(computer)
        changes: list[Change] = [
            FileChange(TIMER, path, before, after, WHAT if path.suffix == ".timer" else "what it runs")
            for path, after in wanted.items()
            if (before := files.read(path)) != after
        ]
        if changes:
            changes.append(ProgramCall(TIMER, _command(computer, "daemon-reload"), "tell systemd"))
        if changes or not computer.run(_command(computer, "is-enabled", "--quiet", f"{UNIT}.timer")).well:
            changes.append(ProgramCall(TIMER, _command(computer, "enable", "--now", f"{UNIT}.timer"), "start it"))
        return tuple(changes)

    def take_out(self, computer: Computer) -> tuple[Change, ...]:
        there = [path for path in _units(computer) if path.exists()]
        link = _folder(computer) / "timers.target.wants" / f"{UNIT}.timer"
        if not there and not link.is_symlink():
            return ()
        gone = [FileChange(TIMER, path, files.read(path), None, "- the timer") for path in there]
        if not _systemctl(computer):
            return (*gone, FolderRemoval(TIMER, link, "- what enabled it"))
        stop = ProgramCall(TIMER, _command(computer, "disable", "--now", f"{UNIT}.timer"), "stop it")
        reload = ProgramCall(TIMER, _command(computer, "daemon-reload"), "tell systemd")
        return (stop, *gone, FolderRemoval(TIMER, link, "- what enabled it"), reload)

    def folders(self, computer: Computer) -> tuple[Path, ...]:
        units = _folder(computer)
        return (units / "timers.target.wants", units, units.parent, units.parent.parent)


def _systemctl(computer: Computer) -> str:
    return computer.which("systemctl") if computer.platform == "linux" else ""


def _command(computer: Computer, *words: str) -> CommandLine:
    return CommandLine((_systemctl(computer), "--user", *words))


def _folder(computer: Computer) -> Path:
    base = computer.variables.get("XDG_CONFIG_HOME") or str(computer.home / ".config")
    return Path(base) / "systemd" / "user"


def _units(computer: Computer) -> dict[Path, bytes]:
    set_variables = "".join(
        f"Environment={_quoted(f'{name}={value}')}\n" for name, value in variables(computer).items()
    )
    service = (
        "# Written by `lane init`, removed by `lane uninstall`.\n"
        "[Unit]\nDescription=Memory Lane: capture what is new\n\n"
        f"[Service]\nType=oneshot\nExecStart={' '.join(map(_quoted, tick(computer)))}\n{set_variables}"
        "Nice=10\nIOSchedulingClass=idle\nTimeoutStartSec=30min\n"
    )
    timer = (
        "# Written by `lane init`, removed by `lane uninstall`.\n"
        f"[Unit]\nDescription=Memory Lane: every {MINUTES} minutes\n\n"
        f"[Timer]\nOnCalendar=*:0/{MINUTES}\nRandomizedDelaySec=20\nAccuracySec=10\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    folder = _folder(computer)
    return {folder / f"{UNIT}.service": service.encode(), folder / f"{UNIT}.timer": timer.encode()}


def _quoted(word: str) -> str:
    """As systemd reads it: its own escapes, `%` and `$` doubled."""
    escaped = re.sub(r'([\\"])', r"\\\1", word).replace("%", "%%").replace("$", "$$")
    return escaped if re.fullmatch(r"[\w./=+:@-]+", escaped) else f'"{escaped}"'
