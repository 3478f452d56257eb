"""Which files agents read by themselves, and whose they are: the person's, an agent's, or whoever wrote the project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

IN_A_PROJECT = (
    "CLAUDE.md",
    "CLAUDE.local.md",
    ".claude/CLAUDE.md",
    "AGENTS.md",
    "GEMINI.md",
    ".cursorrules",
    ".github/copilot-instructions.md",
)
RULES = (".cursor/rules", ".claude/rules")
RULE_ENDINGS = (".md", ".mdc")
PASSED_OVER = frozenset({"node_modules", "vendor", "dist", "build", "target", "site-packages"})
NESTED = ("CLAUDE.md", "AGENTS.md", "GEMINI.md")


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
class AgentHomes:
    """Where this person's agents keep what is theirs."""

    person: Path
    variables: Mapping[str, str]

    @property
    def claude(self) -> Path:
        return Path(self.variables.get("CLAUDE_CONFIG_DIR") or self.person / ".claude")

    @property
    def own_files(self) -> Sequence[Path]:
        codex = Path(self.variables.get("CODEX_HOME") or self.person / ".codex")
        return (self.claude / "CLAUDE.md", codex / "AGENTS.md", self.person / ".gemini" / "GEMINI.md")

    def own(self) -> Iterator[NotePage]:
        for path in self.own_files:
            if path.is_file():
                yield NotePage(path, self.named(path), NoteKeeper.PERSON, "")

    def of_agents(self) -> Iterator[NotePage]:
        """Claude Code's memory folders, one for each project."""
        for path in sorted(self.claude.glob("projects/*/memory/*.md")):
            if path.is_file():
                yield NotePage(path, self.named(path), NoteKeeper.AGENT, str(path.parent.parent))

    def named(self, path: Path) -> str:
        return f"~/{path.relative_to(self.person).as_posix()}" if path.is_relative_to(self.person) else str(path)

    def known(self, path: Path) -> NotePage | None:
        """The page it is if it is one of the person's or an agent's own."""
        return next((page for page in (*self.own(), *self.of_agents()) if page.path == path), None)


def checkout_of(folder: Path) -> Path:
    """The nearest folder with a `.git`, else itself."""
    return next((above for above in (folder, *folder.parents) if (above / ".git").exists()), folder)


def in_project(folder: Path) -> Iterator[NotePage]:
    """Those agents look for in a folder of a checkout."""
    root, found = checkout_of(folder), [folder / name for name in IN_A_PROJECT]
    for rules in RULES:
        found += sorted(file for ending in RULE_ENDINGS for file in (folder / rules).glob(f"**/*{ending}"))
    yield from (of_project(path, root) for path in found if path.is_file())


def below(folder: Path) -> Iterator[NotePage]:
    """Also those in its subfolders; links and what others made are passed over."""
    root = checkout_of(folder)
    yield from in_project(folder)
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in PASSED_OVER)
        if Path(place) != folder:
            yield from (of_project(Path(place, name), root) for name in NESTED if name in names)


def of_project(path: Path, root: Path) -> NotePage:
    place = path.relative_to(root).as_posix() if path.is_relative_to(root) else str(path)
    return NotePage(path, place, NoteKeeper.PROJECT, str(root))
