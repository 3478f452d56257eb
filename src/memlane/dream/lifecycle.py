"""How a Memory ages: it fades unused, leaves when stale, graduates when often seen; gaps are ideas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from memlane.claims import says
from memlane.domain import Change, Idea, Memory, Proposal, State, Type, derived_id
from memlane.dream.knowledge import Knowledge

UNUSED = timedelta(days=90)  # nothing fades before
A_POINT = timedelta(days=30)  # of confidence, for each month that follows
LEAST = 40  # what is less sure than this would not have been kept in the first place
UNWANTED = -2  # votes


def fade(memories: list[Memory], known: Knowledge) -> Iterator[Proposal]:
    """Lower by what is missing since its last use, or back where it was."""
    for memory in memories:
        if memory.state is not State.ACTIVE:
            continue
        lost = known.past.faded.get(memory.id, 0)
        whole = min(100, memory.confidence + lost)
        due = min(_points(memory, known), max(0, whole - LEAST))
        if due != lost:
            yield Proposal(Change.FADED, (memory,), (replace(memory, confidence=whole - due),), _said(due, lost))


def unwanted(memories: list[Memory], known: Knowledge) -> Iterator[Proposal]:
    for memory in memories:
        votes, idle = known.votes.get(memory.id, 0), known.now - known.last_used(memory)
        if votes <= UNWANTED and idle >= UNUSED:
            because = f"not used for {idle.days} days, and found not useful {-votes} times"
            yield Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED),), because)


def _points(memory: Memory, known: Knowledge) -> int:
    return max(0, (known.now - known.last_used(memory) - UNUSED) // A_POINT)


def _said(due: int, lost: int) -> str:
    if due < lost:
        return "it is used again"
    return f"nobody used it for {UNUSED.days + due * A_POINT.days} days"


@dataclass(frozen=True, slots=True)
class CheckoutFinding:
    """What the checkouts that exist say of one Memory."""

    gone: str = ""  # the file, name of code or project that it is about and that none of them has any more
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # what people and agents read first: name → text


Look = Callable[[Memory], CheckoutFinding]


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


ENOUGH = 3  # times it was seen, in as many Runs


def graduate(memories: list[Memory], now: datetime) -> Iterator[Proposal]:
    for memory in memories:
        runs = {evidence.run for evidence in memory.evidence if evidence.run}
        ripe = memory.type is Type.PATTERN_SEED and memory.state is State.ACTIVE
        if ripe and min(memory.times_observed, len(runs)) >= ENOUGH:
            made = _commitment(memory, now)
            left = replace(memory, state=State.SUPERSEDED, superseded_by=made.id)
            because = f"seen {memory.times_observed} times in {len(runs)} runs"
            yield Proposal(Change.GRADUATED, (memory,), (left, made), because)


def _commitment(seed: Memory, now: datetime) -> Memory:
    first, last = seed.first_observed_at.date(), seed.last_observed_at.date()
    how_often = f"Seen {seed.times_observed} times, from {first} to {last}."
    return replace(
        seed,
        id=derived_id("m", seed.id, Type.COMMITMENT.value),
        type=Type.COMMITMENT,
        content=f"{seed.content.rstrip()}\n\n{how_often}".lstrip(),
        saved_at=now,
        recall_count=0,
        reasoning=f"It was seen {seed.times_observed} times. {seed.reasoning}".rstrip(),
    )


MOST_BESIDE = 4  # Memories named beside a gap


def connect(memories: Sequence[Memory], known: Knowledge, others: Iterable[Idea] = ()) -> Iterator[Idea]:
    """`others` that nobody was told of follow."""
    yield from _gaps(memories, known)
    yield from (idea for idea in others if f"{idea.kind}:{idea.title}" not in known.past.listed)


def _gaps(memories: Sequence[Memory], known: Knowledge) -> Iterator[Idea]:
    for gap in memories:
        if gap.type is Type.GAP and gap.id not in known.past.listed:
            beside = sorted(
                (one for one in memories if _near(gap, one)), key=lambda one: -len(_about(gap) & _about(one))
            )
            yield Idea("gap", gap.title, (gap.id, *(one.id for one in beside[:MOST_BESIDE])), gap.evidence)


def _near(gap: Memory, other: Memory) -> bool:
    same_place = gap.project_key == other.project_key
    return other.id != gap.id and other.type is not Type.GAP and same_place and bool(_about(gap) & _about(other))


def _about(memory: Memory) -> set[str]:
    return {f"{one.type}:{(one.slug or one.raw).casefold()}" for one in memory.related_entities}
