"""What Central has acknowledged, run by run. Cheap to lose: Central says again what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from memlane.archive import RunReceipt
from memlane.system.disk import Disk

FILE = "receipts.json"


class ShipState(msgspec.Struct):
    """`since`: how long there has been something to send; `stopped`: why nothing was sent, and since when."""

    central: str = ""
    runs: dict[str, RunReceipt] = {}
    journals: dict[str, tuple[int, str]] = {}
    last: str = ""  # when Central last took everything
    met: str = ""  # when Central last answered
    stopped: str = ""
    kept_back: dict[str, str] = {}  # runs that are not sent masked, and why
    checked: str = ""  # when what it holds was last compared
    skew: float = 0.0  # seconds our clock is ahead of Central's


class Receipts:
    def __init__(self, disk: Disk, home: Path) -> None:
        self._disk = disk
        self.path = home / FILE

    def read(self, central: str) -> ShipState:
        """Those of another Central say nothing about this one."""
        try:
            state = msgspec.json.decode(self.path.read_bytes(), type=ShipState)
        except (OSError, msgspec.DecodeError):
            return ShipState(central)
        return state if state.central == central else ShipState(central)

    def write(self, state: ShipState) -> None:
        """Old or new, never between; not synced, since nothing hangs on it."""
        unfinished = self.path.with_name(f"{self.path.name}.tmp")
        descriptor = self._disk.open_to_write(unfinished)
        try:
            self._disk.truncate(descriptor, 0)
            self._disk.write(descriptor, msgspec.json.encode(state), 0)
        finally:
            self._disk.close(descriptor)
        self._disk.rename(unfinished, self.path)


def told(runs: Mapping[str, Mapping[str, object]]) -> dict[str, RunReceipt]:
    """What Central says it holds, as receipts that have not been compared with our own bytes yet."""
    return msgspec.convert(
        {
            run: {"held": {int(n): what for n, what in _table(one["generations"]).items()}, "files": one["files"]}
            for run, one in runs.items()
        },
        dict[str, RunReceipt],
    )


def _table(value: object) -> Mapping[str, object]:
    return msgspec.convert(value, dict[str, object])
