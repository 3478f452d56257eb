"""Times as a small picture: how many fell into each month, up to now. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

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
    counted = Counter((at.astimezone().year, at.astimezone().month) for at in times)
    if not counted:
        return []
    here = now.astimezone()
    last, first = here.year * 12 + here.month - 1, min(year * 12 + month - 1 for year, month in counted)
    fullest = max(counted.values())
    every = [(n // 12, n % 12 + 1) for n in range(max(first, last - most + 1), last + 1)]
    return [Month(date(*each, 1), counted[each], counted[each] / fullest) for each in every]
