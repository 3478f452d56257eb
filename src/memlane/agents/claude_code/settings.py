"""Claude Code's settings files: where they are, what they say, our lines put in and taken out."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from memlane.agents.claude_code import plugin
from memlane.agents.claude_code.plugin import MARKETPLACE, OURS, PLUGIN_ID
from memlane.agents.claude_code.plugin import NAME as PLUGIN
from memlane.system import files, json_text
from memlane.system.computer import Computer
from memlane.system.json_text import JsonText, NotJsonError
from memlane.system.plan import Keys

NAME = "claude-code"
TITLE = "Claude Code"


@dataclass(frozen=True, slots=True)
class ClaudeCodePlaces:
    """Its files and folders that a plugin touches."""

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / "settings.json"

    @property
    def installed(self) -> Path:
        return self.folder / "plugins" / "installed_plugins.json"

    @property
    def marketplaces(self) -> Path:
        return self.folder / "plugins" / "known_marketplaces.json"

    @property
    def ours_alone(self) -> tuple[Path, ...]:
        """What it leaves behind of a plugin that was taken out."""
        inside = self.folder / "plugins"
        data = inside / "data" / f"{PLUGIN}-{MARKETPLACE}"
        return (inside / "cache" / MARKETPLACE, inside / "marketplaces" / MARKETPLACE, data)

    @property
    def made_by_installing(self) -> tuple[Path, ...]:
        """Innermost first."""
        inside = self.folder / "plugins"
        folders = (*(inside / name for name in ("cache", "data", "marketplaces")), inside, self.folder)
        return (self.installed, self.marketplaces, *folders)


def places(computer: Computer) -> ClaudeCodePlaces:
    chosen = computer.variables.get("CLAUDE_CONFIG_DIR", "")
    if chosen:
        return ClaudeCodePlaces(computer.home / chosen[2:] if chosen.startswith("~/") else Path(chosen))
    return ClaudeCodePlaces(computer.home / ".claude")


def program(computer: Computer) -> str:
    """`claude` on PATH, or where its installers put it; nothing where there is none."""
    usual = (computer.home / ".local" / "bin" / "claude", computer.home / ".claude" / "local" / "claude")
    found = (computer.which(str(path)) for path in usual)
    return computer.which("claude") or next(filter(None, found), "")


def is_here(computer: Computer) -> bool:
    return places(computer).folder.is_dir() or bool(program(computer))


Object = dict[str, object]


@dataclass(frozen=True, slots=True)
class OwnKeys:
    """Which members of a file are ours: these keys, and hooks that call our script."""

    keys: tuple[Keys, ...]
    hooks: str = ""  # the key with lists of hooks under it


SETTINGS = OwnKeys((("enabledPlugins", PLUGIN_ID), ("extraKnownMarketplaces", MARKETPLACE)), hooks="hooks")
INSTALLED = OwnKeys((("plugins", PLUGIN_ID),))
MARKETPLACES = OwnKeys(((MARKETPLACE,),))


# -- putting in ------------------------------------------------------------------------------------------------------


def with_plugin(document: JsonText, folder: str) -> JsonText:
    marketplace, enabled = {"source": {"source": "directory", "path": folder}}, True
    return document.put(("extraKnownMarketplaces", MARKETPLACE), marketplace).put(
        ("enabledPlugins", PLUGIN_ID), enabled
    )


def with_hooks(document: JsonText, groups: Mapping[str, Object]) -> JsonText:
    for event, group in groups.items():
        document = document.append((SETTINGS.hooks, event), group)
    return document


def made(before: JsonText, after: JsonText) -> tuple[Keys, ...]:
    """The objects and lists that only our edit brought into being."""
    events = cast(Object, after.get(SETTINGS.hooks) or {})
    possible: list[Keys] = [(key,) for key, *_ in SETTINGS.keys] + [(SETTINGS.hooks,)]
    possible += [(SETTINGS.hooks, event) for event in events]
    return tuple(keys for keys in possible if after.has(*keys) and not before.has(*keys))


# -- taking out ------------------------------------------------------------------------------------------------------


def without_ours(document: JsonText, ours: OwnKeys = SETTINGS, made: tuple[Keys, ...] | None = None) -> JsonText:
    """The same text less our lines. What is empty then goes too, if it was made for us (None: not known)."""
    emptied: list[Keys] = []
    for keys in ours.keys:
        if document.has(*keys):
            document = document.without(*keys)
            emptied.append(keys[:-1])
    for event in list(events_of(document, ours)):
        thinner = _without_our_hooks(document, (ours.hooks, event))
        if thinner.text != document.text:
            document = thinner
            emptied += [(ours.hooks, event), (ours.hooks,)]
    for keys in sorted({*emptied, *(made or ())}, key=len, reverse=True):
        if keys and document.get(*keys) in ({}, []) and (made is None or keys in made):
            document = document.without(*keys)
    return document


def _without_our_hooks(document: JsonText, keys: Keys) -> JsonText:
    """A group that is all ours goes whole; from one the person has shared out, only our hook."""
    for n in reversed(range(len(_list(document.get(*keys))))):
        hooks = _list(document.get(*keys, n, "hooks"))
        calls = [m for m in range(len(hooks)) if is_ours(document.get(*keys, n, "hooks", m, "command"))]
        if calls and len(calls) == len(hooks):
            document = document.without(*keys, n)
        else:
            for m in reversed(calls):
                document = document.without(*keys, n, "hooks", m)
    return document


def is_ours(command: object) -> bool:
    return isinstance(command, str) and OURS in command.replace("\\", "/")


def events_of(document: JsonText, ours: OwnKeys = SETTINGS) -> Object:
    found = document.get(ours.hooks) if ours.hooks else None
    return cast(Object, found) if isinstance(found, dict) else {}


def commands_of_others(document: JsonText) -> list[str]:
    """What everybody else's hooks run."""
    found = [
        command
        for event, groups in events_of(document).items()
        for n in range(len(_list(groups)))
        for command in _commands(document, (SETTINGS.hooks, event), n)
    ]
    return [command for command in found if isinstance(command, str) and not is_ours(command)]


def our_groups(document: JsonText) -> dict[str, list[object]]:
    """Event by event, the groups in which our script is called."""
    found: dict[str, list[object]] = {}
    for event, groups in events_of(document).items():
        ours = [
            group
            for n, group in enumerate(_list(groups))
            if any(is_ours(command) for command in _commands(document, (SETTINGS.hooks, event), n))
        ]
        if ours:
            found[event] = ours
    return found


def _commands(document: JsonText, keys: Keys, n: int) -> list[object]:
    hooks = _list(document.get(*keys, n, "hooks"))
    return [document.get(*keys, n, "hooks", m, "command") for m in range(len(hooks))]


def others(document: JsonText, ours: OwnKeys = SETTINGS) -> Object:
    """What the file says to everybody but us, however it is written: empty places we use count as not there."""
    value = copy.deepcopy(without_ours(document, ours).value)
    places = {keys[0] for keys in ours.keys if len(keys) > 1} | {ours.hooks}
    return {key: inner for key, inner in value.items() if key not in places or inner not in ({}, [])}


def _list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []


USUAL_CLEANUP = 30  # days, where its settings say nothing
# Tools that also put memories into Claude Code: two of them double the tokens.
RIVALS = (
    "agentmemory",
    "basic-memory",
    "byterover",
    "claude-mem",
    "cognee",
    "engram",
    "episodic-memory",
    "graphiti",
    "hindsight",
    "letta",
    "mcp-memory-service",
    "mem0",
    "mempalace",
    "memsearch",
    "openmemory",
    "supermemory",
)


def read_settings(computer: Computer) -> JsonText:
    return json_text.read(files.read(places(computer).settings) or b"")


def way_in(document: JsonText, computer: Computer, *, recall: bool) -> str:
    """`plugin` or `settings`: in place that way. `off`: the person switched us off. Nothing: not as it should be."""
    enabled = document.get("enabledPlugins", PLUGIN_ID)
    known = document.get("extraKnownMarketplaces", MARKETPLACE, "source", "path") == str(computer.plugin)
    ours = our_groups(document)
    if enabled is False and not ours:
        return "off"
    if enabled is True:
        return "plugin" if known and not ours else ""
    return "settings" if ours == {event: [group] for event, group in groups(computer, recall=recall).items()} else ""


def groups(computer: Computer, *, recall: bool) -> dict[str, dict[str, object]]:
    """Our hooks as they stand in its settings when there is no plugin."""
    script = plugin.quoted(str(computer.hook_script))
    return plugin.hook_groups(NAME, computer.python, script, recall=recall)


def cleanup_days(computer: Computer) -> int:
    """After how many days it deletes its own transcripts."""
    document = _readable(computer)
    days = document.get("cleanupPeriodDays") if document else None
    return days if isinstance(days, int) and not isinstance(days, bool) else USUAL_CLEANUP


def keep_longer() -> str:
    return '"cleanupPeriodDays": 3650 in ~/.claude/settings.json'


def hooks_off(computer: Computer) -> bool:
    document = _readable(computer)
    return document is not None and document.get("disableAllHooks") is True


def rivals(computer: Computer) -> tuple[str, ...]:
    """Other memory tools that add context here, by the names of their plugins and in the commands of their hooks."""
    document = _readable(computer)
    if document is None:
        return ()
    enabled = document.get("enabledPlugins")
    words = [name for name, on in cast(dict[str, object], enabled).items() if on] if isinstance(enabled, dict) else []
    words += commands_of_others(document)
    return tuple(name for name in RIVALS if any(_names(word, name) for word in words))


def _names(word: str, name: str) -> bool:
    return re.search(rf"(?i)(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", word) is not None


def _readable(computer: Computer) -> JsonText | None:
    try:
        return read_settings(computer)
    except (NotJsonError, OSError):
        return None
