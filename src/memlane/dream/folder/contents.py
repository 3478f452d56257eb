"""Which Memories stand in a memory folder, under which names, and which of them are worth most."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memlane.domain import HIGH, Maturity, Memory, Scope, State, Trust

LEAST_SURE = 60  # as in recall: what is less sure is not told to anybody
LONGEST_SLUG = 28  # of a name: the line in the index has to say something too
SHORTEST_MARK = 4  # of the id, behind the slug
HALF_LIFE = 28.0  # days
MOST = 10  # of seeing and of showing: more is not more useful
NEAR_ONES = 3  # links of one page
MOST_ALIKE = 200  # memories that one subject may bring together
_DAY = 86_400.0
_WORD = re.compile(r"[a-z0-9]+")
# What an agent loads as its own memory it is told to follow to the letter: only the word of people and of agents.
FOLLOWED = frozenset({Trust.PERSON, Trust.AGENT})
READ = frozenset({Trust.PERSON, Trust.AGENT, Trust.TOOL})  # never what strangers wrote


@dataclass(frozen=True, slots=True)
class FolderPurpose:
    """What a folder is for: a project ("": none), the person, or both; whose word may stand in it, and for whom."""

    owner: str
    project_key: str = ""
    of_person: bool = False
    trusted: frozenset[Trust] = READ
    agent: str = ""  # "": whoever reads it
    least_sure: int = LEAST_SURE


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """One Memory with the name its file has, and the names of others that are about the same."""

    memory: Memory
    name: str
    links: tuple[str, ...] = field(default=())

    @property
    def file(self) -> str:
        return f"{self.name}.md"


def belonging(memories: Iterable[Memory], place: FolderPurpose) -> list[Memory]:
    """Those that stand there, by id."""
    return sorted((memory for memory in memories if _belongs(memory, place)), key=lambda memory: memory.id)


def _belongs(memory: Memory, place: FolderPurpose) -> bool:
    if memory.owner != place.owner or memory.state is not State.ACTIVE or memory.trust not in place.trusted:
        return False
    if memory.confidence < place.least_sure or not memory.title.strip():
        return False
    if memory.target_agents and place.agent and place.agent not in memory.target_agents:
        return False
    if memory.scope is Scope.PROJECT:
        return bool(place.project_key) and memory.project_key == place.project_key
    return place.of_person


def worth(memory: Memory, net_ups: float, now: datetime) -> float:
    """How useful it is likely to be: the parts of recall's score that do not need a prompt, and how it was used."""
    age = max(0.0, (now - memory.last_observed_at).total_seconds() / _DAY)
    return (
        1.0 * memory.pinned
        + 0.5 * memory.always  # who reads this file is given no standing rules besides
        + 0.10 * 2 ** (-age / HALF_LIFE)
        + 0.15 * memory.confidence / 100
        + 0.10 * min(memory.times_observed, MOST) / MOST
        + 0.10 * min(memory.recall_count, MOST) / MOST
        + 0.05 * (memory.type in HIGH)
        + 0.05 * (memory.maturity is Maturity.PROVEN)
        + 0.10 * max(-1.0, min(1.0, net_ups / 3))
    )


def most_useful_first(memories: Iterable[Memory], net_ups: Mapping[str, float], now: datetime) -> list[Memory]:
    return sorted(memories, key=lambda memory: (-worth(memory, net_ups.get(memory.id, 0.0), now), memory.id))


# -- names -------------------------------------------------------------------------------------------------------------


def pages(memories: Sequence[Memory], known: Mapping[str, str], taken: Collection[str]) -> list[MemoryPage]:
    """Each with its name: the one it has had so far (`known`, by id), or a new one that nothing else has."""
    used = {name.casefold() for name in (*taken, *known.values())}
    names = dict[str, str]()
    for memory in memories:
        names[memory.id] = known.get(memory.id) or _free(memory, used)
        used.add(names[memory.id].casefold())
    about = _about(memories)
    return [MemoryPage(memory, names[memory.id], _links(memory, about, names)) for memory in memories]


def _free(memory: Memory, used: Collection[str]) -> str:
    slug, mark = kebab(memory.title, LONGEST_SLUG) or kebab(memory.type.value, LONGEST_SLUG), memory.id[2:]
    lengths = range(SHORTEST_MARK, len(mark) + 1)
    return next((name for n in lengths if (name := f"{slug}-{mark[:n]}") not in used), f"{slug}-{memory.id}")


def kebab(text: str, longest: int) -> str:
    """Its words in small letters without marks, joined by hyphens; "" where it has no such letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = ""
    for word in _WORD.findall(plain):
        if len(slug) + len(word) + 1 > longest:
            break
        slug = f"{slug}-{word}" if slug else word
    return slug or "".join(_WORD.findall(plain)[:1])[:longest]


def _about(memories: Sequence[Memory]) -> Mapping[str, Sequence[str]]:
    """Ids by what they are about. What very many are about brings nobody together."""
    found = defaultdict[str, list[str]](list)
    for memory in memories:
        for subject in _subjects(memory):
            found[subject].append(memory.id)
    return {subject: ids for subject, ids in found.items() if len(ids) <= MOST_ALIKE}


def _links(memory: Memory, about: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> tuple[str, ...]:
    """Those about the same things, the ones that share most first."""
    shared = Counter(id for subject in _subjects(memory) for id in about.get(subject, ()) if id != memory.id)
    near = sorted((-count, id) for id, count in shared.items())
    return tuple(names[id] for _count, id in near[:NEAR_ONES])


def _subjects(memory: Memory) -> frozenset[str]:
    return frozenset(f"{one.type}:{one.slug}" for one in memory.related_entities if one.resolved)
