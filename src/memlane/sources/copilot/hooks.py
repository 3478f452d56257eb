"""Copilot CLI's hook protocol, as it calls the hooks of a plugin made for Claude Code: theirs in, its own out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memlane.sources.hook_protocol import hook_call as like_claude_code
from memlane.sources.hooks import HookCall, HookMoment
from memlane.sources.records import text

_FRESH = frozenset({"new", "startup", "clear", "compact"})


def hook_call(event: str, given: Mapping[str, object]) -> HookCall | None:
    own = {**given, "session_id": text(given.get("session_id")) or text(given.get("sessionId"))}
    call = like_claude_code(event, own)
    if call is None or call.moment is not HookMoment.RUN_STARTED:
        return call
    return replace(call, fresh_context=text(given.get("source")) in _FRESH)


def hook_answer(context: str) -> Mapping[str, object]:
    """Only what is for the model: it has no place for a line to the person, and reads no other key."""
    return {"additionalContext": context} if context else {}
