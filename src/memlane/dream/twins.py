"""Which Memories say the same in other words? They become one, and nothing that stood behind any of them is lost.

`near` are pairs of ids with the cosine of what they say, by whichever model: they only open the question. What decides
is what the claims say (`claims/`), and that both hold in the same place and for the same agents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from memlane.claims import meaning, names_of, paraphrase, stands_alone
from memlane.domain import Change, Memory, Proposal, State, Trust, Type
from memlane.dream.merged import merged

LONGEST = 400  # characters of what a merged one says below its title
_UNSURE = frozenset({Type.GAP, Type.CONFIDENCE})  # a question is no answer, a guess is no rule
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
    unsure = {one.type, other.type} & _UNSURE
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
