"""The plugin we make for one agent, in others that can load it too: its name, and what they know about it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from memlane.agents.agent import Surroundings
    from memlane.system.computer import Computer
    from memlane.system.plan import Plan

MARKETPLACE = "lane-local"
PLUGIN = "lane"
PLUGIN_ID = f"{PLUGIN}@{MARKETPLACE}"


@runtime_checkable
class PluginLoader(Protocol):
    """An agent that loads the plugin made for another one, once a person has added it there."""

    @property
    def longest(self) -> Mapping[str, int]:
        """The most seconds it lets a hook take, for events where that is less than usual."""
        ...

    @property
    def afterwards(self) -> str:
        """What a person does once they have added it; "": nothing."""
        ...

    def is_here(self, computer: Computer) -> bool: ...

    def add_command(self, plugin: str) -> str:
        """What a person types to add the plugin in this folder."""
        ...

    def loads(self, around: Surroundings) -> bool:
        """Whether it was added there."""
        ...

    def is_current(self, around: Surroundings, plugin: Path) -> bool:
        """Whether what it loads is what is in that folder: an agent may keep a copy."""
        ...

    def plan_removal(self, around: Surroundings) -> Plan: ...
