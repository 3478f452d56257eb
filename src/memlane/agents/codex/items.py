"""What the model saw: the agent's words and every call of a rollout, told to CodexTurns."""

from __future__ import annotations

from collections.abc import Callable

from memlane.agents.codex.calls import OpenCall, answer, answers
from memlane.agents.codex.envelopes import Envelope
from memlane.agents.codex.turns import CodexTurns
from memlane.agents.codex.words import (
    INTERRUPTION,
    blocks,
    is_boilerplate,
    is_harness,
    mail,
    said_by_agent,
    shell_line,
    skill_name,
)
from memlane.agents.records import mapping, sequence, text
from memlane.domain import Author, Kind, Relation
from memlane.domain.fence import holds_a_brief

NOT_READABLE = "(a message Codex keeps encrypted)"
IGNORED = frozenset(
    {"compaction", "compaction_summary", "context_compaction", "compaction_trigger", "ghost_snapshot", "other"}
)


def take_item(talk: CodexTurns, envelope: Envelope) -> bool:
    """Whether this type of item is known."""
    kind = text(envelope.payload.get("type"))
    metadata = mapping(envelope.payload.get("internal_chat_message_metadata_passthrough"))
    talk.goes_on(text(metadata.get("turn_id")))
    handler = _HANDLERS.get(kind)
    if handler is not None:
        handler(talk, envelope)
    return handler is not None or kind in IGNORED


def _message(talk: CodexTurns, envelope: Envelope) -> None:
    role = text(envelope.payload.get("role"))
    words = blocks(envelope.payload.get("content"))
    if role == "assistant":
        talk.settle()
        said = said_by_agent("\n".join(words))
        if said:
            talk.add(Author.AGENT, Kind.TEXT, said, envelope)
    elif role == "user":
        _user(talk, envelope, words)
    else:
        _harness(talk, envelope, words)


def _user(talk: CodexTurns, envelope: Envelope, words: list[str]) -> None:
    whole = "\n".join(words)
    command, skill = shell_line(whole), skill_name(whole)
    if whole.lstrip().startswith(INTERRUPTION):
        talk.settle()
        talk.interrupted(envelope)
    elif command:
        talk.ran(command, envelope)
    elif skill:
        talk.book.skill(skill)
        talk.noted(f"skill: {skill}", envelope)
    elif _is_typed(envelope, words):
        talk.heard(whole, envelope, certain=bool(_kinds(envelope)))
    else:
        talk.book.surroundings(whole)
        _harness(talk, envelope, words)


def _is_typed(envelope: Envelope, words: list[str]) -> bool:
    """Newest clients label each block; before, what the harness writes is known by how it begins."""
    kinds = _kinds(envelope)
    if kinds:
        return any(kind.startswith("user.") for kind in kinds)
    return not any(is_harness(block) for block in words)


def _kinds(envelope: Envelope) -> list[str]:
    metadata = mapping(envelope.payload.get("internal_chat_message_metadata_passthrough"))
    return [text(kind) for kind in sequence(metadata.get("content_item_kinds"))]


def _harness(talk: CodexTurns, envelope: Envelope, words: list[str]) -> None:
    shown = [block for block in words if holds_a_brief(block) or not is_boilerplate(block)]
    talk.noted("\n\n".join(shown), envelope)


def _reasoning(talk: CodexTurns, envelope: Envelope) -> None:
    talk.settle()
    thought = blocks(envelope.payload.get("summary")) or blocks(envelope.payload.get("content"))
    if any(thought):
        talk.add(Author.AGENT, Kind.THINKING, "\n\n".join(thought), envelope)


def _call(talk: CodexTurns, envelope: Envelope) -> None:
    talk.settle()
    call = talk.called(envelope)
    if call.result:  # it came before its call
        _answered(talk, call, call.result, envelope)


def _output(talk: CodexTurns, envelope: Envelope) -> None:
    talk.settle()
    payload = envelope.payload
    call = talk.call(text(payload.get("call_id")), envelope)
    output = payload.get("output", payload.get("tools"))
    answer(call, output)
    _answered(talk, call, output, envelope)


def _answered(talk: CodexTurns, call: OpenCall, output: object, envelope: Envelope) -> None:
    words = answers(output) if call.name == "request_user_input" else ""
    if words:
        talk.add(talk.origin.author, Kind.ANSWER, words, envelope)


def take_mail(talk: CodexTurns, envelope: Envelope) -> None:
    """A message between agents. To a spawned agent its task is the prompt."""
    talk.settle()
    payload = envelope.payload
    sort, words = mail("\n".join(blocks(payload.get("content"))))
    mine = talk.origin.relation is Relation.SUBAGENT and talk.origin.agent_path in ("", text(payload.get("recipient")))
    if mine and sort in ("NEW_TASK", ""):
        talk.prompted(words or NOT_READABLE, envelope, by=Author.PROGRAM)
    elif words:
        talk.add(Author.PROGRAM, Kind.TEXT, words, envelope)


_HANDLERS: dict[str, Callable[[CodexTurns, Envelope], None]] = {
    "message": _message,
    "reasoning": _reasoning,
    "agent_message": take_mail,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "web_search_call": _call,
    "tool_search_call": _call,
    "image_generation_call": _call,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "tool_search_output": _output,
}
