"""Events that tell nothing about a Run: of the moment only, about settings, or said again elsewhere in the file."""

from __future__ import annotations

# `hook.start` repeats prompts and results, `model.messages_snapshot` everything; `system.message` is the whole prompt.
_FAMILIES = (
    "hook.", "model.", "mcp.", "mcp_app.", "factory.", "session.canvas.", "session.schedule_", "session.extensions",
    "session.managed_settings_", "command.", "commands.", "capabilities.", "sampling.", "elicitation.",
    "external_tool.", "auto_mode_switch.", "session_limits_exhausted.", "exit_plan_mode.", "user_input.",
    "pending_messages.", "tool_search.", "ui.",
)  # fmt: skip
_EVENTS = frozenset({
    "assistant.idle", "assistant.intent", "assistant.message_delta", "assistant.message_start",
    "assistant.reasoning_delta", "assistant.server_tool_progress", "assistant.streaming_delta",
    "assistant.tool_call_delta", "assistant.turn_end", "assistant.turn_retry", "assistant.turn_start",
    "assistant.usage", "agent.interrupted", "permission.requested", "session.auto_mode_resolved",
    "session.autopilot_objective_changed", "session.background_tasks_changed", "session.binary_asset",
    "session.compaction_start", "session.custom_agents_updated", "session.custom_notification", "session.idle",
    "session.mcp_server_status_changed", "session.mcp_servers_loaded", "session.mode_changed",
    "session.mode_notice_delivered", "session.model_change", "session.permissions_changed", "session.plan_changed",
    "session.remote_steerable_changed", "session.session_limits_changed", "session.skills_loaded",
    "session.todos_changed", "session.tools_updated", "session.usage_checkpoint", "session.usage_info",
    "session.warning", "session.workspace_file_changed", "subagent.configured", "subagent.deselected",
    "subagent.selected", "system.message", "tool.execution_partial_result", "tool.execution_progress",
})  # fmt: skip


def is_noise(kind: str) -> bool:
    return kind in _EVENTS or kind.startswith(_FAMILIES)
