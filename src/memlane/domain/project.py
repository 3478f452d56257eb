"""Which keys mean one Project: joins, each with what shows it, and what all of them together say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlane.domain.run import NO_PROJECT, Project


@dataclass(frozen=True, slots=True)
class JoinReason:
    """One thing that shows that two keys mean one Project: `kind` for programs, `text` for people."""

    kind: str  # remote, checkout, worktree, files, commit, hand
    text: str


@dataclass(frozen=True, slots=True)
class ProjectJoin:
    """What is held about one key. The newest line about it holds; one that stands alone has no `into`."""

    key: str
    name: str  # what its own folder or remote is called
    into: str = ""  # the key it belongs to
    into_name: str = ""
    called: str = ""  # what a person calls it
    reasons: tuple[JoinReason, ...] = ()
    by: str = ""  # who said so: person, or lane by the reasons. What a person said is never changed by lane

    @property
    def own(self) -> Project:
        return Project(self.name, self.key)


@dataclass(frozen=True, slots=True)
class FiledProject:
    """A Project as it was written down, before any join: how much stands under this key."""

    project: Project
    runs: int = 0
    memories: int = 0


def settled(joins: Iterable[ProjectJoin]) -> Mapping[str, Project]:
    """What each of these keys belongs to. A key that stands alone under its own name is not in it."""
    by_key = {join.key: join for join in joins}
    names = {join.into: join.into_name for join in by_key.values() if join.into}
    found = {key: _root(key, by_key) for key in by_key}
    roots = {root: _called(root, by_key, names) for root in found.values()}
    return {key: roots[root] for key, root in found.items() if root != key or by_key[key].called}


def _root(key: str, by_key: Mapping[str, ProjectJoin]) -> str:
    """Two machines may have joined two keys both ways: then the first by its letters holds."""
    met = [key]
    while (join := by_key.get(met[-1])) is not None and join.into:
        if join.into in met:
            return min(met[met.index(join.into) :])
        met.append(join.into)
    return met[-1]


def _called(root: str, by_key: Mapping[str, ProjectJoin], names: Mapping[str, str]) -> Project:
    join = by_key.get(root)
    name = (join.called or join.name) if join is not None else names.get(root, NO_PROJECT.name)
    return Project(name or root, root)
