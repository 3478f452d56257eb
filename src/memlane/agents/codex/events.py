"""What the client saw: typed prompts, interruptions, reviews and how calls ended, told to CodexTurns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memlane.agents.codex.calls import ended
from memlane.agents.codex.envelopes import Envelope
from memlane.agents.codex.turns import IMAGE, CodexTurns
from memlane.agents.codex.words import blocks
from memlane.agents.records import mapping, number, text
from memlane.domain import Author, Kind

EventTaker = Callable[[CodexTurns, Envelope], None]

# Said again elsewhere in the same file (mostly as response items), or of the moment only.
IGNORED_EVENTS = frozenset({
    "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
    "collab_agent_interaction_end", "collab_agent_spawn_end", "collab_close_end", "collab_resume_end",
    "collab_waiting_end", "context_compacted", "dynamic_tool_call_request", "exec_command_begin", "guardian_assessment",
    "image_generation_end", "item_started", "patch_apply_begin", "plan_update", "session_configured",
    "sub_agent_activity", "thread_goal_updated", "thread_settings_applied", "turn_diff", "warning",
    "web_search_begin", "web_search_end",
})  # fmt: skip
IGNORED_ITEMS = frozenset({
    "AgentMessage", "CollabAgentToolCall", "ContextCompaction", "Extension", "HookPrompt", "ImageGeneration", "Plan",
    "Reasoning", "Sleep", "SubAgentActivity", "WebSearch",
})  # fmt: skip


def take_event(talk: CodexTurns, envelope: Envelope) -> str:
    """What sort of event this is if it is a stranger, else nothing."""
    kind = text(envelope.payload.get("type"))
    if kind == "item_completed":
        return _take_finished(talk, envelope)
    handler = _EVENTS.get(kind)
    if handler is not None:
        handler(talk, envelope)
    return "" if handler is not None or kind in IGNORED_EVENTS else kind or "an event without a type"


def _take_finished(talk: CodexTurns, envelope: Envelope) -> str:
    payload, item = envelope.payload, mapping(envelope.payload.get("item"))
    kind, thread = text(item.get("type")), text(payload.get("thread_id"))
    if thread and talk.origin.thread and thread != talk.origin.thread:
        return ""  # a reviewer's, working inside this file
    handler = _ITEMS.get(kind)
    if handler is not None:
        talk.goes_on(text(payload.get("turn_id")))
        handler(talk, replace(envelope, payload=item))
    return "" if handler is not None or kind in IGNORED_ITEMS else f"item_completed/{kind}"


def _typed(talk: CodexTurns, envelope: Envelope) -> None:
    """A person's prompt. While a review runs it is the reviewer's instruction, which nobody typed."""
    if talk.reviewing:
        return
    payload = envelope.payload
    message = text(payload.get("message")) or "\n".join(blocks(payload.get("content")))
    talk.typed(message if message.strip() else IMAGE, envelope)


def _started(talk: CodexTurns, envelope: Envelope) -> None:
    talk.begins_task(text(envelope.payload.get("turn_id")))


def _completed(talk: CodexTurns, envelope: Envelope) -> None:
    talk.settle()
    talk.reviewing = False
    _trouble(talk, envelope, mapping(envelope.payload.get("error")).get("message"))


def _aborted(talk: CodexTurns, envelope: Envelope) -> None:
    talk.settle()
    talk.reviewing = False
    reason = text(envelope.payload.get("reason")) or "interrupted"
    if reason == "interrupted":
        talk.interrupted(envelope)
    else:
        talk.noted(f"turn ended: {reason}", envelope)


def _failed(talk: CodexTurns, envelope: Envelope) -> None:
    _trouble(talk, envelope, envelope.payload.get("message"))


def _trouble(talk: CodexTurns, envelope: Envelope, message: object) -> None:
    if text(message):
        talk.add(Author.SYSTEM, Kind.ERROR, text(message), envelope)


def _rolled_back(talk: CodexTurns, envelope: Envelope) -> None:
    """The withdrawn turns stay in the file: what was tried is worth knowing."""
    talk.settle()
    talk.noted(f"rolled back, turns withdrawn: {number(envelope.payload.get('num_turns'))}", envelope)


def _review_entered(talk: CodexTurns, envelope: Envelope) -> None:
    """`/review`: the person chose what to look at; only instructions of their own are words they typed."""
    payload = envelope.payload
    talk.settle()
    talk.goes_on(text(payload.get("turn_id")))
    talk.reviewing = True
    talk.book.command("/review")
    instructions = text(mapping(payload.get("target")).get("instructions")).strip()
    if instructions:
        talk.prompted(instructions, envelope)
    else:
        talk.commanded(f"/review {text(payload.get('user_facing_hint'))}".strip(), envelope)


def _review_left(talk: CodexTurns, _: Envelope) -> None:
    talk.reviewing = False


def _call_ended(talk: CodexTurns, envelope: Envelope) -> None:
    payload = envelope.payload
    call = talk.call_of_event(text(payload.get("call_id")) or text(payload.get("id")))
    if call is not None:
        ended(call, payload, talk.cwd)


def _counted(talk: CodexTurns, envelope: Envelope) -> None:
    info = mapping(envelope.payload.get("info"))
    talk.book.count(info, grown_from_parent=talk.origin.relation is not None)


def _named(talk: CodexTurns, envelope: Envelope) -> None:
    talk.book.title = text(envelope.payload.get("thread_name")) or talk.book.title


_EVENTS: dict[str, EventTaker] = {
    "user_message": _typed,
    "task_started": _started,
    "turn_started": _started,
    "task_complete": _completed,
    "turn_complete": _completed,
    "turn_aborted": _aborted,
    "error": _failed,
    "stream_error": _failed,
    "thread_rolled_back": _rolled_back,
    "entered_review_mode": _review_entered,
    "exited_review_mode": _review_left,
    "exec_command_end": _call_ended,
    "patch_apply_end": _call_ended,
    "mcp_tool_call_end": _call_ended,
    "dynamic_tool_call_response": _call_ended,
    "view_image_tool_call": _call_ended,
    "token_count": _counted,
    "thread_name_updated": _named,
}
_ITEMS: dict[str, EventTaker] = {
    "UserMessage": _typed,
    "CommandExecution": _call_ended,
    "FileChange": _call_ended,
    "McpToolCall": _call_ended,
    "DynamicToolCall": _call_ended,
    "ImageView": _call_ended,
    "EnteredReviewMode": _review_entered,
    "ExitedReviewMode": _review_left,
}
