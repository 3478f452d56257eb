"""Which Proposals may be applied? Rules that do not trust whoever proposed; each refusal names the one that said no.

Proposals are looked at in their order, each against the state that those before it would leave.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from memlane.domain import LEAST_TRUSTED_LAST, Change, Doubt, Memory, Proposal, Refusal, Scope, State, Trust
from memlane.dream.knowledge import STANDING, Knowledge
from memlane.storage import same_place

MOST_REWRITES = 3  # of one Memory: after that it has drifted far enough from what was said
SHARE = 0.10  # of all that stand may leave in one Dream without a person
ALWAYS = 3  # a small home may lose so many: one in ten of nine would be none
RUNAWAY_SHARE = 0.5  # whoever wants to take away more than this of what stands is not believed at all
RUNAWAY = 10  # and more than so many

CHANGED_SINCE = "the memory changed in the meantime"
LESS_TRUSTED = "the memory that would replace it is less trusted"
TOO_MANY = "a dream retires at most one in ten memories"
_FREE = {"recall_count"}  # counted elsewhere
_OF_STATE = {"state", "superseded_by"}
_OF_STANDING_FOR_ALL = (
    *("title", "content", "evidence", "source_chunk", "related_entities", "target_agents", "alternatives", "trust"),
    *("confidence", "times_observed", "formed_at", "first_observed_at", "last_observed_at", "when", "always", "cues"),
)
_MAY_CHANGE: Mapping[Change, frozenset[str]] = {
    Change.SUPERSEDED: frozenset(_OF_STATE),
    Change.RETIRED: frozenset(_OF_STATE),
    Change.RESTORED: frozenset({"state"}),
    Change.FADED: frozenset({"confidence"}),
    Change.EXACT: frozenset({"title", "content"}),
    Change.SHORTER: frozenset({"title", "content"}),
    Change.GRADUATED: frozenset(_OF_STATE),
    Change.MERGED: frozenset(_OF_STANDING_FOR_ALL),
}
_OF_A_NEW_ONE = frozenset({"id", "saved_at"})
_OF_A_COMMITMENT = _OF_A_NEW_ONE | {"type", "content", "reasoning"}


@dataclass(slots=True)
class Sieve:
    """What may be applied, what may not, and what a person is asked instead."""

    known: Knowledge
    kept: list[Proposal] = field(default_factory=list[Proposal])
    refused: list[Refusal] = field(default_factory=list[Refusal])
    doubts: list[Doubt] = field(default_factory=list[Doubt])
    state: dict[str, Memory] = field(default_factory=dict[str, Memory])  # as it would be, by id
    left: int = 0  # of those nobody would be told any more

    def objection(self, proposal: Proposal) -> str:
        """The rule that says no, or ""."""
        rule = next(_objections(proposal, self.state, self.known), "") or _twice(proposal, self.kept)
        room = max(ALWAYS, int(len(self.known.memories) * SHARE))
        return rule or (TOO_MANY if self.left + _leaving(proposal, self.known.told_from) > room else "")

    def keep(self, proposal: Proposal) -> None:
        self.left += _leaving(proposal, self.known.told_from)
        self.kept.append(proposal)
        self.state |= {memory.id: memory for memory in proposal.after}

    def refuse(self, proposal: Proposal, rule: str) -> None:
        """A contradiction that must not be settled here is a person's to settle."""
        ids = tuple(memory.id for memory in proposal.before)
        if proposal.change is Change.SUPERSEDED and rule in (LESS_TRUSTED, *self.known.untouched.values()):
            self.doubts.append(Doubt(ids, f"{proposal.because} ({rule})"))
        else:
            self.refused.append(Refusal(proposal.change.value, ids, rule))


def sift(proposals: Iterable[Proposal], known: Knowledge) -> Sieve:
    sifted = Sieve(known, state={memory.id: memory for memory in (*known.memories, *known.resting)})
    for proposal in proposals:
        if rule := sifted.objection(proposal):
            sifted.refuse(proposal, rule)
        else:
            sifted.keep(proposal)
    return sifted


def _twice(proposal: Proposal, kept: Sequence[Proposal]) -> str:
    """What fades is worked out from when it was used, once."""
    if proposal.change is not Change.FADED:
        return ""
    before = [one for one in kept if one.change is Change.FADED and one.before[0].id == proposal.before[0].id]
    return "it already faded in this dream" if before else ""


def runs_away(proposals: Sequence[Proposal], known: Knowledge) -> bool:
    """It wants to take away so much that nothing it says is believed: a model that forgot what it was asked."""
    gone = {after.id for one in proposals for after in one.after if after.state not in STANDING}
    gone |= {before.id for one in proposals for before in one.before if before.id not in {m.id for m in one.after}}
    return len(gone) > max(RUNAWAY, RUNAWAY_SHARE * len(known.memories))


def _leaving(proposal: Proposal, told_from: int) -> int:
    """Those nobody is told any more and nothing stands for."""
    if proposal.change not in (Change.RETIRED, Change.FADED):
        return 0
    now = {memory.id: memory for memory in proposal.after}
    return sum(_told(memory, told_from) and not _told(now[memory.id], told_from) for memory in proposal.before)


def _told(memory: Memory, told_from: int) -> bool:
    return memory.state is State.ACTIVE and memory.confidence >= told_from


def _objections(proposal: Proposal, state: Mapping[str, Memory], known: Knowledge) -> Iterator[str]:
    """The first is enough."""
    before, after = {m.id: m for m in proposal.before}, {m.id: m for m in proposal.after}
    made = [memory for memory in proposal.after if memory.id not in before]
    if not before or len(before) < len(proposal.before) or len(after) < len(proposal.after):
        yield "it names no memory, or the same one twice"
    if any(id not in state for id in before):
        yield "it names a memory that does not exist"
    if any(not _same(memory, state.get(id)) for id, memory in before.items()):
        yield CHANGED_SINCE
    if set(before) - set(after):
        yield "it would delete a memory"
    if len(made) > 1 or any(one.id in state or one.id in known.elsewhere for one in made):
        yield "it would create more than one memory, or one that exists already"
    changed = [one for one in proposal.before if not _same(one, after.get(one.id))]
    yield from (known.untouched[one.id] for one in changed if one.id in known.untouched)
    if not changed:
        yield "it changes nothing"
        return
    yield from _out_of_retirement(proposal, after, known)
    yield from _across(proposal, made)
    yield from _of_text(proposal, changed, after, known)
    yield from _of_change(proposal.change, changed, made, after)
    yield from _left_behind(changed, after, state, known)
    yield from _lost(proposal, after, known)


def _out_of_retirement(proposal: Proposal, after: Mapping[str, Memory], known: Knowledge) -> Iterator[str]:
    """What a Dream retired only comes back, as it was; nothing else is done to it meanwhile."""
    resting = {memory.id for memory in known.resting}
    for one in proposal.before:
        rests = one.id in resting and one.state is State.RETIRED
        if proposal.change is not Change.RESTORED and rests:
            yield "it is retired"
        was = known.past.retired.get(one.id) if rests else None
        if proposal.change is Change.RESTORED and (was is None or after[one.id].state is not was.state):
            yield "only what a dream retired is restored, and as it was"


def _same(one: Memory, other: Memory | None) -> bool:
    return other is not None and replace(one, recall_count=0) == replace(other, recall_count=0)


def _across(proposal: Proposal, made: Sequence[Memory]) -> Iterator[str]:
    """Where it holds is part of what it says."""
    every = (*proposal.before, *proposal.after)
    if len({memory.owner for memory in every}) > 1:
        yield "it mixes owners"
    together = every if proposal.change in (Change.MERGED, Change.GRADUATED) or made else ()
    if len({_place(memory) for memory in together}) > 1:
        yield "it mixes projects"
    if len({frozenset(memory.target_agents) for memory in together}) > 1:
        yield "it mixes agents"


def _place(memory: Memory) -> tuple[Scope, str]:
    """Where it holds: the project counts where the scope says so."""
    return memory.scope, memory.project_key if memory.scope is Scope.PROJECT else ""


def _of_text(
    proposal: Proposal, changed: Sequence[Memory], after: Mapping[str, Memory], known: Knowledge
) -> Iterator[str]:
    for memory in proposal.after:
        if not memory.title.strip() or len(memory.text) > 2 * max(len(one.text) for one in proposal.before) + 200:
            yield "its text would be empty, or much longer than before"
    for memory in changed:
        if memory.text != after[memory.id].text and known.past.rewritten.get(memory.id, 0) >= MOST_REWRITES:
            yield f"it has been rewritten {MOST_REWRITES} times"


def _of_change(
    change: Change, changed: Sequence[Memory], made: Sequence[Memory], after: Mapping[str, Memory]
) -> Iterator[str]:
    """Nothing is changed on the side."""
    for memory in changed:
        stepped_back = after[memory.id].state is State.SUPERSEDED
        may = frozenset(_OF_STATE) if stepped_back else _MAY_CHANGE[change]
        if _differ(memory, after[memory.id]) - may - _FREE:
            yield f'it changes more than "{change.value}" allows'
    for memory in made:
        may = _OF_A_COMMITMENT if change is Change.GRADUATED else _OF_A_NEW_ONE | _MAY_CHANGE[change]
        if _differ(changed[0], memory) - may - _FREE:
            yield f'it changes more than "{change.value}" allows'
    if made and change not in (Change.GRADUATED, Change.MERGED):
        yield "it would create a memory without need"
    raised = [one for one in changed if one.state is State.HELD and after[one.id].state is State.ACTIVE]
    if raised or any(after[one.id].state in (State.FORGOTTEN, State.PAUSED) for one in changed):
        yield "only a person approves, pauses or forgets a memory"
    if change is Change.SUPERSEDED and not any(one.state is State.SUPERSEDED for one in after.values()):
        yield "it supersedes nothing"


def _differ(one: Memory, other: Memory) -> set[str]:
    return {f.name for f in fields(Memory) if getattr(one, f.name) != getattr(other, f.name)}


def _left_behind(
    changed: Sequence[Memory], after: Mapping[str, Memory], state: Mapping[str, Memory], known: Knowledge
) -> Iterator[str]:
    """Those that stepped back in this Dream have somebody who stands for them at its end."""
    stood = {memory.id for memory in known.memories}
    for one in (one for one in changed if after[one.id].state is State.RETIRED):
        if any(other.superseded_by == one.id and other.id in stood for other in state.values()):
            yield "it has just replaced another memory"


def _lost(proposal: Proposal, after: Mapping[str, Memory], known: Knowledge) -> Iterator[str]:
    """Whoever steps back has another that stands for it; all that was seen is there, and no better than it was."""
    was = {memory.id: memory for memory in proposal.before}
    for one in proposal.after:
        by = after.get(one.superseded_by)
        if one.state is State.SUPERSEDED and one.id in was:
            yield from _not_in_its_place(was[one.id], by, proposal.change)
    stay = [one for one in proposal.after if one.state in STANDING]
    if proposal.change in (Change.MERGED, Change.GRADUATED):
        if len(stay) != 1:
            yield "exactly one memory must remain"
            return
        yield from _all_kept(proposal.before, stay[0])
    yield from _raised(proposal, known)


def _not_in_its_place(one: Memory, by: Memory | None, change: Change) -> Iterator[str]:
    """Whoever takes its place is told where it was told, to whom it was told, and is trusted no less."""
    if by is None or by.id == one.id or by.state not in STANDING:
        yield "nothing would replace it"
        return
    if one.state is State.ACTIVE and by.state is not State.ACTIVE:
        yield "its replacement is never recalled"
    if by.scope is Scope.PROJECT and _place(by) != _place(one):
        yield "it mixes projects"
    if by.target_agents and (not one.target_agents or set(one.target_agents) - set(by.target_agents)):
        yield "it mixes agents"
    if change is Change.SUPERSEDED and LEAST_TRUSTED_LAST.index(by.trust) > LEAST_TRUSTED_LAST.index(one.trust):
        yield LESS_TRUSTED


def _all_kept(before: Sequence[Memory], kept: Memory) -> Iterator[str]:
    for one in (one for memory in before for one in memory.evidence):
        if not any(same_place(one, other) for other in kept.evidence):
            yield "it loses evidence"
    if kept.times_observed < sum(memory.times_observed for memory in before):
        yield "it loses observations"
    if any(LEAST_TRUSTED_LAST.index(kept.trust) < LEAST_TRUSTED_LAST.index(memory.trust) for memory in before):
        yield "it raises trust"
    if kept.confidence > max(memory.confidence for memory in before):
        yield "it raises confidence"
    if kept.state is State.ACTIVE and all(memory.state is State.HELD for memory in before):
        yield "only a person approves, pauses or forgets a memory"
    stood = [memory for memory in before if memory.state is State.ACTIVE]
    if kept.trust is Trust.OUTSIDE and any(memory.trust is not Trust.OUTSIDE for memory in stood):
        yield "it would add text from outside"


def _raised(proposal: Proposal, known: Knowledge) -> Iterator[str]:
    was = {memory.id: memory for memory in proposal.before}
    for one in (one for one in proposal.after if one.id in was):
        before = was[one.id]
        if LEAST_TRUSTED_LAST.index(one.trust) < LEAST_TRUSTED_LAST.index(before.trust):
            yield "it raises trust"
        lent = known.past.faded.get(one.id, 0)
        if proposal.change is not Change.MERGED and one.confidence > before.confidence + lent:
            yield "it raises confidence"
        if any(all(not same_place(e, other) for other in one.evidence) for e in before.evidence):
            yield "it loses evidence"
        if one.times_observed < before.times_observed:
            yield "it loses observations"
