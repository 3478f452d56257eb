"""What one Run did, counted. Nothing here is kept: it is read from the transcript again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memlane.domain.catching import Spot


@dataclass(frozen=True, slots=True)
class Mended:
    """Something failed, and was reached in the end: what was tried, what was said about it, what worked; masked."""

    failed: Spot
    worked: Spot
    tried: str
    error: str
    did: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Calls and failures by the name of the tool."""

    calls: Mapping[str, int]
    failures: Mapping[str, int]
    mended: tuple[Mended, ...]
