"""An act by hand: the lines a person's one command writes, all with the same time, so that they can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memlane.app.home import Home
from memlane.domain import Entry, Memory, derived_id
from memlane.domain.journal import MEMORY, STATE
from memlane.flow.journal import write_down
from memlane.storage import memory_data

PERSON, OURS, DREAM, AGENT = "person", "lane", "dream", "agent"
BY_INIT = "imported by lane init"  # why a Memory of a person was written: not by a command of its own
_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class ActLine:
    """One line to be written: who else than the person did it is said."""

    kind: str
    id: str
    data: Mapping[str, object]
    actor: str = PERSON


def actor_of(agent: str) -> str:
    """Of a line that an agent asked for; of the person's own where none is named."""
    return f"{AGENT}:{agent}" if agent else PERSON


class ActWriter:
    """Writes acts. No two acts of one process have the same time, whatever the clock says."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._used = set[datetime]()

    def write(self, lines: Sequence[ActLine]) -> str:
        """Durable and in storage on return; the act's id."""
        home = self._home
        at = home.clock().astimezone(UTC)
        while at in self._used:
            at += _TICK
        self._used.add(at)
        user, machine = home.config.user, home.config.machine
        entries = [Entry(line.kind, line.id, at, user, machine, line.actor, line.data) for line in lines]
        write_down(entries, home.tools())
        return act_id(machine, at)


def act_id(machine: str, at: datetime) -> str:
    return derived_id("a", machine, at.astimezone(UTC).isoformat())


def memory_line(memory: Memory, actor: str = PERSON, **more: object) -> ActLine:
    return ActLine(MEMORY, memory.id, {**memory_data(memory), **more}, actor)


def state_line(before: Memory, after: Memory, **more: object) -> ActLine:
    data: dict[str, object] = {"memory": after.id, "state": after.state.value, "before": before.state.value}
    if after.superseded_by:
        data["superseded_by"] = after.superseded_by
    return ActLine(STATE, after.id, {**data, **more})
