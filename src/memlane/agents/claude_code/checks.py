"""Are our hooks in Claude Code, and does it run them? For `lane doctor`; changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import cast

from memlane.agents.claude_code import plugin
from memlane.agents.claude_code.settings import NAME, TITLE, hooks_off, is_here, places, read_settings, rivals, way_in
from memlane.domain import Finding, Level
from memlane.system import files
from memlane.system.computer import Computer
from memlane.system.edits import HookRoute, SetupRecord
from memlane.system.json_text import NotJsonError


def check(computer: Computer, known: SetupRecord) -> Iterator[Finding]:
    if not is_here(computer):
        return
    kind, title = "hooks", TITLE
    way = known.agents.get(NAME)
    install = f"lane hook install {NAME}"
    try:
        found = way_in(read_settings(computer), computer, recall=way.recall if way else True)
    except (NotJsonError, OSError) as error:
        said = error.message if isinstance(error, NotJsonError) else str(error.strerror)
        place = computer.shown(places(computer).settings)
        yield Finding(kind, Level.FAIL, f"{place} {said}: {title} cannot read it either", "fix the file")
        return
    if found in ("plugin", "settings"):
        told = "" if way is None or way.recall else ", capture only (another memory tool is installed)"
        yield Finding(kind, Level.OK, f"hooks are installed in {title} ({found}){told}")
        if found == "plugin" and (way is None or way.recall):
            yield from _served(computer)
        if found == "settings":
            missing = f"Lane's commands, skill and tools are not in {title}"
            yield Finding("commands", Level.NOTE, missing, _to_complete(way))
    elif found == "off":
        disabled = f"Lane's plugin is disabled in {title}: nothing is recalled there"
        yield Finding(kind, Level.WARN, disabled, f"claude plugin enable {plugin.PLUGIN_ID}")
    elif way is not None:
        yield Finding(kind, Level.WARN, f"Lane's hooks in {title} are missing or changed", install)
    else:
        yield Finding(
            kind, Level.WARN, f"Lane's hooks are not installed in {title}: nothing is recalled there", install
        )
    if hooks_off(computer):
        yield Finding(kind, Level.WARN, f"{title} runs no hooks at all: disableAllHooks is set in its settings")
    for rival in rivals(computer):
        yield Finding("rival", Level.NOTE, f"{rival} also adds context to {title}: two memory tools double the tokens")


def _served(computer: Computer) -> Iterator[Finding]:
    """By whom the last session was: a mod that does not load says so nowhere a person looks."""
    mod, hook = (_last(computer, f"{way}-{NAME}.json") for way in ("mod", "hook"))
    if mod and _at(mod) >= _at(hook):
        yield Finding("mod", Level.OK, f"{TITLE} {mod.get('client', '')} runs Lane's mod: cards above the prompt")
        if mod.get("version") != computer.version:
            older = f"the last session had the mod of Lane {mod.get('version')}; this is {computer.version}"
            yield Finding("mod", Level.NOTE, older, f"restart {TITLE}")
    elif hook:
        said = f"command hooks served the last session of {TITLE}: no card above the prompt"
        yield Finding("mod", Level.NOTE, said, "mods need 2.1.286 and no policy against them; claude --debug says why")


def _last(computer: Computer, name: str) -> Mapping[str, object]:
    """As the daemon writes it (`surfaces/daemon/mods.py`)."""
    try:
        found = cast(object, json.loads(files.read(computer.lane_home / "run" / name) or b"{}"))
    except (OSError, ValueError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}


def _at(record: Mapping[str, object]) -> int:
    at = record.get("at")
    return at if isinstance(at, int) else 0


def _to_complete(way: HookRoute | None) -> str:
    if way is not None and way.said:
        return f"its program said: {way.said}"
    return f"with `claude` on your PATH: lane hook install {NAME}"
