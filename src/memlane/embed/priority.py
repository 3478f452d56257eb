"""Who goes first when several want the same model."""

from __future__ import annotations

from enum import IntEnum


class Priority(IntEnum):
    """The lower, the sooner."""

    QUERY = 0  # somebody waits
    LIVE = 1  # it was said just now
    BULK = 2  # everything else
