"""The hook protocol that Claude Code began and others took over: which event means what, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from memlane.agents.agent import HookCall, HookMoment
from memlane.agents.records import text

MOMENTS = {
    "SessionStart": HookMoment.RUN_STARTED,
    "SubagentStart": HookMoment.RUN_STARTED,
    "UserPromptSubmit": HookMoment.PROMPT_SUBMITTED,
    "PostToolUse": HookMoment.FILE_TOUCHED,
    "Stop": HookMoment.RUN_STOPPED,
    "SubagentStop": HookMoment.RUN_STOPPED,
    "PreCompact": HookMoment.RUN_STOPPED,
    "SessionEnd": HookMoment.RUN_ENDED,
    "Outcome": HookMoment.RUN_JUDGED,  # of our own scripts: no agent has such an event
}
ANSWERED = "Stop"
SAID = ("last_assistant_message", "prompt_response")  # what agents call the words that a turn ended with
FILES = ("file_path", "filePath", "notebook_path", "path")  # what agents call the file a tool is given
VSCODE = "hookEventName"  # VS Code also runs hooks that are not made for it, and it alone has this; its own take it out
# A resumed session still has what it was told in its context; the others begin without it.
_FIRST = frozenset({"startup"})
_FRESH = _FIRST | {"clear", "compact"}


def hook_call(event: str, given: Mapping[str, object]) -> HookCall | None:
    if VSCODE in given:
        return None
    moment, command = MOMENTS.get(event), ""
    if moment is HookMoment.FILE_TOUCHED and (command := _in_tool(given, "command")):
        moment = HookMoment.COMMAND_RUN
    session, subagent = text(given.get("session_id")), text(given.get("agent_id"))
    if moment is None or not session:
        return None
    return HookCall(
        moment=moment,
        native_id=f"{session}/agent-{subagent}" if subagent else session,  # a context of its own
        parent_id=session if subagent else "",
        cwd=text(given.get("cwd")),
        transcript_path=text(given.get("agent_transcript_path")) or text(given.get("transcript_path")),
        file=_in_tool(given, *FILES) if moment is HookMoment.FILE_TOUCHED else "",
        command=command,
        prompt=text(given.get("prompt")),
        said=next((found for name in SAID if (found := text(given.get(name)))), "") if event == ANSWERED else "",
        success=given.get("success") is True,
        fresh_context=moment is HookMoment.RUN_STARTED and (bool(subagent) or text(given.get("source")) in _FRESH),
        first=moment is HookMoment.RUN_STARTED and text(given.get("source")) in _FIRST,
    )


def _in_tool(given: Mapping[str, object], *names: str) -> str:
    """The first of these that the tool was given."""
    tool_input = given.get("tool_input")
    if not isinstance(tool_input, dict):
        return ""
    values = cast(Mapping[str, object], tool_input)
    return next((found for name in names if (found := text(values.get(name)))), "")


class ScriptHooks:
    """For a program of ours inside an agent: it speaks as Claude Code does, and takes the answer apart itself."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        return hook_call(event, given)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:  # noqa: ARG002 - a verb of Hooks
        return {name: text for name, text in (("context", context), ("line", line)) if text}


def hook_answer(event: str, context: str, line: str) -> Mapping[str, object]:
    answer: dict[str, object] = {}
    if context:
        answer["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": context}
    if line:
        answer["systemMessage"] = line
    return answer
