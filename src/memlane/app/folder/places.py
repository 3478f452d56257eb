"""Where memory folders lie: ours in the home, and Claude Code's own where the person said yes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane import identity
from memlane.app.folder.due import FOLDER
from memlane.app.home import Home
from memlane.domain import Memory, Scope, Trust
from memlane.dream.folder import FOLLOWED, INDEX, FolderPurpose, cut, kebab

PERSON = "person"
CLAUDE = "claude-code"  # whom the setting `memory.claude_code` is about
RECORDS, ASIDE = ".written", "aside"


@dataclass(frozen=True, slots=True)
class FolderTarget:
    """One folder: what stands in it, and where what we wrote is kept."""

    folder: Path
    record: Path
    place: FolderPurpose
    project: str  # what people call it; "": the person's own
    ours: bool = True  # nobody but us and the person writes there


class FolderPlaces:
    def __init__(self, home: Home) -> None:
        self._home = home
        self.base = home.config.home / FOLDER

    @property
    def aside(self) -> Path:
        return self.base / ASIDE

    def all(self, memories: Iterable[Memory]) -> list[FolderTarget]:
        own = list(self._own(memories)) if self._home.config.switch("memory.folder") else []
        yes = self._home.config.names("memory.claude_code") if self.claude_loads() else ()
        claude = {target.folder: target for target in self.of_claude(yes)}
        return [*own, *claude.values()]

    def _own(self, memories: Iterable[Memory]) -> Iterator[FolderTarget]:
        """One for the person, and one for each project something is known about."""
        user, least = self._home.config.user, self._home.config.count("recall.least_confidence")
        yield self._target(PERSON, FolderPurpose(user, of_person=True, least_sure=least), "")
        of_projects = (m for m in memories if m.scope is Scope.PROJECT and m.project_key and m.owner == user)
        names = {memory.project_key: memory.project for memory in of_projects}
        for key, name in sorted(names.items()):
            yield self._target(_folder_name(name, key), FolderPurpose(user, key, least_sure=least), name or key)

    def _target(self, name: str, place: FolderPurpose, project: str) -> FolderTarget:
        return FolderTarget(self.base / name, self.base / RECORDS / f"{name}.json", place, project)

    def of_claude(self, projects: Iterable[str]) -> Iterator[FolderTarget]:
        """Claude Code's own, for checkouts the person named. It keeps one for a checkout and all its worktrees."""
        for given in projects:
            if (target := self._of_claude(self.root(given))) is not None:
                yield target

    def root(self, given: str) -> str:
        return identity.main_checkout(str(self._expanded(given)))

    def loaded_by(self, agent: str, cwd: str) -> bool:
        """Whether this agent reads our lines by itself when it starts here."""
        yes = self._home.config.names("memory.claude_code") if agent == CLAUDE else ()
        yes = yes if yes and self.claude_loads() else ()
        root = identity.main_checkout(cwd) if yes else ""
        if root not in (self.root(given) for given in yes):
            return False
        target = self._of_claude(root)
        try:
            index = (target.folder / INDEX).read_text(errors="surrogateescape") if target else ""
        except OSError:
            return False
        return cut(index).lines is not None

    def _of_claude(self, root: str) -> FolderTarget | None:
        theirs = self._home.agents[CLAUDE].memory_folder
        folder = theirs.of_checkout(self._home.surroundings, root) if theirs else None
        if folder is None:
            return None
        project, config = self._home.project_at(root), self._home.config
        least = config.count("recall.least_confidence")
        trusted = FOLLOWED if self._told_there(root) else frozenset[Trust]()
        place = FolderPurpose(config.user, project.key, of_person=True, trusted=trusted, agent=CLAUDE, least_sure=least)
        record = self.base / RECORDS / f"{CLAUDE}-{_folder_name(project.name, root)}.json"
        return FolderTarget(folder, record, place, project.name, ours=False)

    def _told_there(self, root: str) -> bool:
        """Whether agents are told anything in this checkout: where they are not, nothing of ours is loaded either."""
        config = self._home.config
        off = any(root == at or root.startswith(f"{at.rstrip('/')}/") for at in config.names("recall.off_in"))
        return config.switch("recall.enabled") and not off and identity.narrowed(root).recall

    def claude_loads(self) -> bool:
        theirs = self._home.agents[CLAUDE].memory_folder
        return theirs is not None and theirs.is_loaded(self._home.surroundings)

    def _expanded(self, given: str) -> Path:
        home = self._home.config.person_home
        return home / given[2:] if given.startswith("~/") else Path(given)


def _folder_name(name: str, key: str) -> str:
    return f"{kebab(name, 40) or 'project'}-{hashlib.sha256(key.encode('utf-8', 'surrogateescape')).hexdigest()[:6]}"
