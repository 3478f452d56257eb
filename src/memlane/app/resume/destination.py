"""Which folder of this computer a Run goes on in: the one asked for, the one it was in, or its project's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane import identity
from memlane.app.home import Home
from memlane.app.projects import ProjectBook
from memlane.app.resume.paths import PathMap, below, root_before
from memlane.domain import RunFilter, RunSummary
from memlane.errors import UsageError


@dataclass(frozen=True, slots=True)
class Destination:
    """The folder to start in, and which paths of the Run mean what there."""

    folder: Path
    paths: PathMap


class Destinations:
    def __init__(self, home: Home, projects: ProjectBook) -> None:
        self._home, self._projects = home, projects

    def of(self, run: RunSummary, given: Path | None, here: Path) -> Destination:
        if given is not None:
            if not given.is_dir():
                raise UsageError(f"{given} is not a folder", hint="--cwd: a checkout on this machine")
            return self._at(run, given)
        own = run.machine == self._home.config.machine and Path(run.cwd).is_absolute()
        if own and Path(run.cwd).is_dir():
            return Destination(Path(run.cwd).resolve(), PathMap("", ""))
        if not run.project.key:
            return self._at(run, here)
        found = next(self._of_project(run, here), None)
        if found is None:
            hint = f"go to one, or name it: lane resume {run.id} --cwd FOLDER"
            raise UsageError(f"no checkout of {run.project.name} was found on this machine", hint=hint)
        return self._at(run, found)

    def _of_project(self, run: RunSummary, here: Path) -> Iterator[Path]:
        """Where one stands first; then where the Run was; then where others of its project were, the latest first."""
        machine, storage = self._home.config.machine, self._home.storage()
        rows = [row for row in self._projects.all() if row.project.key == run.project.key]
        others = storage.runs.listed(RunFilter(project=run.project.key, machine=machine), self._home.reader)
        known = (run.cwd, *(path for row in rows for path in row.paths), *(one.cwd for one in others))
        for folder in (here, *(Path(path) for path in known if path)):
            if folder.is_absolute() and folder.is_dir() and self._home.project_at(str(folder)).key == run.project.key:
                yield folder

    def _at(self, run: RunSummary, folder: Path) -> Destination:
        """The same place in the other checkout, where it has one."""
        folder = folder.resolve()
        root = identity.root_of(str(folder)) or str(folder)
        key = run.project.key
        old = root_before(run.cwd, key if identity.is_path(key) else run.project.name, root)
        inside = below(run.cwd, old)
        if str(folder) != root and folder.parts[len(Path(root).parts) :] == inside:
            return Destination(folder, PathMap(old, root))
        if str(folder) != root and not inside:
            return Destination(folder, PathMap(old, str(folder)))
        deeper = Path(root).joinpath(*inside)
        return Destination(deeper if deeper.is_dir() and str(folder) == root else folder, PathMap(old, root))
