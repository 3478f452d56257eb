"""Of several Entities that fit, which one is meant; and which one a name with a slip in it nearly is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memlane.domain import NO_PROJECT, Ambiguous, Entity, Known, Project, Resolution, Unknown
from memlane.entities.directory import PERSON, Directory, person_words
from memlane.entities.names import Words, is_cjk, plain
from memlane.entities.vocabulary import GENERIC, GIVEN, WORDY

Files = Callable[[str], Sequence[Entity]]  # those that end like this, if Runs touched any


def no_files(_path: str) -> Sequence[Entity]:
    return ()


@dataclass(frozen=True, slots=True)
class MentionPlace:
    """Where the words stand."""

    project: Project = NO_PROJECT
    type: str = ""  # what whoever wrote them down says it is
    text: str = ""  # around them
    settled: frozenset[str] = frozenset()  # keys already known to be meant in this Run
    files: Files = no_files


NOWHERE = MentionPlace()


def one_of(fitting: Sequence[Entity], where: MentionPlace) -> Resolution:
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


def generic(words: Words, directory: Directory, where: MentionPlace) -> Resolution | None:
    """`the website`: the one of this project, else whichever there is if there is only one to choose from."""
    if len(words) != 1 or words[0] not in GENERIC or not (sort := directory.of_sort(GENERIC[words[0]])):
        return None
    if len(here := [entity for entity in sort if at_home(entity, where.project)]) == 1:
        return Known(here[0])
    if len(sort) > 1:
        return Ambiguous(tuple(sort))
    return Known(sort[0]) if words[0] == "website" and not where.project.key else Unknown()


SHORTEST = 4
SHORTEST_ALONE = 5  # of a first name by itself: shorter ones have too many neighbours
LONG = 8  # letters from which two slips are allowed in a last name


def misspelt(words: Words, directory: Directory) -> list[Entity]:
    """The people whose first name (or first and last name) this nearly is."""
    if not 1 <= len(words) <= 2 or is_cjk(words[0]):
        return []
    if len(words) == 2 and words[0] in directory.first_names:
        return [e for e in directory.first_names[words[0]] if _nearly_last(words[1], person_words(plain(e.name)))]
    names = [name for name in directory.nearly(words[0]) if _nearly(words[0], name, 1)]
    fitting = [entity for name in names for entity in directory.first_names[name]]
    if len(words) == 1:
        return fitting if len(words[0]) >= SHORTEST_ALONE else []
    return [e for e in fitting if person_words(plain(e.name))[-1:] == words[1:]]


def _nearly_last(word: str, name: Words) -> bool:
    return len(name) > 1 and _nearly(word, name[-1], 2 if len(name[-1]) >= LONG else 1)


def _nearly(word: str, name: str, slips: int) -> bool:
    if word in GIVEN or word in WORDY or min(len(word), len(name)) < SHORTEST or word[0] != name[0]:
        return False
    return word != name and abs(len(word) - len(name)) <= slips and distance(word, name) <= slips


def distance(one: str, other: str) -> int:
    """Letters to change, to add, to leave out, or to swap with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for n, letter in enumerate(one, 1):
        row = [n]
        for m, wanted in enumerate(other, 1):
            best = min(rows[-1][m] + 1, row[-1] + 1, rows[-1][m - 1] + (letter != wanted))
            if n > 1 and m > 1 and letter == other[m - 2] and one[n - 2] == wanted:
                best = min(best, rows[-2][m - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
