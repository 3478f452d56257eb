"""Our plugin in Copilot CLI, once a person has added it: where that is written, and how it is taken out again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memlane.agents.plugin_loader import MARKETPLACE, PLUGIN_ID
from memlane.system import json_text
from memlane.system.json_text import JsonText, NotJsonError
from memlane.system.plan import FileChange, Obstacle, Plan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memlane.agents.agent import Surroundings
    from memlane.system.computer import Computer

NAME = "copilot-cli"
REMOVE = f"copilot plugin uninstall {PLUGIN_ID} && copilot plugin marketplace remove {MARKETPLACE}"
OURS = (("enabledPlugins", PLUGIN_ID), ("extraKnownMarketplaces", MARKETPLACE))

longest: Mapping[str, int] = {}
afterwards = ""


def is_here(computer: Computer) -> bool:
    return bool(computer.which("copilot"))


def add_command(plugin: str) -> str:
    return f"copilot plugin marketplace add {plugin} && copilot plugin install {PLUGIN_ID}"


def loads(around: Surroundings) -> bool:
    try:
        return json_text.read(_settings(around).read_bytes()).get(*OURS[0]) is True
    except (OSError, NotJsonError):
        return False


def is_current(_around: Surroundings, _plugin: Path) -> bool:
    return True  # it reads the plugin where it is


def plan_removal(around: Surroundings) -> Plan:
    path = _settings(around)
    try:
        before = path.read_bytes()
        document = json_text.read(before)
    except FileNotFoundError:
        return Plan()
    except (OSError, NotJsonError) as error:
        return Plan(left_alone=(Obstacle(NAME, f"{path} cannot be edited: {error}", REMOVE),))
    after = without_plugin(document)
    return Plan((FileChange(NAME, path, before, after.data, "- plugin lane"),) if after.data != before else ())


def without_plugin(document: JsonText) -> JsonText:
    """What its own program leaves of it goes too: a disabled line, and objects that are empty then."""
    for keys in OURS:
        if document.has(*keys):
            document = document.without(*keys)
            if document.get(keys[0]) == {}:
                document = document.without(keys[0])
    return document


def _settings(around: Surroundings) -> Path:
    return Path(around.variables.get("COPILOT_HOME") or around.home / ".copilot") / "settings.json"
