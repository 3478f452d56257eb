"""What is known about each project, gathered from storage and from this Machine's disk. It decides nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from memlane import identity
from memlane.app.home import Home
from memlane.app.home.journal import PERSON
from memlane.domain import NO_PROJECT, FiledProject, Project, ProjectJoin, RunSummary
from memlane.identity import ProjectFacts
from memlane.identity.likeness import is_shared_folder, within
from memlane.system.git import GitFolder

MOST_RUNS = 200  # of one key, the newest
QUICK = 40  # the same, while an agent waits
COMMITS = "first commits"  # a note: folder → its first commits, so that a checkout is known again after it moved
_notes = msgspec.json.Decoder(dict[str, list[str]])


class ProjectSurvey:
    """One look. `only`: keys that matter; `at`: a folder that somebody works in, though nothing was filed there yet."""

    def __init__(self, home: Home, only: frozenset[str] | None = None, at: str = "", *, asks_git: bool = True) -> None:
        self._home, self._only, self._at, self._asks_git = home, only, at, asks_git
        self._commits = _notes.decode(home.storage().notes.get(COMMITS) or b"{}")
        self._learned = False
        self._tops: dict[str, frozenset[str]] = {}  # by the project's key

    def facts(self) -> Sequence[ProjectFacts]:
        return [self._of(one) for one in self._filed()]

    def keep_commits(self) -> None:
        """What git said is put down, by whoever may write."""
        if self._learned:
            self._home.storage().notes.put(COMMITS, msgspec.json.encode(self._commits).decode())

    def there(self, key: str, path: str) -> bool:
        """Whether a checkout of this project, here, has the file."""
        return any(os.path.lexists(Path(top, path)) for top in self._tops.get(key, ()))

    def _filed(self) -> Iterator[FiledProject]:
        """Each key once, also one that only stands on the disk so far."""
        every = self._home.storage().projects.filed(self._home.reader)
        here = [FiledProject(identity.project_of(self._at))] if self._at else []
        merged = dict[str, FiledProject]()
        for one in (*every, *here):
            key, known = one.project.key, merged.get(one.project.key, FiledProject(one.project))
            if key and (self._only is None or key in self._only):
                merged[key] = FiledProject(known.project, known.runs + one.runs, known.memories + one.memories)
        yield from merged.values()

    @cached_property
    def _joins(self) -> Mapping[str, ProjectJoin]:
        return {join.key: join for join in self._home.storage().projects.joins(self._home.reader)}

    def _of(self, filed: FiledProject) -> ProjectFacts:
        project, projects, reader = filed.project, self._home.storage().projects, self._home.reader
        root, runs = (
            projects.of(project, reader),
            projects.runs(project.key, reader, MOST_RUNS if self._asks_git else QUICK),
        )
        own = self._apart([project.key] if identity.is_path(project.key) else [])
        worked = self._apart(identity.without_worktrees(run.cwd) for run in runs if run.cwd)
        tops = frozenset(self._checkouts(project, [*own, *self._here(runs)]))
        self._tops[root.key] = self._tops.get(root.key, frozenset()) | tops
        join = self._joins.get(project.key)
        return ProjectFacts(
            project,
            root,
            filed.runs + filed.memories,
            folders=own if identity.is_path(project.key) else worked,
            worked_in=worked,
            files=frozenset(_files(runs)),
            branches=frozenset(run.branch for run in runs if run.branch),
            commits=frozenset(commit for top in (*own, *tops) for commit in self._first_commits(top)),
            stands=self._stands(project, runs),
            worktrees=self._apart(tree for top in tops for tree in identity.worktrees_of(top)),
            decided=join is not None and join.by == PERSON,
        )

    def _here(self, runs: Sequence[RunSummary]) -> Iterator[str]:
        yield from (run.cwd for run in runs if run.machine == self._home.config.machine and run.cwd)
        if self._at:
            yield self._at

    def _checkouts(self, project: Project, folders: Iterable[str]) -> Iterator[str]:
        """Folders on this Machine that are checkouts of it by now."""
        for folder in dict.fromkeys(folders):
            top = identity.root_of(folder) if Path(folder).is_absolute() and Path(folder).is_dir() else ""
            if top and not self._is_shared(top) and identity.project_of(folder).key == project.key:
                yield identity.main_checkout(folder)

    def _stands(self, project: Project, runs: Sequence[RunSummary]) -> Project:
        """What is at its path. A path of another Machine is not looked for here."""
        key, machine = project.key, self._home.config.machine
        if not identity.is_path(key) or (runs and all(run.machine != machine for run in runs)) or self._is_shared(key):
            return NO_PROJECT
        if not Path(key).is_dir() or self._is_shared(identity.root_of(key) or key):
            return NO_PROJECT
        return self._home.project_at(key)

    def _is_shared(self, key: str) -> bool:
        """Where people start agents for whatever comes up."""
        person = self._home.config.person_home
        return is_shared_folder(key) or Path(key) == person or Path(key) in person.parents

    def _apart(self, folders: Iterable[str]) -> frozenset[str]:
        return frozenset(folder for folder in folders if not self._is_shared(folder))

    def _first_commits(self, top: str) -> Sequence[str]:
        """As git says, once for each checkout; of one that is gone as it said then."""
        if top not in self._commits and self._asks_git and Path(top, ".git").exists():
            said = GitFolder(top, self._home.config.variables).said("rev-list", "--max-parents=0", "HEAD")
            if said:
                self._commits[top], self._learned = said.split(), True
        return self._commits.get(top, ())


def _files(runs: Sequence[RunSummary]) -> Iterator[str]:
    for run in runs:
        top = identity.without_worktrees(run.cwd) if run.cwd else ""
        for file in run.files:
            if path := within(file, top):
                yield identity.without_worktree(path)
