"""An Entity: a person, project, file or thing with a slug of its own. Which one is meant is a value, not a guess."""

from __future__ import annotations

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
