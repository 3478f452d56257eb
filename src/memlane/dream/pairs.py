"""Which Memories say the same and become one? Which deny each other, and who of the two holds?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memlane.claims import meaning, names_of, opposed, paraphrase, stands_alone
from memlane.domain import LEAST_TRUSTED_LAST, Change, Doubt, Memory, Mention, Proposal, State, Trust, cues_of
from memlane.storage import same_place

LONGEST = 400  # characters of what a merged one says below its title
_STANDING = frozenset({State.ACTIVE, State.HELD})

Near = Iterable[tuple[str, str, float]]


def twins(memories: Sequence[Memory], near: Near) -> Iterator[Proposal]:
    """One Proposal for each lesson that is there more than once. `memories` are those that may be changed."""
    known = {memory.id: memory for memory in memories}
    alike: defaultdict[str, set[str]] = defaultdict(set)
    for one, other, _cosine in near:
        if one in known and other in known and _same(known[one], known[other]):
            alike[one].add(other)
            alike[other].add(one)
    taken = set[str]()
    for best in sorted((known[id] for id in alike), key=_worth, reverse=True):
        others = [known[id] for id in sorted(alike[best.id]) if id not in taken]
        if best.id not in taken and others:
            taken |= {best.id, *(other.id for other in others)}
            yield _merge(best, others)


def hold_alike(one: Memory, other: Memory) -> bool:
    """Where a Memory holds and for whom is part of what it says."""
    here, there = (
        (memory.owner, memory.project_key, memory.scope, frozenset(memory.target_agents)) for memory in (one, other)
    )
    return here == there and one.id != other.id


def _same(one: Memory, other: Memory) -> bool:
    if not hold_alike(one, other) or not _may_join(one, other):
        return False
    return paraphrase(one.title, one.text, other.title, other.text, names_of(one.project))


def _may_join(one: Memory, other: Memory) -> bool:
    """A held one joins an active one only where it would not cost that one its trust: others' text must not."""
    unsure = one.type.row.unsure or other.type.row.unsure
    if {one.state, other.state} - _STANDING or (unsure and one.type != other.type):
        return False
    outside = (one.trust is Trust.OUTSIDE) + (other.trust is Trust.OUTSIDE)
    return outside != 1


def _worth(memory: Memory) -> tuple[object, ...]:
    """The best worded one stays: what can be read by itself, what is surer, what was seen more often."""
    alone = stands_alone(memory.title)
    return (
        memory.state is State.ACTIVE,
        alone,
        memory.confidence,
        memory.times_observed,
        len(memory.evidence),
        len(memory.text),  # of two that are worth the same, the one that says more is found by more
        memory.id,
    )


def _all_said(best: Memory, others: Sequence[Memory]) -> str:
    """What the others give as reasons is kept beside its own, as long as it stays short: it is found by all of them."""
    content = best.content
    for other in others:
        longer = f"{content.rstrip()} {other.content.strip()}".strip()
        known = not meaning(other.content) - meaning(f"{best.title}\n{content}")
        fits = len(longer) <= LONGEST and content.rstrip()[-1:] in ("", ".", "!", "?")
        content = longer if fits and not known and "\n" not in longer else content
    return content


def _merge(best: Memory, others: Sequence[Memory]) -> Proposal:
    kept = replace(merged(best, others), content=_all_said(best, others))
    left = [replace(memory, state=State.SUPERSEDED, superseded_by=best.id) for memory in others]
    said = "; ".join(f'"{memory.title}"' for memory in others)
    return Proposal(Change.MERGED, (best, *others), (kept, *left), f"says the same as {said}")


def merged(kept: Memory, others: Sequence[Memory]) -> Memory:
    """All the evidence there is, and no more trust than the least trusted of them had."""
    every = (kept, *others)
    evidence = list(kept.evidence)
    for one in (one for memory in others for one in memory.evidence):
        if not any(same_place(one, known) for known in evidence):
            evidence.append(one)
    agents = [memory.target_agents for memory in every]
    return replace(
        kept,
        evidence=tuple(evidence),
        source_chunk=kept.source_chunk or next((m.source_chunk for m in others if m.source_chunk), ""),
        related_entities=_mentions(every),
        target_agents=tuple(dict.fromkeys(name for names in agents for name in names)) if all(agents) else (),
        alternatives=tuple(dict.fromkeys(what for memory in every for what in memory.alternatives)),
        trust=max((memory.trust for memory in every), key=LEAST_TRUSTED_LAST.index),
        confidence=max(memory.confidence for memory in every),
        times_observed=sum(memory.times_observed for memory in every),
        formed_at=min(memory.formed_at for memory in every),
        first_observed_at=min(memory.first_observed_at for memory in every),
        last_observed_at=max(memory.last_observed_at for memory in every),
        pinned=any(memory.pinned for memory in every),
        when=next((memory.when for memory in every if memory.when), ""),
        always=any(memory.always for memory in every),
        cues=cues_of(*(memory.cues for memory in every)),
    )


def _mentions(memories: Sequence[Memory]) -> tuple[Mention, ...]:
    """Each thing once."""
    found: dict[tuple[str, str], Mention] = {}
    for mention in (mention for memory in memories for mention in memory.related_entities):
        key = (mention.type, mention.slug or mention.raw.casefold())
        if key not in found:
            found[key] = mention
    return tuple(found.values())


FAR_SURER = 20  # points of confidence that a newer one may not lack
OFTEN = 3  # times the older was seen, for each time the newer was: one slip does not undo a habit


def against(memories: Sequence[Memory], near: Near) -> Iterator[Proposal | Doubt]:
    """Each Memory gives way once; what is against two others is settled with the next Dream."""
    known = {memory.id: memory for memory in memories}
    settled = set[str]()
    for one, other, _cosine in sorted(near, key=lambda pair: (-pair[2], pair[0], pair[1])):
        pair = known.get(one), known.get(other)
        if pair[0] is None or pair[1] is None or {one, other} & settled:
            continue
        older, newer = sorted((pair[0], pair[1]), key=lambda memory: (memory.last_observed_at, memory.id))
        if hold_alike(older, newer) and _deny(older, newer):
            settled |= {one, other}
            yield _settled(older, newer)


def _deny(one: Memory, other: Memory) -> bool:
    return opposed(one.title, other.title, free=names_of(one.project))


def _settled(older: Memory, newer: Memory) -> Proposal | Doubt:
    if newer.state is State.ACTIVE and _no_worse(newer, older):
        return _outdone(older, newer, f"since {newer.last_observed_at:%Y-%m-%d}")
    if older.state is State.ACTIVE and newer.state is State.ACTIVE and _far_better(older, newer):
        return _outdone(newer, older, f"seen {older.times_observed} times")
    return Doubt((older.id, newer.id), f'"{newer.title}" ({_seen(newer)}) or "{older.title}" ({_seen(older)})?')


def _no_worse(newer: Memory, older: Memory) -> bool:
    if newer.last_observed_at <= older.last_observed_at or newer.confidence < older.confidence - FAR_SURER:
        return False
    return _rank(newer) <= _rank(older) and older.times_observed < OFTEN * newer.times_observed


def _far_better(older: Memory, newer: Memory) -> bool:
    return _rank(older) < _rank(newer) and older.times_observed >= OFTEN * newer.times_observed


def _rank(memory: Memory) -> int:
    return LEAST_TRUSTED_LAST.index(memory.trust)


def _outdone(loser: Memory, winner: Memory, because: str) -> Proposal:
    left = replace(loser, state=State.SUPERSEDED, superseded_by=winner.id)
    return Proposal(Change.SUPERSEDED, (winner, loser), (winner, left), f'"{winner.title}" holds, {because}')


def _seen(memory: Memory) -> str:
    return f"{memory.last_observed_at:%Y-%m-%d}, seen {memory.times_observed}"
