"""The files an agent reads by itself, as most agents have them: names in a checkout, and one of the person's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memlane.agents.agent import Surroundings


@dataclass(frozen=True, slots=True)
class NoteFiles:
    """By their names alone."""

    in_checkout: tuple[str, ...]
    nested: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    folder: str = ""  # of the agent, below the person's home
    moved_by: str = ""  # the variable that names another one
    own: tuple[str, ...] = ()  # the person's own, in that folder
    pages: str = ""  # a pattern there: what the agent itself wrote down

    def own_files(self, around: Surroundings) -> tuple[Path, ...]:
        return tuple(self.home(around) / name for name in self.own)

    def own_pages(self, around: Surroundings) -> Iterator[Path]:
        yield from sorted(self.home(around).glob(self.pages)) if self.pages else ()

    def home(self, around: Surroundings) -> Path:
        return Path(around.variables.get(self.moved_by) or around.home / self.folder)
