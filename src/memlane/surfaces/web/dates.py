"""Days and months as a person who looks at a page counts them, from midnight to midnight where they are. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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


MOST = 24


@dataclass(frozen=True, slots=True)
class Month:
    """`share` is of the fullest one, 0 to 1."""

    first: date
    count: int
    share: float

    @property
    def called(self) -> str:
        return f"{self.first:%b %Y}"


def months(times: Iterable[datetime], now: datetime, most: int = MOST) -> Sequence[Month]:
    """From the first that has any, at most so many, to this one."""
    here = now.astimezone().date()
    counted = Counter(at.astimezone().date().replace(day=1) for at in times)
    return months_of([counted[first] for first in firsts(here, most + 1)[:-1]], here)


def firsts(today: date, many: int) -> Sequence[date]:
    """So many first days of months, the last of them of the one to come."""
    last = today.year * 12 + today.month
    return [date(n // 12, n % 12 + 1, 1) for n in range(last - many + 1, last + 1)]


def months_of(counts: Sequence[int], today: date) -> Sequence[Month]:
    """The last of these is of this month. From the first that has any."""
    fullest, begins = max(counts, default=0), firsts(today, len(counts) + 1)
    every = [Month(first, count, count / fullest) for first, count in zip(begins, counts, strict=False) if fullest]
    return every[next((n for n, one in enumerate(every) if one.count), 0) :]
