"""What an agent's hooks tell and take: the second, optional face of a Source. Pure: JSON values in, JSON values out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class HookMoment(StrEnum):
    """When an agent calls us, whatever it calls the event itself."""

    RUN_STARTED = "run-started"
    PROMPT_SUBMITTED = "prompt-submitted"
    FILE_TOUCHED = "file-touched"  # read or changed, and the model has not gone on yet
    RUN_STOPPED = "run-stopped"  # a turn ended, or a context is about to be compacted: new bytes to capture
    RUN_ENDED = "run-ended"


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call of a hook, in our words."""

    moment: HookMoment
    native_id: str
    cwd: str
    transcript_path: str = ""
    prompt: str = ""
    file: str = ""
    parent_id: str = ""  # native id of the run whose subagent calls
    fresh_context: bool = False  # the agent has just forgotten what it was told: a new run, a clear, a compaction


@runtime_checkable
class Hookable(Protocol):
    """A Source whose agent calls hooks."""

    @property
    def name(self) -> str: ...

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        """None for an event we do not know: the agent gets nothing."""
        ...

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        """What the agent wants printed: `context` for its model, `line` for the person."""
        ...
