"""Where Claude Code is on this computer: its program, its settings, and what it keeps about plugins."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memlane.setup.computer import Computer
from memlane.setup.plugin import MARKETPLACE
from memlane.setup.plugin import NAME as PLUGIN

NAME = "claude-code"
TITLE = "Claude Code"


@dataclass(frozen=True, slots=True)
class Places:
    """Its files and folders that a plugin touches."""

    folder: Path

    @property
    def settings(self) -> Path:
        return self.folder / "settings.json"

    @property
    def installed(self) -> Path:
        return self.folder / "plugins" / "installed_plugins.json"

    @property
    def marketplaces(self) -> Path:
        return self.folder / "plugins" / "known_marketplaces.json"

    @property
    def ours_alone(self) -> tuple[Path, ...]:
        """What it leaves behind of a plugin that was taken out."""
        inside = self.folder / "plugins"
        data = inside / "data" / f"{PLUGIN}-{MARKETPLACE}"
        return (inside / "cache" / MARKETPLACE, inside / "marketplaces" / MARKETPLACE, data)

    @property
    def made_by_installing(self) -> tuple[Path, ...]:
        """Innermost first."""
        inside = self.folder / "plugins"
        folders = (*(inside / name for name in ("cache", "data", "marketplaces")), inside, self.folder)
        return (self.installed, self.marketplaces, *folders)


def places(computer: Computer) -> Places:
    chosen = computer.variables.get("CLAUDE_CONFIG_DIR", "")
    if chosen:
        return Places(computer.home / chosen[2:] if chosen.startswith("~/") else Path(chosen))
    return Places(computer.home / ".claude")


def program(computer: Computer) -> str:
    """`claude` on PATH, or where its installers put it; nothing where there is none."""
    usual = (computer.home / ".local" / "bin" / "claude", computer.home / ".claude" / "local" / "claude")
    found = (computer.which(str(path)) for path in usual)
    return computer.which("claude") or next(filter(None, found), "")


def is_here(computer: Computer) -> bool:
    return places(computer).folder.is_dir() or bool(program(computer))
