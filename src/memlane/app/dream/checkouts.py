"""What checkouts on this Machine say of a Memory: whether what it is about is gone, and what is read first there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from memlane import identity
from memlane.app.home import Home
from memlane.app.home.paths import small_text
from memlane.app.recall.staleness import gone
from memlane.domain import Memory, Project, Query, RunFilter, Scope
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

    def look(self, memory: Memory) -> CheckoutFinding:
        """Nothing is known of what holds everywhere, nor where no checkout of its project is here."""
        folders = self._folders.get(memory.project_key, ()) if memory.scope is Scope.PROJECT else ()
        if not memory.project_key or not folders:
            return CheckoutFinding()
        project = Project(memory.project, memory.project_key)
        lost = [gone(memory, Query("", project, folder, "", "", "")) for folder in folders]
        return CheckoutFinding(lost[0] if all(lost) else "", self._read(memory.project_key, folders))

    @cached_property
    def _folders(self) -> Mapping[str, Sequence[str]]:
        """Of each project by its key, as far as they are there and still are that project's."""
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        which = RunFilter(machine=self._home.config.machine, limit=MOST_RUNS)
        for run in self._home.storage().runs.listed(which, self._home.reader):
            if run.project.key and run.cwd:
                found[run.project.key][run.cwd] = None
        return {key: _tops(key, folders) for key, folders in found.items()}

    def _read(self, key: str, folders: Sequence[str]) -> Mapping[str, str]:
        if key not in self._texts:
            found = ((name, _text(Path(folder) / name)) for folder in folders for name in READ_FIRST)
            self._texts[key] = {name: text for name, text in found if text}
        return self._texts[key]


def _tops(key: str, folders: Mapping[str, None]) -> Sequence[str]:
    there = [folder for folder in folders if Path(folder).is_dir() and identity.project_of(folder).key == key]
    return list(dict.fromkeys(identity.checkout_of(f"{folder}/.") or folder for folder in there))


def _text(path: Path) -> str:
    """Without our own lines: what we wrote there is no second voice."""
    return without(small_text(path, LARGEST) or "")
