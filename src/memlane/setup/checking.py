"""Is what we put into this computer still in place, and would it still work? For `lane doctor`; changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from memlane.domain import Finding, Level
from memlane.setup import claude_code, files, plugin, record, timer
from memlane.setup.changes import TIMER
from memlane.setup.claude_code.reading import read
from memlane.setup.computer import Computer
from memlane.setup.json_text import NotJsonError
from memlane.setup.record import Record

REPAIR = "lane hook repair"


def check(computer: Computer) -> list[Finding]:
    known = record.load(computer.lane_home)
    return [*_plugin(computer, known), *_claude_code(computer, known), *_timer(computer)]


def _plugin(computer: Computer, known: Record) -> Iterator[Finding]:
    if not known.agents:
        return
    home_file = files.read(computer.hook_script.with_name("home.txt"))
    if home_file is None:
        yield Finding("plugin", Level.FAIL, f"the plugin is not in {computer.shown(computer.plugin)}", REPAIR)
        return
    python = Path(os.fsdecode(home_file.split(b"\n")[1])) if home_file.count(b"\n") > 1 else Path()
    if not os.access(python, os.X_OK) or python.is_dir():
        yield Finding("plugin", Level.FAIL, f"the hooks call {python}, which is not there any more", REPAIR)
        return
    recall = next(iter(known.agents.values())).recall
    stale = plugin.plan(computer, recall=recall).changes
    if stale:
        said = f"version {known.version}" if known.version != computer.version else "another interpreter or by hand"
        yield Finding("plugin", Level.WARN, f"the plugin was written by {said}, not by this {computer.version}", REPAIR)
    else:
        yield Finding("plugin", Level.OK, f"the plugin is as version {computer.version} writes it")


def _claude_code(computer: Computer, known: Record) -> Iterator[Finding]:
    if not claude_code.is_here(computer):
        return
    kind, title = "hooks", claude_code.TITLE
    way = known.agents.get(claude_code.NAME)
    install = f"lane hook install {claude_code.NAME}"
    try:
        found = claude_code.way_in(read(computer), computer, recall=way.recall if way else True)
    except (NotJsonError, OSError) as error:
        said = error.message if isinstance(error, NotJsonError) else str(error.strerror)
        place = computer.shown(claude_code.places(computer).settings)
        yield Finding(kind, Level.FAIL, f"{place} {said}: {title} cannot read it either", "repair the file")
        return
    if found in ("plugin", "settings"):
        told = "" if way is None or way.recall else ", which only capture (another memory tool is there)"
        yield Finding(kind, Level.OK, f"our hooks are in {title}, by its {found}{told}")
    elif found == "off":
        yield Finding(
            kind, Level.NOTE, f"our plugin is switched off in {title}", f"claude plugin enable {plugin.PLUGIN_ID}"
        )
    elif way is not None:
        yield Finding(kind, Level.WARN, f"our hooks are not in {title} any more, or not as they should be", install)
    else:
        yield Finding(kind, Level.NOTE, f"{title} has no hooks of ours: nothing is recalled there", install)
    if claude_code.hooks_off(computer):
        yield Finding(kind, Level.WARN, f"{title} runs no hooks at all: disableAllHooks is set in its settings")
    for rival in claude_code.rivals(computer):
        yield Finding("rival", Level.NOTE, f"{rival} also adds context to {title}: two memories double the tokens")


def _timer(computer: Computer) -> Iterator[Finding]:
    planned = timer.plan(computer)
    if TIMER in planned.in_place:
        yield Finding(TIMER, Level.OK, f"the timer runs `lane tick` every {timer.MINUTES} minutes")
    elif planned.changes:
        yield Finding(
            TIMER, Level.NOTE, "no timer runs `lane tick`: it runs after an agent's turn, where hooks are", "lane init"
        )
    else:
        yield Finding(TIMER, Level.NOTE, timer.NONE_HERE)
