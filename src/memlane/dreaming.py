"""A Dream, top to bottom: gather, propose, check, ask again, write down. The first two only read, in a process that can
do nothing else; what they say is only words here, until the writer has checked it and written it as one act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, cast

import msgspec

from memlane import archive, catch, dream
from memlane.domain import (
    Change,
    Done,
    Doubt,
    Dream,
    Memory,
    Outcome,
    Proposal,
    Query,
    State,
    Thought,
    derived_id,
)
from memlane.domain.journal import DREAM, MEMORY, STATE
from memlane.embed import EmbedderError
from memlane.pipeline import Encodes, Tools, encode, understand
from memlane.storage import memory_data

if TYPE_CHECKING:
    from memlane.storage import Vector

LOOKED_BACK = 5_000  # recalls: when something was last told
RATED, SAMPLE = 60, 40  # recalls that are asked again
BATCH = 500  # texts understood together
ROUNDS = 4  # what one rule leaves may be another's to see; then the rest has time until tomorrow
PERSON = "person"
RULES = "rules"  # who worded it
LOST = "a recall that was useful would be lost"

Ask = Callable[[Query], Collection[str]]  # the Memories that would be told now
Near = Callable[[], Sequence[dream.Pair]]  # worked out for who asks
Rule = Callable[[list[Memory], dream.Gathered, Near], Iterator[Proposal | Doubt]]


# -- the reading half: it has no way to write ------------------------------------------------------------------------


def gathered(tools: Tools) -> dream.Gathered:
    storage, reader = tools.storage, tools.reader
    memories = storage.memories.listed(list(State), reader)
    lines = archive.entries_with(tools.disk, tools.layout, f'"actor":"{PERSON}"', f'"actor":"{dream.DREAM}"')
    recalls = storage.recalls.newest(LOOKED_BACK, reader)
    judged = storage.recalls.judged([memory.id for memory in memories], reader)
    return dream.gather(memories, recalls, judged, dream.past_of(lines), tools.clock())


def think(tools: Tools, rules: Sequence[Rule]) -> Thought:
    """Every rule in its turn, each on what those before it would leave, until none has anything to add. Fading is last:
    by then it is known what stands."""
    known = gathered(tools)
    mind, nearness = _Mind(dream.sift((), known)), _Nearness(tools.encodes or tools.meaning, tools)
    for _round in range(ROUNDS):
        before = len(mind.said)
        for rule in rules:
            standing = mind.standing
            for one in rule(standing, known, partial(nearness.among, standing)):
                mind.hear(one)
        if len(mind.said) == before:
            break
    standing = mind.standing
    for one in dream.fade([memory for memory in standing if memory.id not in known.untouched], known):
        mind.hear(one)
    return Thought(tuple(mind.said), tuple(mind.doubts.values()), tuple(dream.connect(standing, known)))


class _Mind:
    """What was said so far, and what would stand after it."""

    def __init__(self, sifted: dream.Sifted) -> None:
        self._sifted = sifted
        self._tried = set[tuple[Change, tuple[Memory, ...]]]()
        self.said = list[Proposal]()
        self.doubts = dict[tuple[str, ...], Doubt]()

    @property
    def standing(self) -> list[Memory]:
        return [memory for memory in self._sifted.state.values() if memory.state in dream.STANDING]

    def hear(self, one: Proposal | Doubt) -> None:
        """What stands on something that another of the same rule has just changed comes again in the next round."""
        if isinstance(one, Doubt):
            self.doubts.setdefault(one.memories, one)
            return
        key, rule = (one.change, one.before), self._sifted.objection(one)
        if key in self._tried or rule == dream.STANDS_OTHERWISE:
            return
        self._tried.add(key)
        self.said.append(one)  # what is refused is said too: the report names it
        if not rule:
            self._sifted.keep(one)


class _Nearness:
    """What Memories mean: as it is stored, else worked out here. Without a model nothing is near anything."""

    def __init__(self, model: Encodes | catch.Understands | None, tools: Tools) -> None:
        self._model = model
        self._stored: Mapping[str, Vector] = {}
        if model is not None:
            self._stored = tools.storage.memories.meanings(model.tag, tools.reader)
        self._said = {memory.id: memory.text for memory in tools.storage.memories.listed(list(State), tools.reader)}
        self._others: dict[str, Vector] = {}

    def among(self, memories: Sequence[Memory]) -> Sequence[dream.Pair]:
        found = [self._known(memory) for memory in memories]
        new = list(dict.fromkeys(m.text for m, row in zip(memories, found, strict=True) if row is None))
        try:
            for begin in range(0, len(new) if self._model else 0, BATCH):
                some = new[begin : begin + BATCH]
                self._others |= dict(zip(some, self._model.passages(some), strict=True)) if self._model else {}
        except EmbedderError:
            return ()
        rows = [self._known(memory) for memory in memories]
        known = [(memory, row) for memory, row in zip(memories, rows, strict=True) if row is not None]
        return dream.pairs([memory for memory, _row in known], [row for _memory, row in known])

    def _known(self, memory: Memory) -> Vector | None:
        same = self._said.get(memory.id) == memory.text
        return self._stored.get(memory.id) if same and memory.id in self._stored else self._others.get(memory.text)


# -- the writing half: it believes nothing ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of a Thought: the report, and what is applied, in order."""

    report: Dream
    kept: tuple[Proposal, ...]
    known: dream.Gathered


@dataclass(frozen=True, slots=True)
class Probe:
    """A recall that was asked before. One that a person found useful must go on finding what it found."""

    query: Query
    memory: str
    rated: bool


def decide(thought: Thought | str, began: datetime, tools: Tools, asked: Asked) -> Decided:
    """Nothing is written yet. A Thought that is only a reason (it failed, it made no sense) changes nothing."""
    known = gathered(tools)
    if isinstance(thought, Thought) and dream.runs_away(thought.proposals, known):
        thought = f"it wanted to take away most of {len(known.memories)} memories: nothing was believed"
    if isinstance(thought, str):
        return Decided(replace(_report(known, began, tools), failed=thought), (), known)
    clean = [one for one in thought.proposals if _passes(one, tools)]
    sifted = _asked_again(dream.sift(clean, known), tools, asked)
    for one in thought.proposals:
        if one not in clean:
            sifted.refuse(one, "the gate found something in it")
    there = sifted.state.keys()
    report = replace(
        _report(known, began, tools),
        done=tuple(_done(one) for one in sifted.kept),
        refused=tuple(sifted.refused),
        doubts=(*(one for one in thought.doubts if one.memories and there >= set(one.memories)), *sifted.doubts),
        ideas=tuple(one for one in thought.ideas if there >= set(one.memories)),
    )
    return Decided(report, tuple(sifted.kept), known)


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


def _report(known: dream.Gathered, began: datetime, tools: Tools) -> Dream:
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


def _done(proposal: Proposal) -> Done:
    """A Memory that only witnesses is the result, not what was taken in."""
    after = {memory.id: memory for memory in proposal.after}
    merged = proposal.change is Change.MERGED
    taken = tuple(one.id for one in proposal.before if merged or one != after[one.id])
    result = tuple(one.id for one in proposal.after if one.state in dream.STANDING)
    return Done(proposal.change, taken, result, proposal.because)


# -- asked again: what was useful stays findable ---------------------------------------------------------------------


class _TakenBack(Exception):  # noqa: N818 - it ends a look at what would be, nothing went wrong
    """What was put into storage for a look goes out of it again."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Recalls as they are answered now: whatever is decided, they must find what they find."""

    ask: Ask
    now: Mapping[Probe, frozenset[str]]


def asked_now(tools: Tools, ask: Ask) -> Asked:
    """Before anybody is kept waiting: a question that was understood once is answered quickly the next time."""
    answered = ((probe, frozenset(ask(probe.query))) for probe in _probes(tools))
    return Asked(ask, {probe: told for probe, told in answered if probe.memory in told})


def _asked_again(sifted: dream.Sifted, tools: Tools, asked: Asked) -> dream.Sifted:
    """Without the Proposals that would lose a recall: one after the other until none is lost any more."""
    while sifted.kept and (lost := _first_lost(sifted, tools, asked)):
        blamed = _blamed(lost[0], lost[1], sifted.kept)
        again = dream.sift([one for one in sifted.kept if one is not blamed], sifted.known)
        again.refused[:0], again.doubts[:0] = sifted.refused, sifted.doubts
        again.refuse(blamed, LOST)
        sifted = again
    return sifted


def _probes(tools: Tools) -> list[Probe]:
    storage, reader = tools.storage, tools.reader
    standing = {memory.id for memory in storage.memories.listed(dream.STANDING, reader)}
    useful = [one for one in storage.recalls.judged(sorted(standing), reader) if one.up][-RATED:]
    probes = dict[Probe, None]()
    for vote in useful:
        recall = storage.recalls.get(vote.recall, reader)
        if recall is not None and recall.query.words:
            probes[Probe(_anew(recall.query), vote.memory, rated=True)] = None
    shown = [one for one in storage.recalls.newest(10 * SAMPLE, reader) if one.outcome is Outcome.SHOWN]
    for recall in shown[:SAMPLE]:
        for match in recall.shown[:1]:
            if recall.query.words and match.memory.id in standing and match.source != "index":
                probes[Probe(_anew(recall.query), match.memory.id, rated=False)] = None
    return list(probes)


def _anew(query: Query) -> Query:
    """As if nothing had been said in its Run yet."""
    return replace(query, run="", native_id="", files=(), entities=())


def _first_lost(sifted: dream.Sifted, tools: Tools, asked: Asked) -> tuple[Probe, Collection[str]] | None:
    """The first recall that would not find what it finds now, and what it would find that is new."""
    found: tuple[Probe, Collection[str]] | None = None
    try:
        with tools.storage.transaction():
            for memory in (memory for proposal in sifted.kept for memory in proposal.after):
                tools.storage.memories.put(memory)
            understand(tools)
            encode(tools)
            for probe, now in asked.now.items():
                told, stands = frozenset(asked.ask(probe.query)), _stands_for(probe.memory, sifted.state)
                chosen = stands is not None or probe.rated  # what was retired on purpose is no loss, unless it served
                if chosen and (stands is None or stands not in told):
                    found = probe, told - now
                    break
            raise _TakenBack
    except _TakenBack:
        return found


def _stands_for(memory: str, state: Mapping[str, Memory]) -> str | None:
    """The Memory that would be told in its place; None: none stands any more."""
    met = set[str]()
    while memory not in met and (now := state.get(memory)) is not None:
        if now.state is State.ACTIVE:
            return memory
        met.add(memory)
        memory = now.superseded_by
    return None


def _blamed(probe: Probe, newcomers: Collection[str], kept: Sequence[Proposal]) -> Proposal:
    """What touched it, or what came in its place; else the last."""
    about = [one for one in kept if any(memory.id == probe.memory for memory in one.before)]
    instead = [one for one in kept if any(memory.id in newcomers for memory in one.after)]
    return (about or instead or list(kept))[-1]
