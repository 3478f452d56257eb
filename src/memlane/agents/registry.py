"""Who there is: each agent's name and where its folder is. A reader that fails costs one file only."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from memlane.agents.agent import Agent, Source
from memlane.errors import DamagedError, LaneError

if TYPE_CHECKING:
    from memlane.agents.entry_points import UnusableAgent
    from memlane.agents.headless import Headless

# Every agent of ours, and which folder says all about it.
AGENTS: Mapping[str, str] = {
    "claude-code": "memlane.agents.claude_code:AGENT",
    "codex": "memlane.agents.codex:AGENT",
    "copilot-cli": "memlane.agents.copilot_cli:AGENT",
    "pi": "memlane.agents.pi:AGENT",
    "gemini-cli": "memlane.agents.gemini_cli:AGENT",
    "opencode": "memlane.agents.opencode:AGENT",
    "cursor": "memlane.agents.cursor:AGENT",
    "droid": "memlane.agents.droid:AGENT",
    "vscode": "memlane.agents.vscode:AGENT",
    "devin": "memlane.agents.devin:AGENT",
    "amp": "memlane.agents.amp:AGENT",
    "chatgpt": "memlane.agents.exports:CHATGPT",
    "claude-ai": "memlane.agents.exports:CLAUDE_AI",
    "huggingchat": "memlane.agents.exports:HUGGINGCHAT",
    "neutral": "memlane.agents.exports:NEUTRAL",
    "claude-history": "memlane.agents.claude_code:HISTORY",
}
OFF = frozenset({"", "0", "false"})


@dataclass(frozen=True, slots=True)
class ShellAgent:
    """Which run of an agent started this process, where the agent tells its commands so."""

    agent: str = ""
    variable: str = ""
    native_id: str = ""


class Registry(Mapping[str, Agent]):
    """Ours, then those other packages bring. To know who there is, no reader is loaded."""

    def __getitem__(self, name: str) -> Agent:
        if name not in AGENTS:
            return self._outside[0][name]
        module, _, where = AGENTS[name].partition(":")
        return getattr(import_module(module), where)

    def __iter__(self) -> Iterator[str]:
        yield from AGENTS
        yield from self._outside[0]

    def __len__(self) -> int:
        return len(AGENTS) + len(self._outside[0])

    def __contains__(self, name: object) -> bool:
        return name in AGENTS or name in self._outside[0]

    @cached_property
    def sources(self) -> Mapping[str, Source]:
        """How each is read; one is loaded when it is first asked for."""
        return Sources(self)

    def with_part(self, part: str) -> list[Agent]:
        return [agent for agent in self.values() if part in agent.parts]

    @property
    def headless(self) -> list[Headless]:
        """Agents that can read for us, whether they are on this computer or not."""
        return [agent.headless for agent in self.values() if agent.headless is not None]

    def in_shell(self, variables: Mapping[str, str]) -> str:
        """The agent in whose shell a command with this environment runs, or "" in a person's."""
        for agent in self.values():
            if any(variables.get(name, "").lower() not in OFF for name in agent.variables.shell):
                return agent.name
        return ""

    def caller(self, variables: Mapping[str, str]) -> ShellAgent:
        told = ((agent.name, name) for agent in self.values() for name in agent.variables.run)
        found = (ShellAgent(agent, name, variables[name]) for agent, name in told if variables.get(name))
        return next(found, ShellAgent())

    def outside_runs(self, variables: Mapping[str, str]) -> Mapping[str, str]:
        """This environment without what an agent tells its children: one that we start is no part of its run."""
        patterns = [pattern for agent in self.values() for pattern in agent.variables.inherited]
        inherited = re.compile("|".join(patterns) or r"(?!)")
        return {name: value for name, value in variables.items() if not inherited.fullmatch(name)}

    @property
    def homes(self) -> list[str]:
        """Variables that say where a person moved the files of an agent."""
        return [name for agent in self.values() for name in agent.variables.homes]

    @property
    def unloaded(self) -> list[UnusableAgent]:
        """Agents somebody registered that we cannot use."""
        return self._outside[1]

    @cached_property
    def _outside(self) -> tuple[Mapping[str, Agent], list[UnusableAgent]]:
        from memlane.agents.entry_points import outside_agents  # noqa: PLC0415 - it looks through all that is installed

        theirs, unloaded = outside_agents(AGENTS)
        return {agent.name: agent for agent in theirs}, unloaded


class Sources(Mapping[str, Source]):
    """The readers of a Registry, under the names of their agents; an agent that is only told has none."""

    def __init__(self, agents: Registry) -> None:
        self._agents = agents

    def __getitem__(self, name: str) -> Source:
        if name not in self:
            raise KeyError(name)
        return self._agents[name].source

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._agents if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        return name in self._agents and "source" in self._agents[str(name)].parts


class BrokenSourceError(DamagedError):
    """A Source failed to read its transcript. The bytes are safe."""

    kind = "broken-source"


@contextmanager
def guarded(name: str) -> Generator[None, None, None]:
    """Around every call into the Source of this name, ours or somebody else's."""
    try:
        yield
    except (LaneError, OSError):
        raise
    except Exception as error:
        reason = f"{name} cannot read it: {type(error).__name__}: {error}"
        raise BrokenSourceError(reason, hint="a bug of that agent's reader; the bytes are kept") from error
