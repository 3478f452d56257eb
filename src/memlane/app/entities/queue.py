"""Names in Memories that wait for an answer: grouped by what was written and where, with those who may be meant.

It only reads what it is given, names counted by storage; an answer is written by Knowing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memlane import entities
from memlane.domain import STANDING, Ambiguous, Entity, Known, Mention, Project
from memlane.entities import Directory, MentionPlace
from memlane.storage import NameCount

PERSON = "person"
ENOUGH = 3  # Memories that must name a thing nobody knows before a person is asked about it
MOST_FITS = 9  # one key each
OUTSTANDING = 2  # times the Memories of the next one
_THIS_COMPUTER = re.compile(r"(?:\w+://)?(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:]+\])(?::\d+)?(?:/\S*)?")


@dataclass(frozen=True, slots=True)
class NameFit:
    """One who may be meant, and what tells them apart."""

    entity: Entity
    memories: int
    last: datetime | None
    here: bool  # named in this project before
    likely: bool = False


@dataclass(frozen=True, slots=True)
class OpenName:
    """A name nobody was sure of, in one project, and how many Memories wait for it."""

    raw: str
    type: str
    project: Project
    memories: int
    fits: tuple[NameFit, ...]


class EntityUses:
    """How many Memories are about which Entity, whatever it was called then."""

    def __init__(self, named: Iterable[NameCount], directory: Directory) -> None:
        self._of: dict[str, list[NameCount]] = {}
        self._elsewhere: dict[str, Entity] = {}
        for one in named:
            if one.state in STANDING:
                key = f"{one.type}:{one.name}"
                if (entity := directory.meant(key)) is None:
                    self._elsewhere.setdefault(key, Entity(one.type, one.name, one.name, origin="run"))
                self._of.setdefault(entity.key if entity else key, []).append(one)

    def of(self, key: str) -> Sequence[NameCount]:
        return self._of.get(key, ())

    @property
    def elsewhere(self) -> Iterable[Entity]:
        """What Memories are about and no directory lists: files, and what was there once."""
        return self._elsewhere.values()


def waiting(unclear: Iterable[NameCount], uses: EntityUses, directory: Directory) -> list[OpenName]:
    """The names most Memories wait for come first."""
    groups: dict[tuple[str, str], list[NameCount]] = {}
    for one in unclear:
        if one.state in STANDING:
            groups.setdefault((one.name.casefold(), one.project.key), []).append(one)
    found = [one for group in groups.values() if (one := _waiting(group, directory, uses)) is not None]
    return sorted(found, key=lambda one: (-one.memories, one.raw.casefold(), one.project.key))


def _waiting(group: Sequence[NameCount], directory: Directory, uses: EntityUses) -> OpenName | None:
    """As most of them write it, the newest where they are equal."""
    first, count = max(group, key=lambda one: (one.memories, one.seen)), sum(one.memories for one in group)
    mention, project = Mention(first.type, first.name), first.project
    answer = directory.answer(entities.plain(mention.raw), project)
    if answer is not None and not answer.entity:
        return None  # not a name
    fitting = _fitting(mention, directory, project)
    if not fitting and _names_nothing(mention):
        return None
    if not fitting and mention.type != PERSON and count < ENOUGH:
        return None
    return OpenName(mention.raw, mention.type, project, count, _fits(fitting, project, uses))


def _names_nothing(mention: Mention) -> bool:
    """`the website`, which anybody may have, and `localhost:3000`, which everybody has."""
    words = mention.raw.casefold().strip().removeprefix("the ")
    return words == mention.type or bool(_THIS_COMPUTER.fullmatch(words))


def _fitting(mention: Mention, directory: Directory, project: Project) -> Sequence[Entity]:
    match entities.resolve(mention.raw, directory, MentionPlace(project, mention.type)):
        case Known(entity):
            return [entity]
        case Ambiguous(found):
            return found
        case _:
            return directory.alike(entities.plain(mention.raw)) if mention.type in ("", PERSON) else []


def _fits(fitting: Sequence[Entity], project: Project, uses: EntityUses) -> tuple[NameFit, ...]:
    fits: list[NameFit] = []
    for entity in fitting[:MOST_FITS]:
        about = uses.of(entity.key)
        here = any(one.project.key == project.key for one in about)
        last = max((one.seen for one in about), default=None)
        fits.append(NameFit(entity, sum(one.memories for one in about), last, here))
    fits.sort(key=lambda fit: (-fit.here, -fit.memories, fit.entity.name))
    return tuple(
        NameFit(fit.entity, fit.memories, fit.last, fit.here, likely=not n and _stands_out(fits))
        for n, fit in enumerate(fits)
    )


def _stands_out(fits: Sequence[NameFit]) -> bool:
    """Named here when no other was, or far more often."""
    if len(fits) < 2:
        return bool(fits)
    first, second = fits[:2]
    return (first.here and not second.here) or first.memories >= OUTSTANDING * max(1, second.memories)
