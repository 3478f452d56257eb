"""Three marked lines in the person's crontab; all others stay as they are."""

from __future__ import annotations

import shlex
from pathlib import Path

from memlane.system.computer import CommandLine, CommandOutcome, Computer
from memlane.system.plan import TIMER, Change, ProgramCall
from memlane.system.timer.timer import MINUTES, WHAT, tick, variables

BEGIN = "# lane tick: written by `lane init`, removed by `lane uninstall`"
END = "# lane tick: end"
NONE_YET = ("no crontab", "no such file")  # as cronie, Debian's cron and busybox say it


class Crontab:
    """Wherever there is a cron and nothing better. Whether its daemon runs, only the ticks will tell."""

    name = "crontab"

    def works(self, computer: Computer) -> bool:
        return computer.platform != "win32" and _current(computer) is not None

    def put_in(self, computer: Computer) -> tuple[Change, ...]:
        current = _current(computer) or ""
        block = f"{BEGIN}\n{_line(computer)}\n{END}\n"
        if block in current:
            return ()
        rest = _without_ours(current)
        apart = "" if not rest or rest.endswith("\n") else "\n"
        return (_writing(computer, f"{rest}{apart}{block}", WHAT),)

    def take_out(self, computer: Computer) -> tuple[Change, ...]:
        current = _current(computer) or ""
        rest = _without_ours(current)
        if rest == current:
            return ()
        if not rest.strip():
            return (
                ProgramCall(
                    TIMER, CommandLine((computer.which("crontab"), "-r")), "- the timer (nothing else was in it)"
                ),
            )
        return (_writing(computer, rest, "- the timer"),)

    def folders(self, computer: Computer) -> tuple[Path, ...]:  # noqa: ARG002 - it makes none
        return ()


def _writing(computer: Computer, wanted: str, what: str) -> ProgramCall:
    return ProgramCall(
        TIMER, CommandLine((computer.which("crontab"), "-"), wanted.encode("utf-8", "surrogateescape")), what
    )


def _current(computer: Computer) -> str | None:
    """The whole table; "" where the person has none; None where crontab does not work."""
    program = computer.which("crontab")
    ran = computer.run(CommandLine((program, "-l"))) if program else CommandOutcome(127, "")
    if ran.well:
        return ran.output.decode("utf-8", "surrogateescape")
    return "" if any(words in ran.said.lower() for words in NONE_YET) else None


def _without_ours(table: str) -> str:
    lines, kept, ours = table.splitlines(keepends=True), list[str](), False
    for line in lines:
        ours = ours or line.rstrip() == BEGIN
        if not ours:
            kept.append(line)
        ours = ours and line.rstrip() != END
    return "".join(kept)


def _line(computer: Computer) -> str:
    """`%` is a line break for cron unless it is escaped."""
    set_variables = [f"{name}={shlex.quote(value)}" for name, value in variables(computer).items()]
    command = " ".join([*set_variables, *map(shlex.quote, tick(computer))]).replace("%", r"\%")
    return f"*/{MINUTES} * * * * {command} >/dev/null 2>&1"
