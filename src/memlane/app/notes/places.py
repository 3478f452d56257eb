"""Which files agents read by themselves, and whose they are: the person's, an agent's, or whoever wrote the project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from memlane.agents.agent import OwnNotes, Surroundings
from memlane.app.home import Home

RULE_ENDINGS = (".md", ".mdc")
PASSED_OVER = frozenset({"node_modules", "vendor", "dist", "build", "target", "site-packages"})


class NoteKeeper(StrEnum):
    """Whose file it is."""

    PERSON = "you"
    AGENT = "an agent"
    PROJECT = "the project"


@dataclass(frozen=True, slots=True)
class NotePage:
    """A file, what we call it wherever it lies, and the folder whose project it belongs to ("": none)."""

    path: Path
    place: str
    keeper: NoteKeeper
    folder: str


@dataclass(frozen=True, slots=True)
class AgentNotes:
    """What the agents read by themselves, and what they wrote down, on this computer."""

    person: Path
    around: Surroundings
    readers: Sequence[OwnNotes]

    def own(self) -> Iterator[NotePage]:
        for path in (path for reader in self.readers for path in reader.own_files(self.around)):
            if path.is_file():
                yield NotePage(path, self.named(path), NoteKeeper.PERSON, "")

    def of_agents(self) -> Iterator[NotePage]:
        """What agents wrote down themselves, in a folder for each project."""
        for path in (path for reader in self.readers for path in reader.own_pages(self.around)):
            if path.is_file():
                yield NotePage(path, self.named(path), NoteKeeper.AGENT, str(path.parent.parent))

    def named(self, path: Path) -> str:
        return f"~/{path.relative_to(self.person).as_posix()}" if path.is_relative_to(self.person) else str(path)

    def known(self, path: Path) -> NotePage | None:
        """The page it is if it is one of the person's or an agent's own."""
        return next((page for page in (*self.own(), *self.of_agents()) if page.path == path), None)

    def in_project(self, folder: Path) -> Iterator[NotePage]:
        """Those agents look for in a folder of a checkout."""
        root = checkout_of(folder)
        found = [folder / name for reader in self.readers for name in reader.in_checkout]
        for rules in (rules for reader in self.readers for rules in reader.rules):
            found += sorted(file for ending in RULE_ENDINGS for file in (folder / rules).glob(f"**/*{ending}"))
        yield from (of_project(path, root) for path in dict.fromkeys(found) if path.is_file())

    def below(self, folder: Path) -> Iterator[NotePage]:
        """Also those in its subfolders; links and what others made are passed over."""
        root = checkout_of(folder)
        nested = dict.fromkeys(name for reader in self.readers for name in reader.nested)
        yield from self.in_project(folder)
        for place, folders, names in os.walk(folder):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in PASSED_OVER)
            if Path(place) != folder:
                yield from (of_project(Path(place, name), root) for name in nested if name in names)


def notes_of(home: Home) -> AgentNotes:
    readers = [agent.own_notes for agent in home.agents.with_part("own_notes") if agent.own_notes is not None]
    return AgentNotes(home.config.person_home, home.surroundings, readers)


def checkout_of(folder: Path) -> Path:
    """The nearest folder with a `.git`, else itself."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


def of_project(path: Path, root: Path) -> NotePage:
    place = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return NotePage(path, place, NoteKeeper.PROJECT, str(root))
