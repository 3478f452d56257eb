"""What Claude Code runs on a prompt: our command as its own files have it. Changes nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from memlane.agents.claude_code.plugin import NAME, PLUGIN_ID
from memlane.agents.claude_code.settings import events_of, is_ours, places, read_settings
from memlane.system.computer import Computer, InstalledHook
from memlane.system.json_text import NotJsonError

PROMPT = "UserPromptSubmit"
ROOT = "CLAUDE_PLUGIN_ROOT"  # what it calls the folder of a plugin


def installed(computer: Computer) -> InstalledHook | None:
    try:
        document = read_settings(computer)
    except (NotJsonError, OSError):
        return None
    if document.get("disableAllHooks") is True:
        return None
    if document.get("enabledPlugins", PLUGIN_ID) is True:
        return _of_plugin(computer)
    commands = {
        event: one for event, groups in events_of(document).items() for one in _commands(groups) if is_ours(one)
    }
    return InstalledHook(commands.get(PROMPT, "")) if commands else None


def _of_plugin(computer: Computer) -> InstalledHook | None:
    """It runs a copy of its own, which may be older than the folder it was copied from."""
    root = _copy(computer) or computer.plugin / "plugins" / NAME
    document = _read(root / "hooks" / "hooks.json")
    events = document.get("hooks")
    if not isinstance(events, dict):
        return None
    commands = _commands(cast(Mapping[str, object], events).get(PROMPT))
    return InstalledHook(commands[0] if commands else "", {ROOT: str(root)})


def _copy(computer: Computer) -> Path | None:
    known = _read(places(computer).installed).get("plugins")
    ours = cast(Mapping[str, object], known).get(PLUGIN_ID) if isinstance(known, dict) else None
    for one in cast(list[object], ours) if isinstance(ours, list) else [ours]:
        path = cast(Mapping[str, object], one).get("installPath") if isinstance(one, dict) else None
        if isinstance(path, str) and Path(path).is_dir():
            return Path(path)
    return None


def _read(path: Path) -> Mapping[str, object]:
    try:
        found = cast(object, json.loads(path.read_bytes()))
    except (OSError, ValueError):
        return {}
    return cast(Mapping[str, object], found) if isinstance(found, dict) else {}


def _commands(groups: object) -> list[str]:
    hooks = [
        hook
        for group in (cast(list[object], groups) if isinstance(groups, list) else [])
        if isinstance(group, dict) and isinstance(hooks := cast(Mapping[str, object], group).get("hooks"), list)
        for hook in cast(list[object], hooks)
    ]
    found = (cast(Mapping[str, object], hook).get("command") for hook in hooks if isinstance(hook, dict))
    return [command for command in found if isinstance(command, str)]
