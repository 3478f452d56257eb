"""Which folder of this computer a Run goes on in: the one asked for, the one it was in, or its project's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from memlane import identity
from memlane.app.home import Home
from memlane.app.projects import ProjectBook, ProjectRow
from memlane.app.resume.paths import PathMap, below, root_before
from memlane.domain import RunFilter, RunSummary
from memlane.errors import UsageError


@dataclass(frozen=True, slots=True)
class Destination:
    """The folder to start in, and which paths of the Run mean what there."""

    folder: Path
    paths: PathMap


@dataclass(frozen=True, slots=True)
class CheckoutChoices:
    """Where a Run may go on. One that is certain needs no question."""

    folders: Sequence[Path]
    certain: bool  # they are of its project, not only of its name

    @property
    def clear(self) -> bool:
        return self.certain and len(self.folders) == 1


class Destinations:
    def __init__(self, home: Home, projects: ProjectBook) -> None:
        self._home, self._projects = home, projects

    def of(self, run: RunSummary, given: Path | None, here: Path) -> Destination:
        if given is not None:
            if not given.is_dir():
                raise UsageError(f"{given} is not a folder", hint="--cwd: a checkout on this machine")
            return self._at(run, given)
        if self._lies_here(run):
            return Destination(Path(run.cwd).resolve(), PathMap("", ""))
        found = self._of_project(run, here)
        if not found:
            hint = f"go to one, or name it: lane resume {run.id} --cwd FOLDER"
            raise UsageError(f"no checkout of {run.project.name} was found on this machine", hint=hint)
        return self._at(run, found[0])

    def choices(self, run: RunSummary, here: Path) -> CheckoutChoices:
        """Of another machine's path alone nobody can tell whose checkout it was: those of its name may be meant."""
        found = self._of_project(run, here)
        if found:
            return CheckoutChoices(found, certain=True)
        alike = [row for row in self._projects.all() if _last(row.project.name) == _last(run.project.name)]
        return CheckoutChoices(self._checkouts(alike), certain=False)

    def _of_project(self, run: RunSummary, here: Path) -> Sequence[Path]:
        """One folder where it is clear, several checkouts where it is not, none where there is none."""
        if self._lies_here(run):
            return [Path(run.cwd)]
        if not run.project.key or self._is_of(run.project.key, here):
            return [here]
        if self._is_of(run.project.key, Path(run.cwd)):
            return [Path(run.cwd)]
        return self._checkouts([row for row in self._projects.all() if row.project.key == run.project.key])

    def _lies_here(self, run: RunSummary) -> bool:
        folder = Path(run.cwd)
        return run.machine == self._home.config.machine and folder.is_absolute() and folder.is_dir()

    def _is_of(self, project: str, folder: Path) -> bool:
        there = folder.is_absolute() and folder.is_dir()
        return there and self._home.project_at(str(folder)).key == project

    def _checkouts(self, rows: Sequence[ProjectRow]) -> Sequence[Path]:
        """Those that are known of these projects, then those where their Runs were, the latest first."""
        machine, storage = self._home.config.machine, self._home.storage()
        found = dict[Path, None]()
        for row in rows:
            key = row.project.key
            runs = storage.runs.listed(RunFilter(project=key, machine=machine), self._home.reader)
            known = filter(None, (*row.paths, *(run.cwd for run in runs)))
            found |= {Path(identity.root_of(path) or path): None for path in known if self._is_of(key, Path(path))}
        return list(found)

    def _at(self, run: RunSummary, folder: Path) -> Destination:
        """The same place in the other checkout, where it has one."""
        folder = folder.resolve()
        root = identity.root_of(str(folder)) or str(folder)
        key = run.project.key
        old = root_before(run.cwd, key if identity.is_path(key) else run.project.name, root)
        inside = below(run.cwd, old)
        if str(folder) != root and folder.parts[len(Path(root).parts) :] == inside:
            return Destination(folder, PathMap(old, root))
        if str(folder) != root and not inside and identity.is_path(key):  # a plain folder, moved into a checkout
            return Destination(folder, PathMap(old, str(folder)))
        deeper = Path(root).joinpath(*inside)
        return Destination(deeper if deeper.is_dir() and str(folder) == root else folder, PathMap(old, root))


def _last(name: str) -> str:
    return name.rpartition("/")[2].casefold()
