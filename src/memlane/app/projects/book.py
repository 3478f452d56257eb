"""Projects as a person sees them: each with its names and why they are one; joined, split and renamed by hand."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memlane import identity
from memlane.app.home import Home
from memlane.app.home.journal import OURS, PERSON, ActLine, ActWriter
from memlane.domain import JoinReason, Project, ProjectJoin, derived_id
from memlane.domain.journal import PROJECT
from memlane.errors import BusyError, NotFoundError, UsageError
from memlane.identity import JoinProposal

if TYPE_CHECKING:
    from memlane.app.projects.survey import ProjectSurvey

LOOKED = "projects"  # a note: what was known when all of it was last looked at
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class JoinedKey:
    """One key of a project: how much was filed under it, and why it belongs there."""

    project: Project
    runs: int
    memories: int
    reasons: tuple[JoinReason, ...] = ()
    by: str = ""  # "": it is the project's own
    id: str = ""


@dataclass(frozen=True, slots=True)
class ProjectRow:
    project: Project
    keys: Sequence[JoinedKey]
    id: str = ""

    @property
    def runs(self) -> int:
        return sum(one.runs for one in self.keys)

    @property
    def memories(self) -> int:
        return sum(one.memories for one in self.keys)

    @property
    def paths(self) -> Sequence[str]:
        return [one.project.key for one in self.keys if identity.is_path(one.project.key)]

    @property
    def remotes(self) -> Sequence[str]:
        return [one.project.key for one in self.keys if not identity.is_path(one.project.key)]


class ProjectBook:
    def __init__(self, home: Home, writer: ActWriter) -> None:
        self._home, self._writer = home, writer
        self._expected = dict[str, tuple[int, Project]]()  # by folder; holds while no Memory changes
        self._arrived = set[str]()

    # -- read --------------------------------------------------------------------------------------------------------

    def all(self) -> Sequence[ProjectRow]:
        """Those with most memories first."""
        projects, reader = self._home.storage().projects, self._home.reader
        joins = {join.key: join for join in projects.joins(reader)}
        found = dict[str, dict[str, JoinedKey]]()
        names = dict[str, Project]()
        for one in projects.filed(reader):
            if one.project.key:
                root, join = projects.of(one.project, reader), joins.get(one.project.key)
                names.setdefault(root.key, root)
                keys = found.setdefault(root.key, {})
                known = keys.get(one.project.key, JoinedKey(one.project, 0, 0))
                why, by = (join.reasons, join.by) if join is not None and join.into else ((), "")
                runs, memories = known.runs + one.runs, known.memories + one.memories
                keys[one.project.key] = JoinedKey(known.project, runs, memories, why, by, self._id(one.project.key))
        rows = [
            ProjectRow(names[key], _own_first(key, list(keys.values())), self._id(key)) for key, keys in found.items()
        ]
        return sorted(rows, key=lambda row: (-row.memories, -row.runs, row.project.key))

    def proposals(self) -> Sequence[JoinProposal]:
        """What may be one project, for a person to decide."""
        survey = self._survey(asks_git=False)
        return identity.kinships(survey.facts(), survey.there).proposals

    def called(self, given: str) -> Project:
        """The one meant: by its name, one of its keys or its folder."""
        rows, wanted = self.all(), given.casefold()
        if Path(given).is_absolute() and Path(given).is_dir() and not any(_has(row, given) for row in rows):
            given = self._home.project_at(given).key
        for fits in (
            [row for row in rows if given in (row.id, row.project.key) or _has(row, given)],
            [row for row in rows if row.project.name.casefold() == wanted],
            [row for row in rows if any(one.project.name.casefold() == wanted for one in row.keys)],
            [row for row in rows if row.project.name.casefold().rpartition("/")[2] == wanted],
        ):
            if len(fits) == 1:
                return fits[0].project
            if fits:
                keys = ", ".join(row.project.key for row in fits)
                raise UsageError(f"{given!r} could be any of: {keys}", hint="give its key: lane projects")
        raise NotFoundError(f"there is no project {given}", hint="lane projects")

    def _id(self, key: str) -> str:
        return key_id(self._home.config.user, key)

    # -- by hand -----------------------------------------------------------------------------------------------------

    def join(self, one: str, other: str) -> tuple[Project, Project, str]:
        """The first becomes part of the second: which, into which, and the act."""
        joined, into = self.called(one), self.called(other)
        if joined.key == into.key:
            raise UsageError(f"{one} and {other} are already one project", hint=f"lane projects split {one}")
        own = self._own(joined)
        reason = JoinReason("hand", "you said so")
        act = self._say(
            replace(own, into=into.key, into_name=into.name, called="", reasons=(reason,), by=PERSON), PERSON
        )
        return joined, into, act

    def split(self, key: str) -> tuple[Project, str]:
        """A key stands alone from now on, and lane leaves it so."""
        filed = [one.project for row in self.all() for one in row.keys if key in (one.project.key, one.id)]
        if not filed:
            return self._split_whole(key)
        join = self._own(filed[0])
        act = self._say(replace(join, into="", into_name="", reasons=(), by=PERSON), PERSON)
        return filed[0], act

    def _split_whole(self, given: str) -> tuple[Project, str]:
        """Named as a whole: the one key of it that was joined."""
        project = self.called(given)
        row = next(row for row in self.all() if row.project.key == project.key)
        others = [one.project.key for one in row.keys if one.project.key != project.key]
        if len(others) == 1:
            return self.split(others[0])
        if others:
            raise UsageError(f"{given} has several keys", hint=f"name one: lane projects split {others[0]}")
        return self.split(project.key)

    def rename(self, given: str, name: str) -> tuple[Project, str]:
        words = self._home.gate.mask(" ".join(name.split()))
        if not words or len(words) > LONGEST_NAME:
            raise UsageError(f"a name has 1 to {LONGEST_NAME} characters", hint="lane projects rename OLD NEW")
        project = self.called(given)
        own = self._own(project)
        act = self._say(replace(own, called=words if words != own.name else "", by=PERSON), PERSON)
        return Project(words, project.key), act

    def _own(self, project: Project) -> ProjectJoin:
        """What is held about this key so far."""
        held = self._home.storage().projects.joins(self._home.reader)
        return next((join for join in held if join.key == project.key), ProjectJoin(project.key, project.name))

    # -- by what is seen ---------------------------------------------------------------------------------------------

    def look(self) -> Sequence[ProjectJoin]:
        """Joins that are sure by now, written down each as an act of its own. Nothing new is known: nothing is done."""
        if (known := self._known()) == self._home.storage().notes.get(LOOKED):
            return ()
        survey = self._survey()
        made = identity.kinships(survey.facts(), survey.there).joins
        for join in made:
            self._say(join, OURS)
        with self._home.lock.held():
            survey.keep_commits()
            self._home.storage().notes.put(LOOKED, self._known() if made else known)
        return made

    def arrive(self, folder: str) -> None:
        """Somebody works in this folder, and nobody waits: what is the same project is joined, once for each folder."""
        if folder and folder not in self._arrived:
            self._arrived.add(folder)
            with suppress(BusyError, OSError):  # the tick sees it too
                for join in self._sure(folder):
                    self._say(join, OURS)

    def expected(self, folder: str) -> Project:
        """The project of this folder. Where nothing is known under its own name yet, and it is sure to be another one
        that is not joined yet, that one: an agent waits, so nothing is written and git is not asked."""
        home = self._home
        here, now = home.project_at(folder), home.storage().memories.version(home.reader)
        if not here.key or home.storage().projects.holds(here.key, home.reader):
            return here
        if folder not in self._expected or self._expected[folder][0] != now:
            mine = (join for join in self._sure(folder) if join.into == here.key)
            self._expected[folder] = now, next((join.own for join in mine), here)
        return self._expected[folder][1]

    def still(self, folder: str, project: Project) -> Project:
        """After a look: where a join was expected, it may have been written meanwhile and moved what was looked for."""
        return self.expected(folder) if folder in self._expected else project

    def _sure(self, folder: str) -> Sequence[ProjectJoin]:
        """Of what is filed under this folder's path, or under a folder of its name."""
        own, filed = identity.project_of(folder), self._home.storage().projects.filed(self._home.reader)
        keys = frozenset(one.project.key for one in filed if _may_be(one.project, own, folder))
        if not own.key or not keys - {own.key}:
            return ()
        survey = self._survey(keys | {own.key}, folder, asks_git=False)
        return identity.kinships(survey.facts(), survey.there).joins

    def _survey(self, only: frozenset[str] | None = None, at: str = "", *, asks_git: bool = True) -> ProjectSurvey:
        from memlane.app.projects.survey import ProjectSurvey  # most prompts need none

        return ProjectSurvey(self._home, only, at, asks_git=asks_git)

    def _known(self) -> str:
        """Of everything that a join could follow from: what was filed, what was said, and what is at the paths."""
        projects, reader = self._home.storage().projects, self._home.reader
        digest = hashlib.sha256(repr(projects.joins(reader)).encode("utf-8", "surrogateescape"))
        for one in projects.filed(reader):
            stands = identity.project_of(one.project.key).key if identity.is_path(one.project.key) else ""
            digest.update(repr((one, stands)).encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def _say(self, join: ProjectJoin, actor: str) -> str:
        return self._writer.write([join_line(join, self._home.config.user, actor)])


def join_line(join: ProjectJoin, owner: str, actor: str = PERSON) -> ActLine:
    data = {
        "key": join.key, "name": join.name, "into": join.into, "into_name": join.into_name, "called": join.called,
        "reasons": [{"kind": one.kind, "text": one.text} for one in join.reasons], "by": join.by,
    }  # fmt: skip
    return ActLine(PROJECT, key_id(owner, join.key), {"join": data}, actor)


def key_id(owner: str, key: str) -> str:
    return derived_id("p", owner, key)


def _has(row: ProjectRow, given: str) -> bool:
    return any(given in (one.project.key, one.id) for one in row.keys)


def _own_first(root: str, keys: Sequence[JoinedKey]) -> Sequence[JoinedKey]:
    return sorted(keys, key=lambda one: (one.project.key != root, one.project.key))


def _may_be(known: Project, own: Project, folder: str) -> bool:
    """It lies in the same folder, or is called the same."""
    if known.key in (own.key, identity.main_checkout(folder)):
        return True
    names = {one.name.rpartition("/")[2].casefold() for one in (known, own)}
    return len(names) == 1
