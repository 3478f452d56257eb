"""Is what we put into this computer still in place, and what else should a person know? Changes nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.claude_code import install as claude_code
from memlane.agents.claude_code import plugin
from memlane.agents.claude_code.settings import read_settings
from memlane.domain import Finding, Level
from memlane.system import edits, files, timer
from memlane.system.computer import Computer
from memlane.system.edits import SetupRecord
from memlane.system.json_text import NotJsonError
from memlane.system.plan import TIMER

REPAIR = "lane hook repair"


def check(computer: Computer) -> list[Finding]:
    known = edits.load_record(computer.lane_home)
    return [*_plugin(computer, known), *_claude_code(computer, known), *_timer(computer)]


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
    stale = plugin.plan(computer, recall=recall).changes
    if stale:
        said = f"version {known.version}" if known.version != computer.version else "another interpreter or by hand"
        yield Finding(
            "plugin", Level.WARN, f"the plugin was written by {said}, not by version {computer.version}", REPAIR
        )
    else:
        yield Finding("plugin", Level.OK, f"the plugin is up to date ({computer.version})")


def _claude_code(computer: Computer, known: SetupRecord) -> Iterator[Finding]:
    if not claude_code.is_here(computer):
        return
    kind, title = "hooks", claude_code.TITLE
    way = known.agents.get(claude_code.NAME)
    install = f"lane hook install {claude_code.NAME}"
    try:
        found = claude_code.way_in(read_settings(computer), computer, recall=way.recall if way else True)
    except (NotJsonError, OSError) as error:
        said = error.message if isinstance(error, NotJsonError) else str(error.strerror)
        place = computer.shown(claude_code.places(computer).settings)
        yield Finding(kind, Level.FAIL, f"{place} {said}: {title} cannot read it either", "fix the file")
        return
    if found in ("plugin", "settings"):
        told = "" if way is None or way.recall else ", capture only (another memory tool is installed)"
        yield Finding(kind, Level.OK, f"hooks are installed in {title} ({found}){told}")
    elif found == "off":
        yield Finding(
            kind, Level.NOTE, f"Lane's plugin is disabled in {title}", f"claude plugin enable {plugin.PLUGIN_ID}"
        )
    elif way is not None:
        yield Finding(kind, Level.WARN, f"Lane's hooks in {title} are missing or changed", install)
    else:
        yield Finding(
            kind, Level.NOTE, f"Lane's hooks are not installed in {title}: nothing is recalled there", install
        )
    if claude_code.hooks_off(computer):
        yield Finding(kind, Level.WARN, f"{title} runs no hooks at all: disableAllHooks is set in its settings")
    for rival in claude_code.rivals(computer):
        yield Finding("rival", Level.NOTE, f"{rival} also adds context to {title}: two memory tools double the tokens")


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


# Agents this version does not read yet, by the folders they keep.
LATER = {
    "Cursor": (".cursor", ".config/Cursor", "Library/Application Support/Cursor"),
    "Pi": (".pi/agent",),
    "OpenCode": (".local/share/opencode",),
    "Gemini CLI": (".gemini",),
    "Copilot CLI": (".copilot",),
}
# Where `uvx` and `pipx run` unpack what they run once: their owners may delete it at any time.
_CACHES = re.compile(r"/(?:archive|builds|environments)-v\d+/|/\.cache/pipx/|/pipx/\.cache/")


@dataclass(frozen=True, slots=True)
class FutureAgent:
    """An agent whose runs a later version will capture."""

    title: str
    folder: Path


def captured_later(computer: Computer) -> tuple[FutureAgent, ...]:
    found = ((title, computer.home / name) for title, names in LATER.items() for name in names)
    there = {title: folder for title, folder in reversed(list(found)) if folder.is_dir()}
    return tuple(FutureAgent(title, there[title]) for title in LATER if title in there)


def runs_from_a_cache(computer: Computer) -> bool:
    """Whether this very program may be gone tomorrow: hooks must not point at it."""
    python = computer.python.replace("\\", "/")
    cache = computer.variables.get("UV_CACHE_DIR", "").rstrip("/")
    return _CACHES.search(python) is not None or bool(cache and python.startswith(f"{cache}/"))
