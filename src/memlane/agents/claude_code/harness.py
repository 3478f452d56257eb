"""What the client itself writes: `system` and `attachment` records, and the record types that are noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memlane.agents.claude_code.authors import Utterance, words_in
from memlane.agents.claude_code.facts import ClaudeCodeFacts
from memlane.agents.plugin_names import PLUGIN
from memlane.agents.records import Record, mapping, sequence, text
from memlane.domain import Author, Kind


def system_words(record: Record, about: ClaudeCodeFacts, *, subagent: bool) -> Iterator[Utterance]:
    subtype, said = text(record.get("subtype")), text(record.get("content"))
    match subtype:
        case "local_command":  # newer builds write here what the client runs itself
            ours = mapping(record.get("commandRun")).get("plugin") == PLUGIN  # our mod answered it
            for words in words_in({"entrypoint": about.entrypoint}, said, subagent=subagent):
                yield replace(words, starts=False, ours=ours or words.ours)
        case "api_error":
            yield Utterance(Author.SYSTEM, Kind.ERROR, _api_error(record))
        case "away_summary" if said:
            yield Utterance(Author.AGENT, Kind.META, said)
        case "compact_boundary" | "" if said:  # the oldest builds have no subtypes
            yield Utterance(Author.SYSTEM, Kind.META, said)
        case _ if subtype not in NOISE_SUBTYPES:
            about.unknown(f"system/{subtype}")
        case _:
            return


def attachment_words(attachment: Record, about: ClaudeCodeFacts) -> Iterator[Utterance]:
    kind = text(attachment.get("type"))
    match kind:
        case "hook_additional_context":  # our own briefs come back here
            parts = attachment.get("content")
            said = text(parts) or "\n".join(text(part) for part in sequence(parts))
        case "context_sections":  # what a mod adds when a context begins
            parts = [mapping(part) for part in sequence(attachment.get("sections"))]
            said = "\n".join(text(part.get("text")) for part in parts)
        case "file" | "goal_status":
            said = text(attachment.get("filename")) or text(attachment.get("content"))
        case _:
            said = ""
            if kind not in NOISE_ATTACHMENTS:
                about.unknown(f"attachment/{kind}")
    if said:
        yield Utterance(Author.SYSTEM, Kind.META, said)


def link_words(record: Record) -> Utterance:
    return Utterance(Author.SYSTEM, Kind.META, text(record.get("prUrl")))


def _api_error(record: Record) -> str:
    error = mapping(record.get("error"))
    inner, cause = mapping(error.get("error")), mapping(error.get("cause"))
    told = (error.get("formatted"), inner.get("message"), error.get("message"), cause.get("code"), record.get("error"))
    return next((said for said in map(text, told) if said), "API error")


NOISE_RECORDS = frozenset(
    {
        "progress",  # a quarter of all records up to 2.1.81, among them copies of whole subagent runs
        "file-history-snapshot",
        "file-history-delta",
        "last-prompt",
        "permission-mode",
        "mode",
        "bridge-session",
        "frame-link",
        "agent-color",
        "agent-setting",
        "api-request",  # the request rows repeat the conversation: reading them would index everything twice
        "api-request-blob",
        "api-request-shape",
        "artifact-autoreact-ledger",
        "artifact-comment-monitor",
        "atis-latch",
        "content-replacement",
        "continued-in",
        "data-flow-incomplete",
        "data-flow-records",
        "derived-from",
        "dev-mods",
        "ended-by-model",
        "history-suppression",
        "isolation-latch",
        "relocated",
        "repl-mode",
        "resume-head-vouch",
        "tag",
        "tools-used",
        "worktree-state",
    }
)

NOISE_SUBTYPES = frozenset(
    {
        "stop_hook_summary",
        "turn_duration",
        "microcompact_boundary",  # only drops old tool results from the context
        "bridge_status",
        "informational",
        "model_refusal_fallback",
    }
)

NOISE_ATTACHMENTS = frozenset(
    {
        "agent_listing_delta",
        "async_hook_response",
        "auto_mode",
        "auto_mode_exit",
        "command_permissions",
        "compact_file_reference",
        "date",
        "date_change",
        "deferred_tools_delta",
        "diagnostics",
        "directory",
        "edited_text_file",
        "environment",
        "hook_blocking_error",
        "hook_cancelled",
        "hook_non_blocking_error",
        "hook_success",
        "hook_system_message",
        "invoked_skills",
        "mcp_instructions_delta",
        "model",
        "nested_memory",
        "opened_file_in_ide",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "prompt_snapshot",  # the whole system prompt
        "remote_session_change",
        "selected_lines_in_ide",
        "session_context",
        "skill_listing",
        "task_reminder",
        "todo_reminder",
        "total_tokens_reminder",
        "ultra_effort_enter",
    }
)
