"""Is what we put into this computer still in place, and what else should a person know? Changes nothing."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from pathlib import Path

from memlane.agents import Registry
from memlane.agents.agent import Install
from memlane.app.capture.routes import CaptureRoute, routes, watched
from memlane.app.home import Home
from memlane.domain import Finding, Level
from memlane.system import edits, files, timer
from memlane.system.computer import Computer
from memlane.system.edits import SetupRecord
from memlane.system.plan import TIMER

REPAIR = "lane hook repair"


@cache
def installs() -> Mapping[str, Install]:
    """The agents our hooks can be put into; what is installed is looked through once."""
    agents = ((agent.name, agent.install) for agent in Registry().with_part("install"))
    return {name: install for name, install in agents if install is not None}


def check(computer: Computer, agent: str = "") -> list[Finding]:
    """All of it, or one agent's part."""
    known = edits.load_record(computer.lane_home)
    if agent:
        return [*installs()[agent].check(computer, known)]
    return [*_programs(computer, known), *_agents(computer, known), *_timer(computer)]


def capture_routes(home: Home, hooked: Collection[str]) -> Callable[[str], tuple[CaptureRoute, ...]]:
    """By agent: what makes us capture its new work now. `hooked`: agents that have our hooks in their own settings."""
    timer, seen = bool(edits.load_record(home.config.home).timer), watched(home)

    def of(agent: str) -> tuple[CaptureRoute, ...]:
        return routes(hooked=agent in hooked, watched=seen, timer=timer)

    return of


def _programs(computer: Computer, known: SetupRecord) -> Iterator[Finding]:
    """What hooks call: the plugin of Claude Code, the program of the others."""
    used = {name: install for name, install in installs().items() if name in known.agents}
    for folder in dict.fromkeys(install.folder(computer) for install in used.values()):
        users = {name: install for name, install in used.items() if install.folder(computer) == folder}
        yield _program(computer, known, "plugin" if folder == computer.plugin else "hook program", users)


def _program(computer: Computer, known: SetupRecord, what: str, users: Mapping[str, Install]) -> Finding:
    kind, first = what.replace(" ", "-"), next(iter(users.values()))
    home_file = files.read(first.script(computer).with_name("home.txt"))
    if home_file is None:
        return Finding(kind, Level.FAIL, f"the {what} is not in {computer.shown(first.folder(computer))}", REPAIR)
    python = Path(os.fsdecode(home_file.split(b"\n")[1])) if home_file.count(b"\n") > 1 else Path()
    if not os.access(python, os.X_OK) or python.is_dir():
        return Finding(kind, Level.FAIL, f"the hooks call {python}, which no longer exists", REPAIR)
    if any(one.plan_plugin(computer, recall=known.agents[name].recall).changes for name, one in users.items()):
        said = f"version {known.version}" if known.version != computer.version else "another interpreter or by hand"
        written = f"the {what} was written by {said}, not by version {computer.version}"
        return Finding(kind, Level.WARN, written, REPAIR)
    return Finding(kind, Level.OK, f"the {what} is up to date ({computer.version})")


def _agents(computer: Computer, known: SetupRecord) -> Iterator[Finding]:
    for install in installs().values():
        yield from install.check(computer, known)


def _timer(computer: Computer) -> Iterator[Finding]:
    planned = timer.plan(computer)
    if TIMER in planned.in_place:
        yield Finding(TIMER, Level.OK, f"the timer runs `lane tick` every {timer.MINUTES} minutes")
    elif planned.changes:
        yield Finding(
            TIMER,
            Level.NOTE,
            "no timer runs `lane tick`; it runs after agent turns where hooks are installed",
            "lane init",
        )
    else:
        yield Finding(TIMER, Level.NOTE, timer.NONE_HERE)


# Where `uvx` and `pipx run` unpack what they run once: their owners may delete it at any time.
_CACHES = re.compile(r"/(?:archive|builds|environments)-v\d+/|/\.cache/pipx/|/pipx/\.cache/")


def runs_from_a_cache(computer: Computer) -> bool:
    """Whether this very program may be gone tomorrow: hooks must not point at it."""
    return _is_in_a_cache(computer.python, computer.variables)


def _is_in_a_cache(python: str, variables: Mapping[str, str]) -> bool:
    python, cache = python.replace("\\", "/"), variables.get("UV_CACHE_DIR", "").rstrip("/")
    return _CACHES.search(python) is not None or bool(cache and python.startswith(f"{cache}/"))


def lasting_command(python: str, variables: Mapping[str, str]) -> str:
    """The same for what changes settings: what runs from a cache is installed first."""
    if _is_in_a_cache(python, variables):
        return f"{'pipx' if 'pipx' in python else 'uv tool'} install memlane && lane"
    return own_command(python, variables)


def own_command(python: str, variables: Mapping[str, str]) -> str:
    """What a person types to run this very installation: `lane` only where that is what they get."""
    if _is_in_a_cache(python, variables):
        return "pipx run --spec memlane lane" if "pipx" in python else "uvx --from memlane lane"
    beside, found = Path(python).with_name("lane"), shutil.which("lane", path=variables.get("PATH", ""))
    if found and beside.exists() and Path(found).resolve() == beside.resolve():
        return "lane"
    return shlex.quote(str(beside)) if os.access(beside, os.X_OK) else f"{shlex.quote(python)} -m memlane"
