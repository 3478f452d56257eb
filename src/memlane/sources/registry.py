"""The whole registry: each agent's name, and where its Source is. It is loaded when somebody first asks for it.

Who takes in one turn of one agent waits for no other agent's reader, nor for what other packages bring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from memlane.sources.source import Source

if TYPE_CHECKING:
    from memlane.sources.outside import Unloaded

OURS: Mapping[str, str] = {
    "claude-code": "claude_code:ClaudeCode",
    "codex": "codex:Codex",
    "copilot-cli": "copilot:Copilot",
    "pi": "pi:Pi",
    "gemini-cli": "gemini:GeminiCli",
    "opencode": "opencode:OpenCode",
    "cursor": "cursor:Cursor",
    "chatgpt": "chatgpt:CHATGPT",
    "claude-ai": "claude_ai:CLAUDE_AI",
    "huggingchat": "huggingchat:HUGGINGCHAT",
    "neutral": "neutral:Neutral",
    "claude-history": "claude_history:ClaudeHistory",
}


def loaded(name: str) -> Source:
    """One of ours, new."""
    module, _, where = OURS[name].partition(":")
    found = getattr(import_module(f"memlane.sources.{module}"), where)
    return found() if isinstance(found, type) else found


class Registry(Mapping[str, Source]):
    """Ours, then those other packages bring. To know who there is, nothing of ours is loaded."""

    def __init__(self) -> None:
        self._loaded: dict[str, Source] = {}

    def __getitem__(self, name: str) -> Source:
        if name not in OURS:
            return self._outside[0][name]
        if name not in self._loaded:
            self._loaded[name] = loaded(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from OURS
        yield from self._outside[0]

    def __len__(self) -> int:
        return len(OURS) + len(self._outside[0])

    def __contains__(self, name: object) -> bool:
        return name in OURS or name in self._outside[0]

    @property
    def unloaded(self) -> list[Unloaded]:
        """Agents somebody registered that we cannot use."""
        return self._outside[1]

    @cached_property
    def _outside(self) -> tuple[Mapping[str, Source], list[Unloaded]]:
        from memlane.sources.outside import outside_sources  # noqa: PLC0415 - it looks through all that is installed

        theirs, unloaded = outside_sources(OURS)
        return {source.name: source for source in theirs}, unloaded
