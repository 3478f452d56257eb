"""Which Memories could matter here? Those in scope that share words with the Query."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.domain import Memory, Query, Reader, Scope, State
from memlane.recall.likeness import content_terms, likeness
from memlane.recall.weights import Specificity
from memlane.storage import Storage


def eligible(query: Query, reader: Reader, storage: Storage) -> Sequence[Memory]:
    """Active, meant for this agent, and in scope. Most of what is known stays out here."""
    return [
        memory
        for memory in storage.memories.listed([State.ACTIVE], reader)
        if (memory.scope is not Scope.PROJECT or memory.project_key == query.project.key)
        and (not memory.target_agents or query.agent in memory.target_agents)
    ]


def gather(query: Query, reader: Reader, storage: Storage, specificity: Specificity) -> Sequence[tuple[Memory, float]]:
    """Each with how like the prompt it is; those that share nothing are left out."""
    prompt = content_terms(query.words)
    if not prompt:
        return []
    known = storage.chunks.statistics(sorted(prompt), reader)
    enough = known.chunks >= specificity.enough_chunks
    shares = {term: count / known.chunks for term, count in known.having.items()} if enough else None
    found = (
        (memory, likeness(prompt, content_terms(f"{memory.title}\n{memory.content}"), shares, specificity))
        for memory in eligible(query, reader, storage)
    )
    return [(memory, similarity) for memory, similarity in found if similarity > 0]
