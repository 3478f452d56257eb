"""Which projects are one? Pure: from what is known about each key to joins with their reasons, and to what is only
proposed. A folder's name alone proves nothing, and two remotes are two projects until a person says otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from memlane.domain import NO_PROJECT, JoinReason, Project, ProjectJoin
from memlane.identity.likeness import common_branches, specific
from memlane.identity.project import is_named, is_path

FILES = 3  # that only this project has, in common with one of the same name: no accident
WITH_BRANCH = 1  # so many are enough where a branch agrees too
LANE = "lane"
There = Callable[[str, str], bool]  # whether a checkout of the project of this key has this file


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """What is known about one key, as it was filed."""

    project: Project
    root: Project  # what it belongs to by now
    weight: int = 0  # Runs and Memories
    folders: frozenset[str] = frozenset()  # its own path, or where its Runs worked
    worked_in: frozenset[str] = frozenset()  # where Runs of it worked
    files: frozenset[str] = frozenset()  # that its Runs named, from the folder on
    branches: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()  # the first ones of its checkouts
    stands: Project = NO_PROJECT  # what is at its path now, on this Machine
    worktrees: frozenset[str] = frozenset()  # of its checkouts
    decided: bool = False  # a person said what it is


@dataclass(frozen=True, slots=True)
class JoinProposal:
    """Two projects that may be one, for a person to decide."""

    one: Project
    other: Project
    why: str


@dataclass(frozen=True, slots=True)
class Kinships:
    joins: Sequence[ProjectJoin]
    proposals: Sequence[JoinProposal]


@dataclass(slots=True)
class _Group:
    """One project with all its keys so far."""

    root: Project
    members: list[ProjectFacts] = field(default_factory=list[ProjectFacts])

    def all(self, of: Callable[[ProjectFacts], Iterable[str]]) -> frozenset[str]:
        return frozenset(one for member in self.members for one in of(member))

    @property
    def strong(self) -> bool:
        """A remote, or a name that a person gave: it never becomes part of another by itself."""
        return not is_path(self.root.key) and is_named(self.root)

    @property
    def decided(self) -> bool:
        return any(member.decided and member.project.key == self.root.key for member in self.members)

    @property
    def rank(self) -> tuple[bool, bool, int, str]:
        here = any(member.stands.key for member in self.members)
        return self.strong, here, sum(member.weight for member in self.members), self.root.key


def kinships(facts: Sequence[ProjectFacts], there: There) -> Kinships:
    groups = dict[str, _Group]()
    for one in facts:
        groups.setdefault(one.root.key, _Group(one.root)).members.append(one)
    joins = list[ProjectJoin]()
    while (found := _next(groups, there)) is not None:
        group, into, reasons = found
        joins.append(_join(group, into.root, reasons))
        into.members += [replace(member, root=into.root) for member in group.members]
        del groups[group.root.key]
    return Kinships(joins, list(_proposals(groups, there)))


def _join(group: _Group, into: Project, reasons: tuple[JoinReason, ...]) -> ProjectJoin:
    return ProjectJoin(group.root.key, group.root.name, into.key, into.name, reasons=reasons, by=LANE)


def _next(groups: dict[str, _Group], there: There) -> tuple[_Group, _Group, tuple[JoinReason, ...]] | None:
    """The first that is sure."""
    weak = sorted((one for one in groups.values() if not one.strong and not one.decided), key=lambda one: one.rank)
    for group in weak:
        if (found := _kin(group, list(_others(group, groups)), there)) is not None:
            return group, *found
    return None


def _kin(group: _Group, others: Sequence[_Group], there: There) -> tuple[_Group, tuple[JoinReason, ...]] | None:
    """What the disk says before what Runs recorded, and files last. Where two remotes fit, neither is sure."""
    for rule in (_stands, _recorded, _worktree, _commit, _alike):
        found = [(other, reason) for other in others if (reason := rule(group, other, there))]
        sure = [one for one in found if one[0].strong] or sorted(found, key=lambda one: one[0].rank)[-1:]
        if found:
            return (sure[0][0], (sure[0][1],)) if len(sure) == 1 else None
    return None


def _others(group: _Group, groups: dict[str, _Group]) -> Iterator[_Group]:
    """A remote, or the greater one of two folders. What a person keeps apart stays so."""
    for other in groups.values():
        if other is not group and (other.strong or (not other.decided and other.rank > group.rank)):
            yield other


def _stands(group: _Group, other: _Group, _there: There) -> JoinReason | None:
    for member in group.members:
        if member.stands.key == other.root.key:
            return JoinReason("checkout", f"{member.project.key} is a checkout of {other.root.name}")
    return None


def _recorded(group: _Group, other: _Group, _there: There) -> JoinReason | None:
    both = group.all(lambda one: one.folders) & other.all(lambda one: one.worked_in)
    if not both or not other.strong:
        return None
    return JoinReason("remote", f"a run in {min(both)} recorded the remote {other.root.key}")


def _worktree(group: _Group, other: _Group, _there: There) -> JoinReason | None:
    both = group.all(lambda one: one.folders) & other.all(lambda one: one.worktrees)
    return JoinReason("worktree", f"{min(both)} is a worktree of {other.root.name}") if both else None


def _commit(group: _Group, other: _Group, _there: There) -> JoinReason | None:
    both = group.all(lambda one: one.commits) & other.all(lambda one: one.commits)
    return JoinReason("commit", f"both begin with commit {min(both)[:10]}") if both else None


def _alike(group: _Group, other: _Group, there: There) -> JoinReason | None:
    """Two folders of one name, and files that only they have."""
    if not _same_name(group, other):
        return None
    files, branches = _shared(group, other, there)
    if len(files) >= FILES or (len(files) >= WITH_BRANCH and branches):
        said = [*sorted(files, key=lambda one: (-one.count("/"), one))[:2], *sorted(branches)[:1]]
        return JoinReason("files", f"same name, and both have {', '.join(said)} ({len(files)} files in common)")
    return None


def _shared(group: _Group, other: _Group, there: There) -> tuple[frozenset[str], frozenset[str]]:
    mine, theirs = (specific(one.all(lambda member: member.files)) for one in (group, other))
    both = (mine & theirs) | {path for path in mine if there(other.root.key, path)}
    return both, common_branches(group.all(lambda one: one.branches), other.all(lambda one: one.branches))


def _same_name(one: _Group, other: _Group) -> bool:
    return bool(_names(one) & _names(other))


def _names(group: _Group) -> frozenset[str]:
    """What its folders and remotes are called, without whose they are."""
    return frozenset(member.project.name.rpartition("/")[2].casefold() for member in group.members) - {"", ".", ".."}


def _proposals(groups: dict[str, _Group], there: There) -> Iterator[JoinProposal]:
    """For each the likeliest other: who decides one is asked about the next."""
    ordered = sorted(groups.values(), key=lambda one: one.rank)
    for n, one in enumerate(ordered):
        if not one.decided:
            found = [(other, why) for other in ordered[n + 1 :] if (why := _why(one, other, there))]
            best = max(found, key=lambda found: (len(_shared(one, found[0], there)[0]), found[0].rank), default=None)
            if best is not None:
                yield JoinProposal(one.root, best[0].root, best[1])


def _why(one: _Group, other: _Group, there: There) -> str:
    """Why somebody may think so. Two remotes with the same folder name are nothing special."""
    if _recorded(one, other, there):
        return "runs in its folder recorded several remotes"
    if both := one.all(lambda each: each.commits) & other.all(lambda each: each.commits):
        return f"both begin with commit {min(both)[:10]}: one may be a fork of the other"
    if not _same_name(one, other):
        return ""
    files, _branches = _shared(one, other, there)
    if one.strong and other.strong:
        return f"same name, {len(files)} files in common" if len(files) >= FILES else ""
    return f"same name, {len(files)} files in common" if files else "same name; nothing else agrees"
