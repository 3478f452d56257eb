"""Several Memories as one: all their evidence, no more trust than the least trusted. Does not know which are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memlane.domain import LEAST_TRUSTED_LAST, Memory, Mention
from memlane.storage import same_place


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
    )


def _mentions(memories: Sequence[Memory]) -> tuple[Mention, ...]:
    """Each thing once."""
    found: dict[tuple[str, str], Mention] = {}
    for mention in (mention for memory in memories for mention in memory.related_entities):
        key = (mention.type, mention.slug or mention.raw.casefold())
        if key not in found:
            found[key] = mention
    return tuple(found.values())
