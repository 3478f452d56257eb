"""Days as a person who looks at a page counts them: from midnight to midnight where they are. Pure."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import overload

THE_END = datetime(9999, 12, 31, tzinfo=UTC)


def day_of(text: str) -> date | None:
    """`2026-11-15`; None if it is none."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        return None


@overload
def midnight(day: date, later: int = 0) -> datetime: ...
@overload
def midnight(day: None, later: int = 0) -> None: ...
def midnight(day: date | None, later: int = 0) -> datetime | None:
    """When it begins; or so many days later."""
    try:
        return datetime.combine(day + timedelta(days=later), datetime.min.time()).astimezone() if day else None
    except OverflowError:
        return THE_END
