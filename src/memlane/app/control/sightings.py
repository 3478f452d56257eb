"""When each machine was last here, and how far behind it said it was. Nice to know: it is not durable."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from memlane.app.home import Home


class Sightings:
    def __init__(self, home: Home) -> None:
        self._home = home

    @property
    def _folder(self) -> Path:
        return self._home.run_folder / "seen"

    def note(self, machine: str, runs: int | None, size: int | None) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        said = {"at": self._home.clock(), "runs": runs, "bytes": size}
        unfinished = self._folder / f"{machine}.tmp"
        unfinished.write_bytes(msgspec.json.encode(said))
        unfinished.replace(self._folder / machine)

    def all(self) -> Mapping[str, Mapping[str, object]]:
        found = dict[str, Mapping[str, object]]()
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            with suppress(OSError, msgspec.DecodeError):
                found[path.name] = msgspec.json.decode(path.read_bytes(), type=dict[str, object])
        return found
