"""Each agent's name and where its Source is, loaded on first use; a Source that fails costs one file only."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from memlane.agents.agent import Source
from memlane.errors import DamagedError, LaneError

if TYPE_CHECKING:
    from memlane.agents.entry_points import UnusableAgent

OURS: Mapping[str, str] = {
    "claude-code": "claude_code:ClaudeCode",
    "codex": "codex:Codex",
    "copilot-cli": "copilot_cli:Copilot",
    "pi": "pi:Pi",
    "gemini-cli": "gemini_cli:GeminiCli",
    "opencode": "opencode:OpenCode",
    "cursor": "cursor:Cursor",
    "chatgpt": "exports.chatgpt:CHATGPT",
    "claude-ai": "exports.claude_ai:CLAUDE_AI",
    "huggingchat": "exports.huggingchat:HUGGINGCHAT",
    "neutral": "exports.neutral:Neutral",
    "claude-history": "claude_code.history:ClaudeHistory",
}


def loaded(name: str) -> Source:
    """One of ours, new."""
    module, _, where = OURS[name].partition(":")
    found = getattr(import_module(f"memlane.agents.{module}"), where)
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
    def unloaded(self) -> list[UnusableAgent]:
        """Agents somebody registered that we cannot use."""
        return self._outside[1]

    @cached_property
    def _outside(self) -> tuple[Mapping[str, Source], list[UnusableAgent]]:
        from memlane.agents.entry_points import outside_sources  # noqa: PLC0415 - it looks through all that is installed

        theirs, unloaded = outside_sources(OURS)
        return {source.name: source for source in theirs}, unloaded


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
