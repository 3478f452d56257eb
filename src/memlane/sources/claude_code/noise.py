"""Records that carry nothing a person would look for, by type, so that what we do not know yet stands out.

Seen in real files from 2.0.76 to 2.1.219 and in recordings of 2.1.325, or named in the client of that version.
"""

from __future__ import annotations

RECORDS = frozenset(
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

SYSTEM = frozenset(
    {
        "stop_hook_summary",
        "turn_duration",
        "microcompact_boundary",  # only drops old tool results from the context
        "bridge_status",
        "informational",
        "model_refusal_fallback",
    }
)

ATTACHMENTS = frozenset(
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
