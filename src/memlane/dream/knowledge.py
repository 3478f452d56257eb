"""What a Dream knows before it says anything: every Memory that stands, which of them it must leave alone, and why.

Nothing is left out for being too much: a cap comes after the choice, never before it. Everything is handed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast

from memlane.domain import Change, Entry, Feedback, Memory, Outcome, Recall, State
from memlane.domain import journal as kinds

STANDING = (State.ACTIVE, State.HELD)
SHOWN_LATELY = timedelta(days=7)
RATED_LATELY = timedelta(days=30)
PINNED, YOURS, USED = "pinned", "yours", "used this week"
PERSON, DREAM = "person", "dream"
_REWRITES = {Change.MERGED.value, Change.EXACT.value, Change.SHORTER.value}


@dataclass(frozen=True, slots=True)
class Retirement:
    """Why a Dream retired a Memory, and the State it had before."""

    because: str
    state: State


@dataclass(frozen=True, slots=True)
class Past:
    """What the journal says of Memories: whose hand was on them, and what earlier Dreams did."""

    edited: frozenset[str] = frozenset()  # made, changed, answered for or brought back by a person
    rewritten: Mapping[str, int] = field(default_factory=dict[str, int])  # times a Dream changed what it says
    faded: Mapping[str, int] = field(default_factory=dict[str, int])  # points a Dream has taken and not given back
    listed: frozenset[str] = frozenset()  # Memories and `kind:title` that earlier reports named as ideas
    last: datetime | None = None  # when the last Dream that worked had read
    retired: Mapping[str, Retirement] = field(default_factory=dict[str, Retirement])  # by Dreams, and not brought back
    taken_back: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])  # reasons of deletions
    confirmed: frozenset[str] = frozenset()  # retired by a rule we gave up, and rightly so


NOTHING_BEFORE = Past()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The whole of it, as of one moment."""

    now: datetime
    memories: Sequence[Memory]  # all that stand
    elsewhere: frozenset[str]  # ids that are taken by Memories that stand no more
    untouched: Mapping[str, str]  # id → why no Dream changes it
    used: Mapping[str, datetime]  # when it was last told or seen
    votes: Mapping[str, int]  # useful less not useful
    told_from: int  # confidence: what is less sure is told to nobody
    past: Past = NOTHING_BEFORE
    resting: Sequence[Memory] = ()  # retired by a Dream: a Dream may bring them back

    def last_used(self, memory: Memory) -> datetime:
        """What was made just now is new."""
        return max(self.used.get(memory.id, self.now), memory.last_observed_at)

    @property
    def new(self) -> int:
        """Made or seen since the last Dream."""
        last = self.past.last
        return sum(last is None or max(m.saved_at, m.last_observed_at) > last for m in self.memories)


def gather(
    memories: Iterable[Memory],
    recalls: Sequence[Recall],
    judged: Sequence[Feedback],
    past: Past,
    now: datetime,
    told_from: int,
) -> Knowledge:
    """`memories` of every state; Recalls in any order."""
    every = list(memories)
    standing = sorted((memory for memory in every if memory.state in STANDING), key=lambda m: (m.saved_at, m.id))
    shown = _shown(recalls)
    used = {memory.id: max(memory.last_observed_at, shown.get(memory.id, memory.saved_at)) for memory in standing}
    useful = {vote.memory for vote in judged if vote.up and now - vote.at <= RATED_LATELY}
    useful |= {memory for memory, at in shown.items() if now - at <= SHOWN_LATELY}
    votes = Counter[str]()
    for vote in judged:
        votes[vote.memory] += 1 if vote.up else -1
    reasons = ((memory.id, _untouchable(memory, past, useful)) for memory in standing)
    return Knowledge(
        now=now,
        memories=standing,
        elsewhere=frozenset(memory.id for memory in every if memory.state not in STANDING),
        untouched={memory: why for memory, why in reasons if why},
        used=used,
        votes=votes,
        told_from=told_from,
        past=past,
        resting=[memory for memory in every if _rests(memory, past)],
    )


def _rests(memory: Memory, past: Past) -> bool:
    by_dream = memory.state is State.RETIRED and memory.id in past.retired
    return by_dream and not _untouchable(memory, past, set())


def _untouchable(memory: Memory, past: Past, useful: set[str]) -> str:
    if memory.pinned:
        return PINNED
    if memory.maker == PERSON or memory.id in past.edited:
        return YOURS
    return USED if memory.id in useful else ""


def _shown(recalls: Sequence[Recall]) -> dict[str, datetime]:
    """When each was last told because it fitted: at the start of a Run the titles of all that may be named are."""
    shown: dict[str, datetime] = {}
    for recall in recalls:
        if recall.outcome is Outcome.SHOWN and recall.query.moment.tells_what_fits:
            for match in recall.shown:
                shown[match.memory.id] = max(recall.at, shown.get(match.memory.id, recall.at))
    return shown


def past_of(lines: Iterable[Entry]) -> Past:
    """Out of the journal's lines of people and Dreams, oldest first."""
    edited, listed, confirmed, last = set[str](), set[str](), set[str](), None
    retired, taken_back = dict[str, Retirement](), dict[str, frozenset[str]]()
    rewritten, faded = Counter[str](), dict[str, tuple[str, int]]()
    for entry in lines:
        if entry.data.get("change") == Change.RESTORED and entry.id in retired:
            taken_back[entry.id] = taken_back.get(entry.id, frozenset()) | {retired[entry.id].because}
        _retired(entry, retired)
        if entry.actor == PERSON and entry.kind in (kinds.MEMORY, kinds.STATE):
            edited.add(entry.id)
        elif entry.kind == kinds.UNDO:
            _given_back(entry, faded)
        elif entry.actor == DREAM and entry.kind == kinds.MEMORY:
            rewritten[entry.id] += entry.data.get("change") in _REWRITES
            if entry.data.get("change") == Change.FADED:
                faded[entry.id] = str(entry.data["dream"]), cast(int, entry.data["faded"])
        elif entry.kind == kinds.DREAM:
            report = cast(Mapping[str, object], entry.data["dream"])
            for idea in _dicts(report["ideas"]):
                listed |= {f"{idea['kind']}:{idea['title']}", *cast(Sequence[str], idea["memories"])}
            confirmed |= set(cast(Sequence[str], report.get("confirmed", ())))
            last = last if report["failed"] else datetime.fromisoformat(str(report["began"]))
    points = {memory: lost for memory, (_dream, lost) in faded.items() if lost}
    return Past(
        frozenset(edited), rewritten, points, frozenset(listed), last, retired, taken_back, frozenset(confirmed)
    )


def _retired(entry: Entry, retired: dict[str, Retirement]) -> None:
    """The last word on where it is counts."""
    if entry.kind not in (kinds.MEMORY, kinds.STATE):
        return
    retired.pop(entry.id, None)
    if entry.actor == DREAM and entry.kind == kinds.STATE and entry.data.get("change") == Change.RETIRED:
        before = State(str(entry.data["before"]))
        retired[entry.id] = Retirement(str(entry.data.get("because", "")), before)


def _given_back(undo: Entry, faded: dict[str, tuple[str, int]]) -> None:
    """What an undone Dream took is not missing any more. (Its Memories are the person's from then on.)"""
    for one in _dicts(undo.data.get("of", ())):
        taken = faded.get(str(one["id"]))
        if taken is not None and undo.data.get("dream") == taken[0]:
            del faded[str(one["id"])]


def _dicts(value: object) -> Sequence[Mapping[str, object]]:
    return cast("Sequence[Mapping[str, object]]", value)
