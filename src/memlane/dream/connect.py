"""What is missing, as an idea: each gap nobody was told of yet, with the other Memories about the same things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memlane.domain import Idea, Memory, Type
from memlane.dream.gather import Gathered

MOST = 4  # Memories named beside a gap


def connect(memories: Sequence[Memory], known: Gathered, others: Iterable[Idea] = ()) -> Iterator[Idea]:
    """`others` that nobody was told of follow."""
    yield from _gaps(memories, known)
    yield from (idea for idea in others if f"{idea.kind}:{idea.title}" not in known.past.listed)


def _gaps(memories: Sequence[Memory], known: Gathered) -> Iterator[Idea]:
    for gap in memories:
        if gap.type is Type.GAP and gap.id not in known.past.listed:
            beside = sorted(
                (one for one in memories if _near(gap, one)), key=lambda one: -len(_about(gap) & _about(one))
            )
            yield Idea("gap", gap.title, (gap.id, *(one.id for one in beside[:MOST])), gap.evidence)


def _near(gap: Memory, other: Memory) -> bool:
    same_place = gap.project_key == other.project_key
    return other.id != gap.id and other.type is not Type.GAP and same_place and bool(_about(gap) & _about(other))


def _about(memory: Memory) -> set[str]:
    return {f"{one.type}:{(one.slug or one.raw).casefold()}" for one in memory.related_entities}
