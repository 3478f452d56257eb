"""What git says became of a file on a project's default branch. Git only reads here, and runs no other program.

Names of branches and files come from strangers: each goes behind `refs/`, or behind `--` as a literal path, and no
shell sees it. What git cannot say is unknown, and unknown is never "deleted".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from memlane.system.git import GitFolder

MOST_MOVES = 5  # of one file
SHORT = 10  # characters of a commit
_REMOTE, _LOCAL, _ORIGIN = "refs/remotes/origin/", "refs/heads/", "refs/remotes/origin/HEAD"
_USUAL = ("main", "master")
_RENAMES = ("-M40%", "-l20000", "--diff-filter=R")


@dataclass(frozen=True, slots=True)
class FileFate:
    """Where a file is now, or how it was deleted; neither: it never was on the branch, or git cannot say."""

    there: str = ""
    deleted: str = ""


@dataclass(frozen=True, slots=True)
class _Tip:
    """The newest commit of a branch."""

    branch: str
    commit: str


class DefaultBranch:
    """Of the default branch of the repository that a folder lies in: as `origin` names it, else main or master."""

    def __init__(self, folder: str, variables: Mapping[str, str]) -> None:
        self._said = GitFolder(folder, variables).said
        self._files: dict[str, Mapping[str, str]] = {}

    def fate(self, path: str, moves: int = MOST_MOVES) -> FileFate:
        """`path` is relative to the folder."""
        return self._fate(f"{self._prefix}{path}", moves) if self._tips else FileFate()

    def _fate(self, path: str, moves: int) -> FileFate:
        if any(self._has(tip, path) for tip in self._tips):
            return FileFate(there=path)
        for tip in self._tips:
            commit, _, day = self._ask(*_last_deletion(tip.commit, path)).strip().partition(" ")
            if commit:
                return self._end(
                    path, commit, f"{path} was deleted from {tip.branch} on {day} ({commit[:SHORT]})", moves
                )
        return FileFate()

    def _end(self, path: str, commit: str, told: str, moves: int) -> FileFate:
        """It moved, if git sees it so, or if a file of its name is elsewhere: then that one's fate is its own."""
        renamed = self._said("diff-tree", "-r", "-z", "--name-status", *_RENAMES, f"{commit}^1", commit, "--")
        if renamed is None:
            return FileFate()
        fields = iter(renamed.split("\0"))
        moved = {old: new for _kind, old, new in zip(fields, fields, fields, strict=False)}
        if path in moved:
            return self._fate(moved[path], moves - 1) if moves else FileFate()
        elsewhere = self.namesake(path)
        return FileFate(there=elsewhere) if elsewhere else FileFate(deleted=told)

    def namesake(self, path: str) -> str:
        """A file on the branch with the same name, in whichever folder; or ""."""
        name = f"/{path.rpartition('/')[2].casefold()}"
        every = (names.items() for names in map(self._names, self._tips))
        found = (other for names in every for small, other in names if f"/{small}".endswith(name))
        return next(found, "")

    def knows(self, commit: str) -> bool:
        """Whether this repository has it: one that has not fetched it yet cannot say what became of it."""
        return bool(self._ask("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").strip())

    def text(self, path: str, most: int) -> str | None:
        """As the branch has it; None where it is not there, is larger than `most` bytes, or git cannot say."""
        for tip in self._tips:
            name = self._names(tip).get(f"{self._prefix}{path}".casefold())
            if name is not None:
                size = self._ask("cat-file", "-s", f"{tip.commit}:{name}").strip()
                fits = size.isdecimal() and int(size) <= most
                return self._said("cat-file", "blob", f"{tip.commit}:{name}") if fits else None
        return None

    def _has(self, tip: _Tip, path: str) -> bool:
        names, wanted = self._names(tip), path.casefold().rstrip("/")
        return wanted in names or any(name.startswith(f"{wanted}/") for name in names)

    def _names(self, tip: _Tip) -> Mapping[str, str]:
        """Every file of the branch by its name in small letters: a disk may not tell `Readme` from `README`."""
        if tip.commit not in self._files:
            listed = self._ask("ls-tree", "-r", "-z", "--name-only", "--full-tree", tip.commit)
            self._files[tip.commit] = {name.casefold(): name for name in listed.split("\0") if name}
        return self._files[tip.commit]

    @cached_property
    def _prefix(self) -> str:
        return self._ask("rev-parse", "--show-prefix").rstrip("\n")

    @cached_property
    def _tips(self) -> Sequence[_Tip]:
        """Of the branch as others have it and as it is here, as far as they are known."""
        found = (
            (ref, self._ask("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}").strip()) for ref in self._refs()
        )
        tips = [_Tip(ref.removeprefix(_REMOTE).removeprefix(_LOCAL), commit) for ref, commit in found if commit]
        return tips if all(self._names(tip) for tip in tips) else ()

    def _refs(self) -> Iterator[str]:
        here = self._ask("for-each-ref", "--format=%(refname)", _LOCAL, _REMOTE).splitlines()
        head = self._ask("symbolic-ref", "--quiet", _ORIGIN).rstrip("\n").removeprefix(_REMOTE)
        local = [ref.removeprefix(_LOCAL) for ref in here if ref.startswith(_LOCAL)]
        usual = next((name for name in _USUAL if {f"{_REMOTE}{name}", f"{_LOCAL}{name}"} & set(here)), "")
        name = head or usual or (local[0] if len(local) == 1 else "")
        yield from (ref for ref in (f"{_REMOTE}{name}", f"{_LOCAL}{name}") if name and ref in here)

    def _ask(self, *words: str) -> str:
        """What git says; "" where it says nothing or fails."""
        return self._said(*words) or ""


def _last_deletion(commit: str, path: str) -> Sequence[str]:
    """As the branch itself saw it: a merge took it away, whatever the merged branch did before."""
    how = ("--first-parent", "-m", "--no-renames", "--diff-filter=D")
    return ("log", "-1", "--format=%H %cs", "-s", *how, commit, "--", f":(top,literal){path}")
