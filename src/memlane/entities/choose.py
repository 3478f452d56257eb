"""Of several that fit, which one is meant: by what was said it is, by what is settled already, by where we are."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memlane.domain import NO_PROJECT, Ambiguous, Entity, Known, Project, Resolution, Unknown
from memlane.entities.directory import PERSON, Directory
from memlane.entities.names import Words, plain
from memlane.entities.vocabulary import GENERIC

Files = Callable[[str], Sequence[Entity]]  # those that end like this, if Runs touched any


def no_files(_path: str) -> Sequence[Entity]:
    return ()


@dataclass(frozen=True, slots=True)
class Where:
    """Where the words stand."""

    project: Project = NO_PROJECT
    type: str = ""  # what whoever wrote them down says it is
    text: str = ""  # around them
    settled: frozenset[str] = frozenset()  # keys already known to be meant in this Run
    files: Files = no_files


NOWHERE = Where()


def one_of(fitting: Sequence[Entity], where: Where) -> Resolution:
    """The only one, or the only one of the type that was said, or of what this Run already settled, or of here."""
    narrower: Sequence[Callable[[Entity], bool]] = (
        lambda entity: entity.type == where.type,
        lambda entity: entity.key in where.settled,
        lambda entity: entity.type != PERSON and at_home(entity, where.project),
    )
    for fits in narrower:
        if len(fitting) > 1:
            fitting = [entity for entity in fitting if fits(entity)] or fitting
    if not fitting:
        return Unknown()
    return Known(fitting[0]) if len(fitting) == 1 else Ambiguous(tuple(fitting))


def at_home(entity: Entity, project: Project) -> bool:
    """Whether this is the project's own: it is called the same, or its page lies in it."""
    if not project.key:
        return False
    here = {"".join(plain(re.split(r"[/\\]", name.rstrip("/\\"))[-1])) for name in (project.name, project.key)}
    names = {"".join(plain(name)) for name in (entity.slug, entity.name, *entity.aliases)}
    return bool(here & names) or (project.key.startswith("/") and entity.file.startswith(f"{project.key}/"))


def generic(words: Words, directory: Directory, where: Where) -> Resolution | None:
    """`the website`: the one of this project, else whichever there is if there is only one to choose from."""
    if len(words) != 1 or words[0] not in GENERIC or not (sort := directory.of_sort(GENERIC[words[0]])):
        return None
    if len(here := [entity for entity in sort if at_home(entity, where.project)]) == 1:
        return Known(here[0])
    if len(sort) > 1:
        return Ambiguous(tuple(sort))
    return Known(sort[0]) if words[0] == "website" and not where.project.key else Unknown()
