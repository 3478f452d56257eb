"""Memories for a guest: the active ones of the Loan, without the words behind them unless their Runs are shared too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memlane.domain import WITHHELD, Loan, Memory, Reader, Selection, State
from memlane.storage.guest.view import GuestView


class GuestMemories(GuestView):
    def get(self, memory: str, reader: Reader) -> Memory | None:
        owner = self._owner(reader)
        found = self._inner.memories.get(memory, owner) if memory in self._loan.memories else None
        return _lent(found, self._loan) if found is not None and found.state is State.ACTIVE else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        return [memory.id for memory in self.listed([State.ACTIVE], reader) if memory.id.startswith(prefix)][:10]

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        return self._all(self._inner.memories.listed([State.ACTIVE], self._owner(reader))) if _active(states) else []

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return len(self.listed(states, reader))

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        return bool(self.listed(states, reader))

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        """Cut to a page here, or the page would say how many others there are."""
        owner = self._owner(reader)
        if not _active(which.states):
            return []
        every = replace(which, states=(State.ACTIVE,), skip=0, limit=None)
        end = None if which.limit is None else which.skip + which.limit
        return self._all(self._inner.memories.found(every, owner))[which.skip : end]

    def from_run(self, run: str, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        owner = self._owner(reader)
        if run not in self._loan.runs or not _active(states):
            return []
        return self._all(self._inner.memories.from_run(run, [State.ACTIVE], owner))

    def embedded(self, memory: str, reader: Reader) -> Sequence[tuple[str, datetime]]:
        owner = self._owner(reader)
        return self._inner.memories.embedded(memory, owner) if memory in self._loan.memories else []

    def _all(self, memories: Sequence[Memory]) -> list[Memory]:
        return [_lent(one, self._loan) for one in memories if one.id in self._loan.memories]


def _active(states: Sequence[State]) -> bool:
    return State.ACTIVE in states


def _lent(memory: Memory, loan: Loan) -> Memory:
    """What was said about it, why it was made and how it did at its owner's stays there."""
    evidence = tuple(one if one.run in loan.runs else WITHHELD for one in memory.evidence)
    whole = bool(evidence) and WITHHELD not in evidence
    return replace(
        memory,
        evidence=evidence,
        source_chunk=memory.source_chunk if whole else "",
        reasoning=memory.reasoning if whole else "",
        alternatives=memory.alternatives if whole else (),
        held_because="",
        superseded_by="",
        recall_count=0,
        pinned=False,
    )
