"""One pass over one session: every event goes to who understands it, Turns come out as they are finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from memlane.domain import Facts, Turn
from memlane.sources.copilot.around import Around
from memlane.sources.copilot.noise import is_noise
from memlane.sources.copilot.origin import Origin
from memlane.sources.copilot.spending import Spending
from memlane.sources.copilot.talk import Talk
from memlane.sources.notes import Notes
from memlane.sources.records import Record, mapping, moment, text
from memlane.sources.source import Line, Transcript
from memlane.sources.writing import Spot, Writing, one_pass

Taker = Callable[[Record, Spot, str], None]


class CopilotReading:
    """`facts` is complete once `turns` is exhausted."""

    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._writing = Writing()
        self._notes = Notes()
        self._origin = Origin()
        self._spending = Spending()
        self._begun = False
        self._talk = talk = Talk(self._writing, self._notes, self._origin)
        self._around = around = Around(self._writing, self._notes, self._origin, transcript.native_id)
        self._takers: dict[str, Taker] = {
            "user.message": talk.prompted,
            "assistant.message": self._said,
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
            "session.resume": self._resumed,
            "session.usage_record": self._spent,
            "session.shutdown": self._ended,
            "system.notification": around.notified,
        }

    def turns(self) -> Iterator[Turn]:
        return one_pass(self._lines, self._read, self._writing, self._notes)

    def facts(self) -> Facts:
        notes, origin = self._notes, self._origin
        notes.cwd, notes.branch, notes.remote, notes.version = origin.cwd, origin.branch, origin.remote, origin.version
        notes.parent, notes.relation = origin.parent, origin.relation
        notes.headless = self._talk.nobody_typed
        notes.tokens = self._spending.tokens()
        return notes.facts()

    def _read(self, record: Record, line: int) -> None:
        kind = text(record.get("type"))
        if kind == "session.start":
            if not self._begun:
                self._begun = True
                self._origin.start(record)
            return
        taker = self._takers.get(kind)
        if taker is not None:
            spot = Spot(line, moment(record.get("timestamp")), text(record.get("id")))
            taker(mapping(record.get("data")), spot, text(record.get("agentId")))
        elif not is_noise(kind):
            self._notes.unknown(kind or "an event without a type")

    # -- what was said, and spent -------------------------------------------------------------------------------------

    def _said(self, data: Record, spot: Spot, agent: str) -> None:
        self._spending.message(data, copied=self._origin.is_copied(spot.at))
        self._talk.said(data, spot, agent)

    def _spent(self, data: Record, spot: Spot, _: str) -> None:
        self._spending.request(mapping(data.get("usage")), copied=self._origin.is_copied(spot.at))

    def _ended(self, data: Record, _spot: Spot, _: str) -> None:
        for model in self._spending.ended(data):
            self._notes.model(model)
        self._talk.over()

    def _resumed(self, data: Record, spot: Spot, agent: str) -> None:
        self._talk.over()
        self._around.moved(data, spot, agent)
