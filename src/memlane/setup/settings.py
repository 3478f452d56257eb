"""Claude Code's settings files: our lines put in and taken out, everybody else's left where they are.

It edits values it is handed; which files there are and who writes them, `claude_code` knows.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from memlane.setup.changes import Keys
from memlane.setup.json_text import JsonText
from memlane.setup.plugin import MARKETPLACE, OURS, PLUGIN_ID

Object = dict[str, object]


@dataclass(frozen=True, slots=True)
class Ours:
    """Which members of a file are ours: these keys, and hooks that call our script."""

    keys: tuple[Keys, ...]
    hooks: str = ""  # the key with lists of hooks under it


SETTINGS = Ours((("enabledPlugins", PLUGIN_ID), ("extraKnownMarketplaces", MARKETPLACE)), hooks="hooks")
INSTALLED = Ours((("plugins", PLUGIN_ID),))
MARKETPLACES = Ours(((MARKETPLACE,),))


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


def without_ours(document: JsonText, ours: Ours = SETTINGS, made: tuple[Keys, ...] | None = None) -> JsonText:
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


def events_of(document: JsonText, ours: Ours = SETTINGS) -> Object:
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


def others(document: JsonText, ours: Ours = SETTINGS) -> Object:
    """What the file says to everybody but us, however it is written: empty places we use count as not there."""
    value = copy.deepcopy(without_ours(document, ours).value)
    places = {keys[0] for keys in ours.keys if len(keys) > 1} | {ours.hooks}
    return {key: inner for key, inner in value.items() if key not in places or inner not in ({}, [])}


def _list(value: object) -> list[object]:
    return cast(list[object], value) if isinstance(value, list) else []
