"""Memories made and unmade by hand. The journal first, storage second; nothing is ever deleted by a guess."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from memlane import identity, pipeline
from memlane.domain import Entry, Memory, Scope, State, Trust, Type
from memlane.domain.journal import MEMORY, STATE
from memlane.errors import NotFoundError, UsageError
from memlane.lane.capturing import Capturing
from memlane.lane.home import Home
from memlane.storage import memory_data

LONGEST_NOTE = 8000
LONGEST_TITLE = 120
SURE = 90  # a person said so in as many words


class Remembering:
    def __init__(self, home: Home, capturing: Capturing) -> None:
        self._home = home
        self._capturing = capturing

    def remember(self, text: str, cwd: Path, *, scope: Scope | None = None, type: Type = Type.COMMITMENT) -> Memory:
        """A note in the person's own words: active at once. Secrets in it are masked before anything is written."""
        words = self._home.gate.mask(text.strip())
        if not words:
            raise UsageError("there is nothing to remember", hint='lane remember "deploys go through make ship"')
        if len(words) > LONGEST_NOTE:
            raise UsageError(
                f"a note is at most {LONGEST_NOTE} characters", hint="say what matters; the run keeps the rest"
            )
        self._capturing.begin()
        project = identity.project_of(str(cwd))
        now = self._home.clock()
        memory = Memory(
            id=self._home.tools().new_id("m"),
            owner=self._home.config.user,
            type=type,
            title=_title(words),
            content=words,
            formed_at=now,
            saved_at=now,
            first_observed_at=now,
            last_observed_at=now,
            scope=scope or Scope.PROJECT,
            project=project.name,
            project_key=project.key,
            confidence=SURE,
            reasoning="a person asked for it to be remembered",
            trust=Trust.PERSON,
            maker="person",
            state=State.ACTIVE,
        )
        self._write(MEMORY, memory.id, memory_data(memory))
        return memory

    def memories(self, states: Sequence[State] = (State.HELD, State.ACTIVE, State.PAUSED)) -> Sequence[Memory]:
        return self._home.storage().memories.listed(list(states), self._home.reader)

    def memory(self, given: str) -> Memory:
        memories = self._home.storage().memories
        found = memories.get(self._home.whole_id(given, memories.starting_with), self._home.reader)
        if found is None:
            raise NotFoundError(f"there is no memory {given}", hint="lane mem list")
        return found

    def forget(self, given: str) -> Memory:
        """Out of everything we answer with; `restore` brings it back."""
        return self._to(given, State.FORGOTTEN)

    def restore(self, given: str) -> Memory:
        return self._to(given, State.ACTIVE)

    def _to(self, given: str, state: State) -> Memory:
        memory = self.memory(given)
        if memory.state is not state:
            self._write(STATE, memory.id, {"memory": memory.id, "state": state.value, "before": memory.state.value})
        return self.memory(memory.id)

    def _write(self, kind: str, id: str, data: Mapping[str, object]) -> None:
        home = self._home
        entry = Entry(kind, id, home.clock(), home.config.user, home.config.machine, "person", data)
        pipeline.write_down([entry], home.tools())


def _title(words: str) -> str:
    """The first sentence, if it is short enough to be one."""
    line = " ".join(words.split())
    if len(line) <= LONGEST_TITLE:
        return line
    cut = line[:LONGEST_TITLE]
    for end in (". ", "; ", ", ", " "):
        if (at := cut.rfind(end)) > LONGEST_TITLE // 2:
            return cut[:at].rstrip(".;,") + "…"
    return cut + "…"
