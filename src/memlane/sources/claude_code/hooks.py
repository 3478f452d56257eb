"""Claude Code's hook protocol: which event means what, and how it wants its answer."""

from __future__ import annotations

from collections.abc import Mapping

from memlane.sources.hooks import HookCall, HookMoment
from memlane.sources.records import text

MOMENTS = {
    "SessionStart": HookMoment.RUN_STARTED,
    "UserPromptSubmit": HookMoment.PROMPT_SUBMITTED,
    "Stop": HookMoment.RUN_STOPPED,
    "SessionEnd": HookMoment.RUN_ENDED,
}
# A resumed session still has what it was told in its context; the others begin without it.
_FRESH = frozenset({"startup", "clear", "compact"})


def hook_call(event: str, given: Mapping[str, object]) -> HookCall | None:
    moment = MOMENTS.get(event)
    native_id = text(given.get("session_id"))
    if moment is None or not native_id:
        return None
    return HookCall(
        moment=moment,
        native_id=native_id,
        cwd=text(given.get("cwd")),
        transcript_path=text(given.get("transcript_path")),
        prompt=text(given.get("prompt")),
        fresh_context=moment is HookMoment.RUN_STARTED and text(given.get("source")) in _FRESH,
    )


def hook_answer(event: str, context: str, line: str) -> Mapping[str, object]:
    answer: dict[str, object] = {}
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    if line:
        answer["systemMessage"] = line
    return answer
