"""`lane daemon`: look at the process that answers the hooks, start it, stop it. It does both by itself when needed.

It is reached as the hooks reach it: by the files in the home's run folder, and by the hook's own program.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import cast

from memlane.config import Config
from memlane.errors import LaneError, NotSetUpError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.agent_programs import SCRIPT
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import duration, many
from memlane.system.disk import read_only_error, why_read_only

TO_START = 10.0  # seconds; it takes a quarter of one
TO_STOP = 4.0  # it has 2 to finish what is not written down
TO_DIE = 4.0
_PAUSE = 0.02

State = Mapping[str, object]

command = frame.group(
    "The background process that answers hooks. It starts on demand and exits when idle.", bare="status"
)


@frame.command(of=command)
def status(screen: Screen) -> None:
    """Show whether it is running, since when, and how fast it answers."""
    tell(screen, state(screen.config))


@frame.command(of=command)
def start(screen: Screen) -> None:
    """Start it if it is not running."""
    begin(screen.config)
    tell(screen, state(screen.config))


@frame.command(of=command)
def stop(screen: Screen) -> None:
    """Stop it, even if it does not answer. The next hook starts it again."""
    end(screen.config)
    tell(screen, state(screen.config))


@frame.command(of=command)
def restart(screen: Screen) -> None:
    """Stop and start it again."""
    end(screen.config)
    begin(screen.config)
    tell(screen, state(screen.config))


# -- what is there -----------------------------------------------------------------------------------------------------


def tell(screen: Screen, found: State) -> None:
    if screen.json:
        screen.emit("lane.daemon/1", found)
    elif not found["running"]:
        screen.line("daemon   not running; the next hook starts it")
    elif found["frozen"]:
        screen.line(f"daemon   pid {found['pid']} is running but does not answer; agents work without it")
        screen.line("         lane daemon restart")
    else:
        up = duration(timedelta(seconds=int(cast(float, found["uptime_s"]))))
        screen.line(f"daemon   pid {found['pid']}, up {up}, epoch {found['epoch']}")
        if found["p50_ms"] is not None:
            asked = many(cast(int, found["answered"]), "answer")
            screen.line(f"answers  {asked}, recent ones: half within {found['p50_ms']} ms, 95 % {found['p95_ms']} ms")
        screen.line(f"waiting  {many(cast(int, found['queue']), 'line')} to be saved, {found['dropped']} dropped")


def state(config: Config) -> State:
    """From the lock (does it live?) and from itself (does it answer?)."""
    holder = held_by(config)
    if holder is None:
        return {"running": False, "frozen": False}
    said = asked(config)
    return {"running": True, "frozen": said is None, **holder, **(said or {})}


def held_by(config: Config) -> State | None:
    """Who has the daemon's lock. What is written there only counts while somebody has it."""
    try:
        with (config.home / "run" / "daemon.lock").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None
    except BlockingIOError:
        return _written(config.home / "run" / "daemon.lock")
    return None


def _written(lock: Path) -> State:
    try:
        found = json.loads(lock.read_bytes())
        return {"pid": int(found["pid"]), "epoch": int(found["epoch"])}
    except (ValueError, TypeError, KeyError):  # this very moment it is being written
        return {"pid": 0, "epoch": 0}


def asked(config: Config) -> State | None:
    """What it says of itself, within the time any hook would wait."""
    words = [sys.executable, "-I", "-S", str(SCRIPT), "lane", "status"]
    done = subprocess.run(words, input=b"{}", capture_output=True, env=_variables(config), check=False)
    return cast(State, json.loads(done.stdout)) if done.stdout else None


def _variables(config: Config) -> dict[str, str]:
    kept = {name: value for name, value in config.variables.items() if name != "LANE_OFF"}
    return {**kept, "LANE_HOME": str(config.home)}


# -- starting and ending it --------------------------------------------------------------------------------------------


def begin(config: Config) -> None:
    if not config.home.is_dir():
        raise NotSetUpError(f"there is no home in {config.home}", hint="lane init, or: lane capture")
    if held_by(config) is None:
        if why_read_only(config.home):
            raise read_only_error(config.home)
        subprocess.Popen(
            [sys.executable, "-P", "-m", "memlane.surfaces.daemon"],
            cwd=config.home,
            env=_variables(config),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        _wait(lambda: held_by(config) is not None and asked(config) is not None, TO_START)
    if asked(config) is None:
        raise LaneError("the daemon does not answer", hint="lane logs --last-error\nlane daemon restart")


def end(config: Config) -> None:
    """Politely, then not. A frozen one must be woken before it can hear either."""
    holder = held_by(config)
    if holder is None:
        return
    for number, patience in ((signal.SIGTERM, TO_STOP), (signal.SIGKILL, TO_DIE)):
        _send(cast(int, holder["pid"]), number)
        if _wait(lambda: held_by(config) is None, patience):
            return
    raise LaneError(f"the daemon (pid {holder['pid']}) does not stop", hint="lane doctor")


def _send(pid: int, number: signal.Signals) -> None:
    if pid <= 0:
        return
    try:
        os.kill(pid, number)
        os.kill(pid, signal.SIGCONT)
    except ProcessLookupError:
        return


def _wait(so: Callable[[], bool], patience: float) -> bool:
    until = time.monotonic() + patience
    while not so():
        if time.monotonic() >= until:
            return False
        time.sleep(_PAUSE)
    return True
