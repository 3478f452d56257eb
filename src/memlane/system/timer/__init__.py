"""Runs `lane tick` every five minutes with this computer's scheduler: one user-level timer, never a system one."""

from __future__ import annotations

from pathlib import Path

from memlane.system.computer import Computer
from memlane.system.plan import TIMER, Plan, joined
from memlane.system.timer import crontab, launchd, systemd, task_scheduler
from memlane.system.timer.timer import MINUTES, Timer

TIMERS: tuple[Timer, ...] = (systemd.Systemd(), launchd.Launchd(), task_scheduler.TaskScheduler(), crontab.Crontab())
NONE_HERE = (
    "no timer here (neither systemd --user nor cron is available): hooks capture each turn and run "
    "`lane tick` when the last one is 15 minutes old"
)

__all__ = ["MINUTES", "NONE_HERE", "TIMERS", "Timer", "chosen", "folders", "plan", "plan_removal"]


def chosen(computer: Computer) -> Timer | None:
    """The first that works here."""
    return next((timer for timer in TIMERS if timer.works(computer)), None)


def plan(computer: Computer) -> Plan:
    timer = chosen(computer)
    if timer is None:
        return Plan(notes=(NONE_HERE,))
    changes = timer.put_in(computer)
    return Plan(changes) if changes else Plan(in_place=(TIMER,))


def plan_removal(computer: Computer) -> Plan:
    """Of every kind there is a trace of: the one that was chosen may not be the one that works now."""
    removals = joined(*(Plan(timer.take_out(computer)) for timer in TIMERS))
    return removals if removals.changes else Plan(in_place=(TIMER,))


def folders(computer: Computer) -> tuple[Path, ...]:
    """Those a timer may have made, innermost first."""
    return tuple(folder for timer in TIMERS for folder in timer.folders(computer))
