"""What checkouts on this Machine say of a Memory: whether its file was deleted, and what is read first there."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memlane import identity
from memlane.app.dream.branch import DefaultBranch, FileFate
from memlane.app.home import Home
from memlane.app.home.paths import FILE, paths_in, small_text
from memlane.domain import Memory, RunFilter, Scope
from memlane.dream.folder.index import without
from memlane.dream.lifecycle import CheckoutFinding

READ_FIRST = ("AGENTS.md", "CLAUDE.md", "README.md", "CONTRIBUTING.md", "package.json")
LARGEST = 512 * 1024  # bytes
MOST_RUNS = 20_000  # whose folders are looked at


class Checkouts:
    """Looked at once for each project: a Dream sees one state of the disk."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._texts: dict[str, Mapping[str, str]] = {}
        self._branches: dict[str, DefaultBranch] = {}
        self._fates: dict[tuple[str, str], FileFate] = {}

    def look(self, memory: Memory) -> CheckoutFinding:
        """Nothing is known of what holds everywhere, nor where no checkout of its project is here."""
        folders = self._folders.get(memory.project_key, ()) if memory.scope is Scope.PROJECT else ()
        if not memory.project_key or not folders:
            return CheckoutFinding()
        about = [one.slug for one in memory.related_entities if one.type == FILE and one.resolved]
        fates = [self._fate(slug, folders) for slug in about]
        there = next((fate.there for fate in fates if fate.there), "") or self._named(memory, about, folders)
        deleted = [fate.deleted for fate in fates if fate.deleted]
        gone = deleted[0] if deleted and len(deleted) == len(about) and not there else ""
        return CheckoutFinding(gone, self._read(memory.project_key, folders), there, here=True)

    def knows(self, memory: Memory, commit: str) -> bool:
        """Whether a checkout of its project has this commit."""
        return any(self._branch(folder).knows(commit) for folder in self._folders.get(memory.project_key, ()))

    def _named(self, memory: Memory, about: Sequence[str], folders: Sequence[str]) -> str:
        """Another file that its text names, and that is there: it says where the first one went."""
        if not about:
            return ""
        others = [path for path in paths_in(memory.text) if not any(f"/{slug}".endswith(f"/{path}") for slug in about)]
        there = next((fate.there for path in others if (fate := self._fate(path, folders)).there), "")
        return there or next(
            (found for path in others for top in folders if (found := self._branch(top).namesake(path))), ""
        )

    def _fate(self, slug: str, folders: Sequence[str]) -> FileFate:
        """There in any checkout, committed or not, is there; else the default branch's history decides."""
        fates = [fate for folder in folders for path in _inside(slug, folder) if (fate := self._in(folder, path))]
        there = next((fate for fate in fates if fate.there), None)
        return there or next((fate for fate in fates if fate.deleted), FileFate())

    def _in(self, folder: str, path: str) -> FileFate:
        if os.path.lexists(Path(folder) / path):
            return FileFate(there=path)
        if (folder, path) not in self._fates:
            self._fates[folder, path] = self._branch(folder).fate(path)
        return self._fates[folder, path]

    def _branch(self, folder: str) -> DefaultBranch:
        """All worktrees of a checkout have one."""
        root = identity.main_checkout(folder)
        return self._branches.setdefault(root, DefaultBranch(root, self._home.config.variables))

    @cached_property
    def _folders(self) -> Mapping[str, Sequence[str]]:
        """Of each project by its key, as far as they are there and still are that project's."""
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        which = RunFilter(machine=self._home.config.machine, limit=MOST_RUNS)
        for run in self._home.storage().runs.listed(which, self._home.reader):
            if run.project.key and run.cwd:
                found[run.project.key][run.cwd] = None
        return {key: self._tops(key, folders) for key, folders in found.items()}

    def _tops(self, key: str, folders: Mapping[str, None]) -> Sequence[str]:
        there = [folder for folder in folders if Path(folder).is_dir() and self._home.project_at(folder).key == key]
        return list(dict.fromkeys(identity.root_of(folder) or folder for folder in there))

    def _read(self, key: str, folders: Sequence[str]) -> Mapping[str, str]:
        if key not in self._texts:
            found = ((name, self._text(folder, name)) for folder in folders for name in READ_FIRST)
            self._texts[key] = {name: text for name, text in found if text}
        return self._texts[key]

    def _text(self, folder: str, name: str) -> str:
        """As the default branch has it: what a branch of today says may be gone tomorrow. Without our own lines: what
        we wrote there is no second voice."""
        disk = small_text(Path(folder) / name, LARGEST)
        return without((self._branch(folder).text(name, LARGEST) if disk else None) or disk or "")


def _inside(slug: str, folder: str) -> Iterator[str]:
    """The path from the checkout on, of what may be named from there, by a worktree, or as a whole."""
    plain = os.path.normpath(slug)
    for top in (folder.rstrip("/"), identity.main_checkout(folder)):
        plain = plain.removeprefix(f"{top}/")
    plain = identity.without_worktree(plain)
    if not plain.startswith(("/", "../")):  # what lies outside of it has no history here
        yield plain
