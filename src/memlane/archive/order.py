"""The lines of several machines in one order: the same wherever, whenever and in whichever order they were joined.

A machine's own lines stay as it wrote them; between two machines the clock decides. Knows times, not what lines say.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from operator import itemgetter
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
BEGINNING = datetime.min.replace(tzinfo=UTC)
Timed = tuple[datetime, str, T]


def by_machine(files: Iterable[Path]) -> Mapping[str, list[Path]]:
    """A machine's file name → its files, oldest month first."""
    found = dict[str, list[Path]]()
    for path in files:
        found.setdefault(path.name, []).append(path)
    return found


def merged(
    streams: Mapping[str, Iterator[T]], when: Callable[[T], datetime | None], since: Mapping[str, datetime]
) -> Iterator[Timed[T]]:
    """Each with the time that counts for it, and whose it is. `since`: the time of what went before, by machine."""
    timed = [_timed(name, lines, when, since.get(name, BEGINNING)) for name, lines in streams.items()]
    return timed[0] if len(timed) == 1 else heapq.merge(*timed, key=itemgetter(0, 1))


def _timed(name: str, lines: Iterator[T], when: Callable[[T], datetime | None], time: datetime) -> Iterator[Timed[T]]:
    """Never earlier than the line before it: clocks jump back, a file does not."""
    for line in lines:
        time = max(time, _aware(when(line) or time))
        yield time, name, line


def _aware(at: datetime) -> datetime:
    return at if at.tzinfo else at.replace(tzinfo=UTC)
