"""Times as other programs write them, taken only if every zone can show them. Knows no clock."""

from __future__ import annotations

from datetime import UTC, datetime

FIRST_YEAR, LAST_YEAR = 2, 9998  # a year from either end of what Python knows: no zone moves a time out of it


def sound_time(text: str) -> datetime | None:
    """An ISO-8601 time with its zone, UTC if it names none."""
    try:
        return in_bounds(datetime.fromisoformat(text))
    except ValueError:
        return None


def in_bounds(at: datetime) -> datetime | None:
    """No zone is ahead by seconds."""
    offset = at.utcoffset()
    if not FIRST_YEAR <= at.year <= LAST_YEAR or (offset and (offset.seconds % 60 or offset.microseconds)):
        return None
    return at if offset is not None else at.replace(tzinfo=UTC)
