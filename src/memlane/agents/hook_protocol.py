"""The hook protocol that Claude Code began and others took over: which event means what, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from memlane.agents.agent import HookCall, HookMoment
from memlane.agents.records import text

MOMENTS = {
    "SessionStart": HookMoment.RUN_STARTED,
    "UserPromptSubmit": HookMoment.PROMPT_SUBMITTED,
    "PostToolUse": HookMoment.FILE_TOUCHED,
    "Stop": HookMoment.RUN_STOPPED,
    "SubagentStop": HookMoment.RUN_STOPPED,
    "PreCompact": HookMoment.RUN_STOPPED,
    "SessionEnd": HookMoment.RUN_ENDED,
}
# A resumed session still has what it was told in its context; the others begin without it.
_FRESH = frozenset({"startup", "clear", "compact"})


def hook_call(event: str, given: Mapping[str, object]) -> HookCall | None:
    moment = MOMENTS.get(event)
    session, subagent = text(given.get("session_id")), text(given.get("agent_id"))
    if moment is None or not session:
        return None
    return HookCall(
        moment=moment,
        native_id=f"{session}/agent-{subagent}" if subagent else session,  # a context of its own
        parent_id=session if subagent else "",
        cwd=text(given.get("cwd")),
        transcript_path=text(given.get("agent_transcript_path")) or text(given.get("transcript_path")),
        file=_file(given.get("tool_input")) if moment is HookMoment.FILE_TOUCHED else "",
        prompt=text(given.get("prompt")),
        fresh_context=moment is HookMoment.RUN_STARTED and text(given.get("source")) in _FRESH,
    )


def _file(tool_input: object) -> str:
    if not isinstance(tool_input, dict):
        return ""
    values = cast(Mapping[str, object], tool_input)
    return text(values.get("file_path")) or text(values.get("notebook_path"))


def hook_answer(event: str, context: str, line: str) -> Mapping[str, object]:
    answer: dict[str, object] = {}
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    if line:
        answer["systemMessage"] = line
    return answer
