"""An Entity: a person, project, file or thing with a slug of its own. Which one is meant is a value, not a guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """`type:slug` is what Memories name it by. One from a folder or a Run is found again there and never journaled."""

    type: str  # person, business, project, website, file, feature, agent, … kept as written
    slug: str
    name: str
    aliases: tuple[str, ...] = ()
    file: str = ""  # the page it is described in
    origin: str = "hand"  # hand, folder, run
    merged_into: str = ""  # type:slug of the one it is
    removed: bool = False

    @property
    def key(self) -> str:
        return f"{self.type}:{self.slug}"


FOREMOST = ("person", "project", "business", "website", "feature", "agent")  # whom and what people ask about
LAST = "file"


def type_rank(type_: str) -> int:
    """Where a type stands in a list: people and their work first, file names last."""
    if type_ == LAST:
        return len(FOREMOST) + 1
    return FOREMOST.index(type_) if type_ in FOREMOST else len(FOREMOST)


def ranked(named: Mapping[str, int]) -> tuple[str, ...]:
    """Keys of Entities as a list shows them: by type, then those named most often."""
    return tuple(sorted(named, key=lambda key: (type_rank(key.partition(":")[0]), -named[key], key)))


@dataclass(frozen=True, slots=True)
class Known:
    """One fits, and enough speaks for it."""

    entity: Entity


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """Several fit: somebody has to say which."""

    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """None fits, or too little speaks for the one that does."""


Resolution = Known | Ambiguous | Unknown


@dataclass(frozen=True, slots=True)
class NameAnswer:
    """What a person said a name means: `entity` is `type:slug`, or "" for "not a name". `taken_back`: the answer holds
    no more, and the question is open again."""

    raw: str
    entity: str
    project_key: str = ""  # only there; "": everywhere
    taken_back: bool = False
