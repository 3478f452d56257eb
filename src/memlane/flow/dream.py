"""A Dream, top to bottom: gather, propose, check, ask again, write down. The first two only read, in a process that can
do nothing else; what they say is only words here, until the writer has checked it and written it as one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import cast

import msgspec

from memlane import archive, dream
from memlane.domain import (
    AppliedChange,
    Change,
    Confirmation,
    Doubt,
    Dream,
    Idea,
    Memory,
    Proposal,
    State,
    Thought,
    derived_id,
)
from memlane.domain.journal import DREAM, MEMORY, STATE
from memlane.flow.journal import encode, understand
from memlane.flow.tools import Tools
from memlane.storage import memory_data

LOOKED_BACK = 5_000  # recalls: when something was last told
ROUNDS = 4  # what one rule leaves may be another's to see; then the rest has time until tomorrow
PERSON = "person"
RULES = "rules"  # who worded it

Near = Callable[[], Sequence[dream.Pair]]  # worked out for who asks
Rule = Callable[[list[Memory], dream.Knowledge, Near], Iterator[Proposal | Doubt | Confirmation]]


# -- the reading half: it has no way to write ------------------------------------------------------------------------


def gathered(tools: Tools) -> dream.Knowledge:
    storage, reader = tools.storage, tools.reader
    memories = storage.memories.listed(list(State), reader)
    lines = archive.entries_with(tools.disk, tools.layout, f'"actor":"{PERSON}"', f'"actor":"{dream.DREAM}"')
    recalls = storage.recalls.newest(LOOKED_BACK, reader)
    judged = [one for one in storage.recalls.judged([memory.id for memory in memories], reader) if not one.by]
    return dream.gather(memories, recalls, judged, dream.past_of(lines), tools.clock(), tools.weights.least_confidence)


def think(tools: Tools, rules: Sequence[Rule], ideas: Iterable[Idea] = ()) -> Thought:
    """Every rule in its turn, each on what those before it would leave, until none has anything to add. Fading is last:
    by then it is known what stands."""
    known = gathered(tools)
    mind, nearness = (
        _ThoughtSoFar(dream.sift((), known)),
        dream.Nearness(tools.encodes or tools.meaning, tools.storage, tools.reader),
    )
    for _round in range(ROUNDS):
        before = len(mind.said)
        for n, rule in enumerate(rules):
            standing = mind.standing
            for one in rule(standing, known, partial(nearness.among, standing, f"rule {n}")):
                mind.hear(one)
        if len(mind.said) == before:
            break
    standing = mind.standing
    for one in dream.fade([memory for memory in standing if memory.id not in known.untouched], known):
        mind.hear(one)
    ideas = dream.connect(standing, known, ideas)
    return Thought(tuple(mind.said), tuple(mind.doubts.values()), tuple(ideas), tuple(mind.confirmed))


class _ThoughtSoFar:
    """What was said so far, and what would stand after it."""

    def __init__(self, sifted: dream.Sieve) -> None:
        self._sifted = sifted
        self._tried = set[tuple[Change, tuple[Memory, ...]]]()
        self.said = list[Proposal]()
        self.doubts = dict[tuple[str, ...], Doubt]()
        self.confirmed = dict[str, None]()

    @property
    def standing(self) -> list[Memory]:
        return [memory for memory in self._sifted.state.values() if memory.state in dream.STANDING]

    def hear(self, one: Proposal | Doubt | Confirmation) -> None:
        """What stands on something that another of the same rule has just changed comes again in the next round."""
        if isinstance(one, Doubt):
            self.doubts.setdefault(one.memories, one)
            return
        if isinstance(one, Confirmation):
            self.confirmed[one.memory] = None
            return
        key, rule = (one.change, one.before), self._sifted.objection(one)
        if key in self._tried or rule == dream.CHANGED_SINCE:
            return
        self._tried.add(key)
        self.said.append(one)  # what is refused is said too: the report names it
        if not rule:
            self._sifted.keep(one)


# -- the writing half: it believes nothing ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a Thought: the report, and what is applied, in order."""

    report: Dream
    kept: tuple[Proposal, ...]
    known: dream.Knowledge

    def reworded(self, done: AppliedChange) -> tuple[Memory, Memory] | None:
        """The Memory it changed, as it was and as it would be."""
        mine = (one for one in self.kept if one.change is done.change and one.before[0].id == done.memories[0])
        return next(((one.before[0], one.after[0]) for one in mine), None)


def decide(thought: Thought | str, began: datetime, tools: Tools, asked: dream.ProbeAnswers) -> Decided:
    """Nothing is written yet. A Thought that is only a reason (it failed, it made no sense) changes nothing."""
    known = gathered(tools)
    if isinstance(thought, Thought) and dream.runs_away(thought.proposals, known):
        thought = f"it wanted to remove most of {len(known.memories)} memories, so nothing of it was applied"
    if isinstance(thought, str):
        return Decided(replace(_report(known, began, tools), failed=thought), (), known)
    dirty = [one for one in thought.proposals if not _passes(one, tools)]
    clean = [one for one in thought.proposals if all(one is not other for other in dirty)]
    sifted = dream.asked_again(dream.sift(clean, known), tools.storage, partial(_learn, tools), asked)
    for one in dirty:
        sifted.refuse(one, "the gate found a secret in it")
    resting = {memory.id for memory in known.resting}
    there = {id for id, memory in sifted.state.items() if id not in resting or memory.state in dream.STANDING}
    report = replace(
        _report(known, began, tools),
        done=tuple(_done(one) for one in sifted.kept),
        refused=tuple(sifted.refused),
        doubts=(*(one for one in thought.doubts if one.memories and there >= set(one.memories)), *sifted.doubts),
        ideas=tuple(one for one in thought.ideas if there >= set(one.memories) and _is_clean(one, tools)),
        confirmed=tuple(id for id in thought.confirmed if id in resting),
    )
    return Decided(report, tuple(sifted.kept), known)


def _is_clean(idea: Idea, tools: Tools) -> bool:
    return all(tools.gate().mask(text) == text for text in (idea.title, *(one.quote for one in idea.evidence)))


def _learn(tools: Tools) -> None:
    understand(tools)
    encode(tools)


def _passes(proposal: Proposal, tools: Tools) -> bool:
    """What it would write anew holds nothing that must not be kept."""
    there = {memory.text for memory in proposal.before}
    new = [text for text in (memory.text for memory in proposal.after) if text not in there]
    return all(tools.gate().mask(text) == text for text in (*new, proposal.because))


def lines(decided: Decided) -> list[tuple[str, str, Mapping[str, object]]]:
    """Kind, id and data of what is written, the report last: without it none of the others counts."""
    report, found = decided.report, list[tuple[str, str, Mapping[str, object]]]()
    for proposal in decided.kept:
        before = {memory.id: memory for memory in proposal.before}
        why = {"because": proposal.because, "dream": report.id, "change": proposal.change.value}
        for memory in sorted(proposal.after, key=lambda memory: memory.state not in dream.STANDING):
            was = before.get(memory.id)
            if was is None or _text_changed(was, memory):
                found.append(
                    (MEMORY, memory.id, {**memory_data(memory), **why, **_more(proposal, was, memory, decided)})
                )
            elif was != memory:
                found.append((STATE, memory.id, {**_moved(was, memory), **why}))
    return [*found, (DREAM, report.id, {"dream": cast("object", msgspec.to_builtins(report))})]


def _text_changed(was: Memory, memory: Memory) -> bool:
    return replace(was, state=memory.state, superseded_by=memory.superseded_by) != memory


def _moved(was: Memory, memory: Memory) -> dict[str, object]:
    data: dict[str, object] = {"memory": memory.id, "state": memory.state.value, "before": was.state.value}
    return {**data, "superseded_by": memory.superseded_by} if memory.superseded_by else data


def _more(proposal: Proposal, was: Memory | None, memory: Memory, decided: Decided) -> dict[str, object]:
    match proposal.change:
        case Change.MERGED:
            return {"replaces": [one.id for one in proposal.before if one.id != memory.id]}
        case Change.FADED if was is not None:
            lost = decided.known.past.faded.get(memory.id, 0)
            return {"faded": lost + was.confidence - memory.confidence}
        case _:
            return {}


def _report(known: dream.Knowledge, began: datetime, tools: Tools) -> Dream:
    """Of a Dream that did nothing, as long as nothing else is said."""
    owner, machine = tools.machine.user, tools.machine.name
    return Dream(
        id=derived_id("d", owner, machine, began.isoformat()),
        owner=owner,
        began=began,
        ended=tools.clock(),
        reader=RULES,
        new=known.new,
        older=len(known.memories) - known.new,
        untouched=dict(Counter(known.untouched.values())),
    )


def _done(proposal: Proposal) -> AppliedChange:
    """A Memory that only witnesses is the result, not what was taken in."""
    after = {memory.id: memory for memory in proposal.after}
    merged = proposal.change is Change.MERGED
    taken = tuple(one.id for one in proposal.before if merged or one != after[one.id])
    result = tuple(one.id for one in proposal.after if one.state in dream.STANDING)
    return AppliedChange(proposal.change, taken, result, proposal.because)
