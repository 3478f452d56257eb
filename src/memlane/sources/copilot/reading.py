"""One pass over one session: every event goes to who understands it, Turns come out as they are finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from memlane.domain import Facts, Turn
from memlane.sources.copilot.around import Around
from memlane.sources.copilot.noise import is_noise
from memlane.sources.copilot.origin import Origin
from memlane.sources.copilot.spending import Spending
from memlane.sources.copilot.talk import Pending, Talk
from memlane.sources.notes import Notes
from memlane.sources.records import Record, mapping, moment, text
from memlane.sources.source import Line, Transcript
from memlane.sources.writing import Spot, Writing, one_pass

Taker = Callable[[Record, Spot, str], None]


@dataclass(slots=True)
class CopilotState:
    """All a reading knows where it stands."""

    writing: Writing = field(default_factory=Writing)
    notes: Notes = field(default_factory=Notes)
    origin: Origin = field(default_factory=Origin)
    spending: Spending = field(default_factory=Spending)
    pending: Pending = field(default_factory=Pending)
    agents: dict[str, str] = field(default_factory=dict[str, str])
    begun: bool = False


class CopilotReading:
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
        talk = Talk(state.writing, state.notes, state.origin, state.pending)
        around = Around(state.writing, state.notes, state.origin, state.agents, self._transcript.native_id)
        self._takers = self._who_takes(talk, around)
        return one_pass(self._lines, self._read, state.writing, state.notes)

    def _who_takes(self, talk: Talk, around: Around) -> dict[str, Taker]:
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
            spot = Spot(line, moment(record.get("timestamp")), text(record.get("id")))
            taker(mapping(record.get("data")), spot, text(record.get("agentId")))
        elif not is_noise(kind):
            self.state.notes.unknown(kind or "an event without a type")

    # -- what was said, and spent -------------------------------------------------------------------------------------

    def _said(self, talk: Talk, data: Record, spot: Spot, agent: str) -> None:
        self.state.spending.message(data, copied=self.state.origin.is_copied(spot.at))
        talk.said(data, spot, agent)

    def _spent(self, data: Record, spot: Spot, _: str) -> None:
        self.state.spending.request(mapping(data.get("usage")), copied=self.state.origin.is_copied(spot.at))

    def _ended(self, talk: Talk, data: Record, _spot: Spot, _: str) -> None:
        for model in self.state.spending.ended(data):
            self.state.notes.model(model)
        talk.over()

    def _resumed(self, talk: Talk, around: Around, data: Record, spot: Spot, agent: str) -> None:
        talk.over()
        around.moved(data, spot, agent)
