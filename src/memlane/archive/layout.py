"""Where everything lies in the archive, and how to find a Run's folder by its id alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote

from memlane.system.disk import Disk

METADATA = "metadata.json"
SIDE_FOLDER = "files"
LINES = ".jsonl"
MONTH = re.compile(r"^\d{4}-\d{2}$")
_RAW = re.compile(r"^g([1-9]\d*)\.(?:raw|patch)$")
_UNSAFE = re.compile(r"[^A-Za-z0-9._@-]")


def safe_name(name: str) -> str:
    """A name that is one folder on every file system and cannot climb out of it."""
    return (
        _UNSAFE.sub(lambda m: "".join(f"%{b:02x}" for b in m[0].encode("utf-8", "surrogatepass")), name).lstrip(".")
        or "_"
    )


def name_made_safe(name: str) -> str:
    """The name that was: what `safe_name` makes of it again is this."""
    return unquote(name, errors="surrogatepass")


def _month(at: datetime) -> str:
    return f"{at.year:04}-{at.month:02}"  # %Y is not padded everywhere, and agents do write the year 1


def raw_name(generation: int) -> str:
    return f"g{generation}.raw"


def patch_name(generation: int) -> str:
    return f"g{generation}.patch"


def generation_in(name: str) -> int | None:
    found = _RAW.match(name)
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class Layout:
    """One user's part of an archive."""

    base: Path
    user: str
    heads: Path | None = None  # outside of it: how far its registers were when they were last seen
    disk: Disk = field(default_factory=Disk, compare=False)

    @property
    def root(self) -> Path:
        return self.base / safe_name(self.user)

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    @property
    def journal(self) -> Path:
        return self.root / "journal"

    @property
    def forgetting(self) -> Path:
        return self.root / "forgetting"

    @property
    def registers(self) -> Path:
        """Its name comes before the others: a copy made in order of names has it from before what it speaks of."""
        return self.root / "contents"

    def register(self, machine: str) -> Path:
        return self.registers / f"{safe_name(machine)}.jsonl"

    def card(self, machine: str) -> Path:
        """Apart from the register: that this machine keeps one."""
        return self.root / "machines" / f"{safe_name(machine)}.json"

    def run_folder(self, started: datetime, run: str) -> Path:
        return self.runs / _month(started) / run

    def journal_file(self, at: datetime, machine: str) -> Path:
        return self.journal / _month(at) / f"{safe_name(machine)}.jsonl"

    def journal_name(self, path: Path) -> str:
        return f"{path.parent.name}/{path.name}"

    def find(self, run: str) -> Path | None:
        """The folder of a Run: a look into each month, newest first."""
        for month in self.months(self.runs):
            if self.disk.is_folder(month / run):
                return month / run
        return None

    def months(self, folder: Path) -> list[Path]:
        try:
            names = self.disk.folders(folder)
        except (FileNotFoundError, NotADirectoryError):
            return []
        return [folder / name for name in reversed(names) if MONTH.match(name)]

    def run_folders(self) -> Iterator[Path]:
        """Those of months that can be read; `archive.verify` names the others."""
        for month in self.months(self.runs):
            with suppress(PermissionError):
                yield from (month / name for name in self.disk.folders(month))

    def journal_files(self) -> list[Path]:
        months = reversed(self.months(self.journal))
        return [month / name for month in months for name in self.disk.names(month) if name.endswith(LINES)]
