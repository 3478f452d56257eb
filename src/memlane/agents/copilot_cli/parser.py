"""One pass over one session: each event goes to turns, harness or facts; the rest is noise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from memlane.agents.agent import Line, Transcript
from memlane.agents.builders import FactsBuilder, RecordPlace, TurnBuilder, one_pass
from memlane.agents.copilot_cli.facts import Origin, TokenUsage
from memlane.agents.copilot_cli.harness import Harness
from memlane.agents.copilot_cli.turns import CopilotTurns, Pending
from memlane.agents.records import Record, mapping, moment, text
from memlane.domain import Facts, Turn

Taker = Callable[[Record, RecordPlace, str], None]


@dataclass(slots=True)
class CopilotState:
    """All a reading knows where it stands."""

    writing: TurnBuilder = field(default_factory=TurnBuilder)
    notes: FactsBuilder = field(default_factory=FactsBuilder)
    origin: Origin = field(default_factory=Origin)
    spending: TokenUsage = field(default_factory=TokenUsage)
    pending: Pending = field(default_factory=Pending)
    agents: dict[str, str] = field(default_factory=dict[str, str])
    begun: bool = False


class CopilotParser:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = CopilotState()
        self._takers: dict[str, Taker] = {}

    def turns(self) -> Iterator[Turn]:
        state = self.state
        talk = CopilotTurns(state.writing, state.notes, state.origin, state.pending)
        around = Harness(state.writing, state.notes, state.origin, state.agents, self._transcript.native_id)
        self._takers = self._who_takes(talk, around)
        return one_pass(self._lines, self._read, state.writing, state.notes)

    def _who_takes(self, talk: CopilotTurns, around: Harness) -> dict[str, Taker]:
        return {
            "user.message": talk.prompted,
            "assistant.message": partial(self._said, talk),
            "assistant.reasoning": talk.reasoned,
            "tool.execution_start": talk.started,
            "tool.execution_complete": talk.completed,
            "tool.user_requested": talk.ran,
            "human_response.recorded": talk.responded,
            "permission.completed": talk.permitted,
            "abort": talk.aborted,
            "subagent.started": around.subagent_started,
            "subagent.completed": around.subagent_ended,
            "subagent.failed": around.subagent_ended,
            "skill.invoked": around.skill,
            "session.compaction_complete": around.compacted,
            "session.task_complete": around.task_done,
            "session.handoff": around.handed_over,
            "session.error": around.error,
            "model.call_failure": around.error,
            "session.info": around.info,
            "session.snapshot_rewind": around.rewound,
            "session.truncation": around.truncated,
            "session.context_cleared": around.cleared,
            "session.context_changed": around.moved,
            "session.title_changed": around.titled,
            "session.resume": partial(self._resumed, talk, around),
            "session.usage_record": self._spent,
            "session.shutdown": partial(self._ended, talk),
            "system.notification": around.notified,
        }

    def facts(self) -> Facts:
        notes, origin = self.state.notes, self.state.origin
        notes.cwd, notes.branch, notes.remote, notes.version = origin.cwd, origin.branch, origin.remote, origin.version
        notes.parent, notes.relation = origin.parent, origin.relation
        notes.headless = self.state.pending.nobody_typed
        notes.tokens = self.state.spending.tokens()
        return notes.facts()

    def _read(self, record: Record, line: int) -> None:
        kind = text(record.get("type"))
        if kind == "session.start":
            if not self.state.begun:
                self.state.begun = True
                self.state.origin.start(record)
            return
        taker = self._takers.get(kind)
        if taker is not None:
            spot = RecordPlace(line, moment(record.get("timestamp")), text(record.get("id")))
            taker(mapping(record.get("data")), spot, text(record.get("agentId")))
        elif not is_noise(kind):
            self.state.notes.unknown(kind or "an event without a type")

    # -- what was said, and spent -------------------------------------------------------------------------------------

    def _said(self, talk: CopilotTurns, data: Record, spot: RecordPlace, agent: str) -> None:
        self.state.spending.message(data, copied=self.state.origin.is_copied(spot.at))
        talk.said(data, spot, agent)

    def _spent(self, data: Record, spot: RecordPlace, _: str) -> None:
        self.state.spending.request(mapping(data.get("usage")), copied=self.state.origin.is_copied(spot.at))

    def _ended(self, talk: CopilotTurns, data: Record, _spot: RecordPlace, _: str) -> None:
        for model in self.state.spending.ended(data):
            self.state.notes.model(model)
        talk.over()

    def _resumed(self, talk: CopilotTurns, around: Harness, data: Record, spot: RecordPlace, agent: str) -> None:
        talk.over()
        around.moved(data, spot, agent)


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
