"""What Memories are found by, beside their meaning: the same in both engines, so that both find the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from memlane.domain import HIGH, Memory, Scope, State
from memlane.domain.tokenizer import terms

WIDER = ""  # instead of a project, of what holds everywhere


@dataclass(frozen=True, slots=True)
class LookupKeys:
    """Only active ones have words and subjects: nobody is told of the others."""

    place: str
    high: bool
    agents: str  # each on a line of its own; "": for all
    words: frozenset[str]
    subjects: frozenset[str]  # `type:slug`, casefolded
    runs: frozenset[str]


def lookup_keys(memory: Memory) -> LookupKeys:
    active = memory.state is State.ACTIVE
    about = (f"{one.type}:{one.slug}".casefold() for one in memory.related_entities if one.resolved)
    return LookupKeys(
        place_of(memory.scope.value, memory.project_key),
        memory.type in HIGH,
        "".join(f"\n{agent}\n" for agent in memory.target_agents),
        frozenset(terms("\n".join((memory.text, *memory.cues)))) if active else frozenset(),
        frozenset(about) if active else frozenset(),
        frozenset(evidence.run for evidence in memory.evidence),
    )


def cue_text(memory: Memory) -> str:
    """All that the vectors of its Cues are made from; "" where there are none to be made."""
    return "" if memory.state is State.FORGOTTEN else "\n".join(memory.cues)


def place_of(scope: str, key: str) -> str:
    """Where it holds: one project, or everywhere."""
    return f"in {key}" if scope == Scope.PROJECT.value else WIDER


def places(here: str) -> tuple[str, str]:
    """What holds in the project of this key: its own first."""
    return place_of(Scope.PROJECT.value, here), WIDER


def spot(owner: str, place: str) -> int:
    """An owner and a place in eight bytes: they stand beside every word."""
    digest = blake2b(f"{owner}\0{place}".encode("utf-8", "surrogateescape"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def rarest_first(having: Mapping[str, Sequence[str]], limit: int) -> list[str]:
    """Which few of those that have some of the terms: the rarer the term, the sooner. `having`: term → ids in order."""
    found = dict[str, None]()
    for term in sorted(having, key=lambda term: (len(having[term]), term)):
        found |= dict.fromkeys(having[term][: limit - len(found)] if len(found) < limit else ())
    return list(found)[:limit]
