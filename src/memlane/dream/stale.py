"""Which Memories does a checkout no longer need? Those about what is gone, and those it now says itself.

The disk is looked at by whoever calls: `look` says what the checkouts of a Memory's project have, as far as there are
any on this Machine. What nobody can look at stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from memlane.claims import says
from memlane.domain import Change, Memory, Proposal, State


@dataclass(frozen=True, slots=True)
class Found:
    """What the checkouts that exist say of one Memory."""

    gone: str = ""  # the file, name of code or project that it is about and that none of them has any more
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # what people and agents read first: name → text


Look = Callable[[Memory], Found]


def stale(memories: Sequence[Memory], look: Look) -> Iterator[Proposal]:
    for memory in memories:
        if memory.state not in (State.ACTIVE, State.HELD):
            continue
        found = look(memory)
        because = f"{found.gone} is gone" if found.gone else _derivable(memory, found.files)
        if because:
            yield Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED),), because)


def _derivable(memory: Memory, files: Mapping[str, str]) -> str:
    """Every sentence of it stands in one of the files, and none of them says otherwise."""
    return next(
        (f"{name} says it" for name, text in files.items() if says(text, name, memory.title, memory.content)), ""
    )
