"""Is what we put into this computer still in place, and what else should a person know? Changes nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from memlane.agents import Registry
from memlane.agents.agent import Install
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


def check(computer: Computer) -> list[Finding]:
    known = edits.load_record(computer.lane_home)
    return [*_plugin(computer, known), *_agents(computer, known), *_timer(computer)]


def _plugin(computer: Computer, known: SetupRecord) -> Iterator[Finding]:
    if not known.agents:
        return
    home_file = files.read(computer.hook_script.with_name("home.txt"))
    if home_file is None:
        yield Finding("plugin", Level.FAIL, f"the plugin is not in {computer.shown(computer.plugin)}", REPAIR)
        return
    python = Path(os.fsdecode(home_file.split(b"\n")[1])) if home_file.count(b"\n") > 1 else Path()
    if not os.access(python, os.X_OK) or python.is_dir():
        yield Finding("plugin", Level.FAIL, f"the hooks call {python}, which no longer exists", REPAIR)
        return
    recall = next(iter(known.agents.values())).recall
    used = (install for name, install in installs().items() if name in known.agents)
    if any(install.plan_plugin(computer, recall=recall).changes for install in used):
        said = f"version {known.version}" if known.version != computer.version else "another interpreter or by hand"
        yield Finding(
            "plugin", Level.WARN, f"the plugin was written by {said}, not by version {computer.version}", REPAIR
        )
    else:
        yield Finding("plugin", Level.OK, f"the plugin is up to date ({computer.version})")


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
    python = computer.python.replace("\\", "/")
    cache = computer.variables.get("UV_CACHE_DIR", "").rstrip("/")
    return _CACHES.search(python) is not None or bool(cache and python.startswith(f"{cache}/"))
