"""How Gemini CLI's hooks speak: nearly as Claude Code's, with other names for the events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

from memlane.agents import hook_protocol
from memlane.agents.agent import HookCall, Transcript
from memlane.agents.gemini_cli.parser import without_context
from memlane.agents.gemini_cli.source import GeminiCli

# As it calls the events in which it takes context; ours are what the hook program is told.
NAMES = {"UserPromptSubmit": "BeforeAgent", "PostToolUse": "AfterTool"}
REMIND_AFTER = 25  # prompts: it compresses a chat without an event, and the rules go with it


@dataclass(frozen=True, slots=True)
class GeminiHooks:
    name: str = "gemini-cli"

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        call = hook_protocol.hook_call(event, given)
        if call is None:
            return None
        prompt = without_context(call.prompt)  # what was told at the start stands before the first prompt
        native_id = _native_id(call.transcript_path) or call.native_id
        return replace(call, prompt=prompt, native_id=native_id, remind_after=REMIND_AFTER)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_protocol.hook_answer(NAMES.get(event, event), context, line)


def _native_id(path: str) -> str:
    """As its transcript will be known, by the last parts of its path."""
    found = GeminiCli().recognise(PurePath(*PurePath(path).parts[-3:])) if path else None
    return found.native_id if isinstance(found, Transcript) else ""
