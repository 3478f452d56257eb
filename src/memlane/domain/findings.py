"""What a check found: the same shape for `doctor`, `archive verify` and every command that reports."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much it matters. Only `FAIL` makes a command exit with 1."""

    OK = "ok"
    NOTE = "note"
    WARN = "warn"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: what it is, how it stands, what to do about it."""

    kind: str
    level: Level
    what: str
    hint: str = ""
