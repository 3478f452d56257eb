"""What a machine is told to keep to, and the file in which it keeps that: what counts while Central is away."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memlane.app.control.holds import TOLD, Hold
from memlane.app.control.policy import Policy
from memlane.app.home import Home
from memlane.errors import LaneError


class CentralRules(msgspec.Struct, frozen=True):
    """For one person's machines."""

    holds: list[Hold] = []
    retention: list[str] = []  # in words
    policy: Policy = Policy()

    @property
    def words(self) -> Sequence[str]:
        """What a person should know before they join."""
        return [*self.policy.words, *(f"{one}, then deleted, also on your machines" for one in self.retention)]


class RulesFile:
    def __init__(self, home: Home) -> None:
        self._home = home
        self.path = home.config.home / TOLD

    def read(self) -> CentralRules:
        """Of a machine that has joined none: no rules."""
        try:
            return msgspec.json.decode(self._home.disk.read_whole(self.path), type=CentralRules)
        except FileNotFoundError:
            return CentralRules()
        except msgspec.DecodeError as error:
            raise LaneError(f"{self.path} cannot be read ({error})", hint="lane ship --now fetches it again") from None

    def write(self, rules: CentralRules) -> None:
        if not self.path.exists() or self.path.read_bytes() != msgspec.json.encode(rules):
            self._home.disk.make_folders(self.path.parent)
            self._home.disk.replace(self.path, msgspec.json.encode(rules))


def never_captured(home: Home) -> Sequence[str]:
    """What this person leaves out, and what their Central forbids."""
    return (*home.config.names("capture.exclude"), *RulesFile(home).read().policy.never)


def must_be_masked(home: Home) -> bool:
    """Before anything is sent: by this person's setting, or because their Central demands it."""
    return home.config.switch("ship.mask") or RulesFile(home).read().policy.mask
