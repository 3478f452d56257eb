"""Agents other packages know, registered under the entry point group `memlane.sources`.

A package that cannot be loaded costs its own agent and nothing else; `lane doctor` names it.
"""

from __future__ import annotations

from collections.abc import Collection as Names
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points

from memlane.agents.agent import Agent, Hooks

GROUP = "memlane.sources"
_MEMBERS = ("name", "title", "places", "recognise", "peek", "read")


@dataclass(frozen=True, slots=True)
class UnusableAgent:
    """An agent somebody registered that we cannot use, and why."""

    name: str
    reason: str


def outside_agents(taken: Names[str]) -> tuple[list[Agent], list[UnusableAgent]]:
    """`taken`: names that are ours already; nobody may stand in for them."""
    found, unloaded = list[Agent](), list[UnusableAgent]()
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        loaded = _loaded(point, {*taken, *(agent.name for agent in found)})
        if isinstance(loaded, UnusableAgent):
            unloaded.append(loaded)
        else:
            found.append(loaded)
    return found, unloaded


def _loaded(point: EntryPoint, taken: Names[str]) -> Agent | UnusableAgent:
    """An entry point names an Agent, or the Source alone of one that has no other part."""
    try:
        given = point.load()
        source = given.source if isinstance(given, Agent) else given()
    except Exception as error:  # noqa: BLE001 - somebody else's code: whatever it raises is its own trouble
        return UnusableAgent(point.name, f"{type(error).__name__}: {error}")
    missing = [member for member in _MEMBERS if not hasattr(source, member)]
    if missing:
        return UnusableAgent(point.name, f"it has no {', '.join(missing)}")
    if source.name in taken:
        return UnusableAgent(point.name, f"the name {source.name!r} is taken")
    if isinstance(given, Agent):
        return given
    where = f"{point.module}:{point.attr}"
    agent = Agent(source.name, source.title, {"source": where})
    return replace(agent, parts={"source": where, "hooks": where}) if isinstance(source, Hooks) else agent
