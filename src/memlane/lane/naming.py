"""Names in Memories that wait for an answer: grouped by what was written and where, with those who may be meant.

It only reads what it is given; an answer is written by Knowing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane import entities
from memlane.domain import Ambiguous, Entity, Known, Memory, Mention, Project
from memlane.entities import Directory, Where

PERSON = "person"
ENOUGH = 3  # Memories that must name a thing nobody knows before a person is asked about it
MOST_FITS = 9  # one key each
OUTSTANDING = 2  # times the Memories of the next one
_THIS_COMPUTER = re.compile(r"(?:\w+://)?(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d+)?(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class Fit:
    """One who may be meant, and what tells them apart."""

    entity: Entity
    memories: int
    last: datetime | None
    here: bool  # named in this project before
    likely: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A name nobody was sure of, in one project, and the Memories that wait for it."""

    raw: str
    type: str
    project: Project
    memories: tuple[Memory, ...]
    fits: tuple[Fit, ...]


class Uses:
    """Which Memories are about which Entity, whatever it was called then."""

    def __init__(self, memories: Iterable[Memory], directory: Directory) -> None:
        self._of: dict[str, list[Memory]] = {}
        for memory in memories:
            keys = (f"{m.type}:{m.slug}" for m in memory.related_entities if m.resolved)
            meant = ((directory.meant(key), key) for key in keys)
            for key in dict.fromkeys(entity.key if entity else key for entity, key in meant):
                self._of.setdefault(key, []).append(memory)

    def of(self, key: str) -> Sequence[Memory]:
        return self._of.get(key, ())

    def elsewhere(self, directory: Directory) -> list[Entity]:
        """What Memories are about and no directory lists: files, and what was there once."""
        keys = (key.partition(":") for key in self._of if directory.meant(key) is None)
        return [Entity(type_, slug, slug, origin="run") for type_, _, slug in keys]


def waiting(memories: Sequence[Memory], directory: Directory) -> list[Waiting]:
    """The names most Memories wait for come first."""
    groups: dict[tuple[str, str], list[tuple[Memory, Mention]]] = {}
    for memory in memories:
        for mention in memory.related_entities:
            if not mention.resolved and mention.raw:
                groups.setdefault((mention.raw.casefold(), memory.project_key), []).append((memory, mention))
    uses = Uses(memories, directory)
    found = [one for group in groups.values() if (one := _waiting(group, directory, uses)) is not None]
    return sorted(found, key=lambda one: (-len(one.memories), one.raw.casefold(), one.project.key))


def _waiting(group: Sequence[tuple[Memory, Mention]], directory: Directory, uses: Uses) -> Waiting | None:
    memory, mention = group[0]
    project = Project(memory.project, memory.project_key)
    answer = directory.answer(entities.plain(mention.raw), project)
    if answer is not None and not answer.entity:
        return None  # not a name
    fitting = _fitting(mention, directory, project)
    if not fitting and _names_nothing(mention):
        return None
    if not fitting and mention.type != PERSON and len(group) < ENOUGH:
        return None
    fits = _fits(fitting, project, uses)
    return Waiting(mention.raw, mention.type, project, tuple(one for one, _mention in group), fits)


def _names_nothing(mention: Mention) -> bool:
    """`the website`, which anybody may have, and `localhost:3000`, which everybody has."""
    words = mention.raw.casefold().strip().removeprefix("the ")
    return words == mention.type or bool(_THIS_COMPUTER.fullmatch(words))


def _fitting(mention: Mention, directory: Directory, project: Project) -> Sequence[Entity]:
    match entities.resolve(mention.raw, directory, Where(project, mention.type)):
        case Known(entity):
            return [entity]
        case Ambiguous(found):
            return found
        case _:
            return directory.alike(entities.plain(mention.raw)) if mention.type in ("", PERSON) else []


def _fits(fitting: Sequence[Entity], project: Project, uses: Uses) -> tuple[Fit, ...]:
    fits: list[Fit] = []
    for entity in fitting[:MOST_FITS]:
        about = uses.of(entity.key)
        here = any(memory.project_key == project.key for memory in about)
        fits.append(Fit(entity, len(about), max((m.last_observed_at for m in about), default=None), here))
    fits.sort(key=lambda fit: (-fit.here, -fit.memories, fit.entity.name))
    return tuple(
        Fit(fit.entity, fit.memories, fit.last, fit.here, likely=not n and _stands_out(fits))
        for n, fit in enumerate(fits)
    )


def _stands_out(fits: Sequence[Fit]) -> bool:
    """Named here when no other was, or far more often."""
    if len(fits) < 2:
        return bool(fits)
    first, second = fits[:2]
    return (first.here and not second.here) or first.memories >= OUTSTANDING * max(1, second.memories)
