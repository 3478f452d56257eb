"""How a Memory ages: it fades unused, leaves when stale, graduates when often seen; gaps are ideas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from memlane.claims import says
from memlane.domain import Change, Confirmation, Idea, Memory, Proposal, State, Type, derived_id
from memlane.dream.knowledge import NOTHING_BEFORE, Knowledge, Past, Retirement

UNUSED = timedelta(days=90)  # nothing fades before
A_POINT = timedelta(days=30)  # of confidence, for each month that follows
LEAST = 40  # what is less sure than this would not have been kept in the first place
UNWANTED = -2  # votes


def fade(memories: list[Memory], known: Knowledge) -> Iterator[Proposal]:
    """One point less for each month without use; all of them back when it is used again."""
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
            because = f"not used for {idle.days} days and rated not useful {-votes} times"
            yield Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED),), because)


def _points(memory: Memory, known: Knowledge) -> int:
    """A standing rule is in use whenever a run begins."""
    if memory.always:
        return 0
    return max(0, (known.now - known.last_used(memory) - UNUSED) // A_POINT)


def _said(due: int, lost: int) -> str:
    if due < lost:
        return "it is used again"
    return f"not used for {UNUSED.days + due * A_POINT.days} days"


@dataclass(frozen=True, slots=True)
class CheckoutFinding:
    """What the checkouts that exist say of one Memory."""

    gone: str = ""  # how the default branch's history says that all its files were deleted
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # what people and agents read first: name → text
    there: str = ""  # a file of it that exists, in a checkout or on the default branch
    here: bool = False  # a checkout of its project is on this Machine


Look = Callable[[Memory], CheckoutFinding]
Knows = Callable[[Memory, str], bool]  # whether a checkout of its project has a commit
# The reason dreams gave when a file missing from the checkout still counted as gone.
_OLD_RULE = re.compile(r" is gone$")
_DELETED = re.compile(r" was deleted from .+ on \d{4}-\d\d-\d\d \((?P<commit>[0-9a-f]+)\)$")
_SAID = re.compile(r"^\S+ says it$")
# A memory that says that a file was removed, or must not come back, needs no file.
_TELLS_ITS_END = re.compile(
    r"\b(?:removed|deleted|dropped|retired|obsolete|deprecated|replaced|superseded|gone|moved|renamed|no longer"
    r"|used to)\b|(?:\b(?:never|not|no|nor|without)|n['’]t)\b[^.!?\n]{0,60}\b(?:back|again|restor\w+|recreat\w+"
    r"|reviv\w+|reinstat\w+|resurrect\w*|reintroduc\w+|readd\w*|re-\w+)\b"
    r"|\b(?:gelöscht|entfernt|ersetzt|umbenannt|verschoben|(?:nie|nicht) wieder|nicht mehr)\b"
    r"|削除|消した|廃止|復活|戻さ|再追加|移動|改名",
    re.IGNORECASE,
)


def stale(memories: Sequence[Memory], look: Look, past: Past = NOTHING_BEFORE) -> Iterator[Proposal]:
    """A reason that was taken back once is none any more: another Machine may not have heard of it yet."""
    for memory in memories:
        if memory.state not in (State.ACTIVE, State.HELD):
            continue
        found = look(memory)
        because = _deleted(memory, found) or _derivable(memory, found.files)
        if because and because not in past.taken_back.get(memory.id, ()):
            yield Proposal(Change.RETIRED, (memory,), (replace(memory, state=State.RETIRED),), because)


def restored(known: Knowledge, look: Look, knows: Knows) -> Iterator[Proposal | Confirmation]:
    """What Dreams retired comes back when the reason is gone: its file is there, or none says it any more. What they
    retired by the old rule comes back unless the history says that its file was deleted."""
    for memory in known.resting:
        was = known.past.retired[memory.id]
        if not any(rule.search(was.because) for rule in (_OLD_RULE, _DELETED, _SAID)):
            continue
        deletion = _DELETED.search(was.because)
        if deletion and not knows(memory, deletion["commit"]):
            continue  # a checkout that is older than the deletion still has the file
        old = _OLD_RULE.search(was.because) is not None and memory.id not in known.past.confirmed
        found = look(memory)
        if old and found.here and not found.there and _deleted(memory, found):
            yield Confirmation(memory.id)
        elif because := _reason_gone(memory, was, found, old=old):
            yield Proposal(Change.RESTORED, (memory,), (replace(memory, state=was.state),), because)


def _reason_gone(memory: Memory, was: Retirement, found: CheckoutFinding, *, old: bool) -> str:
    if not found.here:
        return ""
    if _SAID.search(was.because):
        return "" if _derivable(memory, found.files) else was.because.replace(" says it", " no longer says it")
    if found.there:
        return f"{found.there} exists" if old else f"{found.there} is back"
    return "the default branch does not say that its file was deleted" if old else ""


def _deleted(memory: Memory, found: CheckoutFinding) -> str:
    return "" if _TELLS_ITS_END.search(memory.text) else found.gone


def _derivable(memory: Memory, files: Mapping[str, str]) -> str:
    """Every sentence of it is in one of the files, and none of them contradicts it."""
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
