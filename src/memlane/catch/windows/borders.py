"""Which closed stretches of a Run are to be read: the same ones however its bytes came in.

Knows no clock and no journal: how long the Run has been quiet and what was read before are handed in.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby, pairwise

from memlane.catch.windows.steps import before, beyond, length, trimmed
from memlane.catch.windows.triggers import never, triggers
from memlane.domain import Project, Spot, Step, Trigger, Turn, Window, window_ends, window_key

IDLE = timedelta(minutes=15)  # SPEC 5; a pause as long ends a Window, because by then it was read
UNANSWERED = timedelta(hours=2)  # a call without a result may still be running, or wait for a person's yes
FULL = 18_000  # characters a reader sees: 5,000 tokens, so that with instructions a model of 8,000 takes it
TURNS = 12  # smaller windows only repeat the instructions more often: benchmarks/results/windows.json
FOLLOWING = 2  # Turns: by then the one right behind a Window is whole, and with it all that could move the border
LEAST = FULL // 3  # a border between two Turns is taken if this much stands before it, else one inside a Turn

NOWHERE = Spot(-1, -1)  # no Step stands there
Placed = tuple[Spot, Step]


@dataclass(frozen=True, slots=True)
class WindowOrigin:
    """What a Window says about its Run."""

    run: str
    owner: str
    agent: str
    generation: int
    project: Project
    headless: bool = False


@dataclass(frozen=True, slots=True)
class ClosedWindows:
    """In order; those that were read before are among them, another extractor may not have."""

    windows: tuple[Window, ...]
    all_closed: bool  # nothing waits for more Turns or for silence


def closed(
    turns: Sequence[Turn],
    about: WindowOrigin,
    quiet: timedelta,
    caught: Collection[str] = (),
    copied: Collection[int] = (),
    repeats: Callable[[str], bool] = never,
) -> ClosedWindows:
    """`turns` masked, from the first on; `quiet`: how long neither a Step nor bytes came; `caught`: keys of Windows
    any extractor read; `copied`: Turns that belong to the Run this one was forked from; `repeats`: whether a request
    was made in an earlier Run."""
    stretch = _RunStretch.of(turns, frozenset(copied), repeats)
    ranges = list(stretch.ranges(caught))
    done = [each for each in ranges if stretch.is_closed(each, quiet)]
    windows = (stretch.window(each, about) for each in done if not each.read or each.whole)
    return ClosedWindows(tuple(windows), all_closed=len(done) == len(ranges))


@dataclass(frozen=True, slots=True)
class _Range:
    """Positions among the kept Steps."""

    start: int
    end: int
    read: bool = False
    whole: bool = True  # false: an end of it is not kept any more, so its key cannot be built again


@dataclass(frozen=True, slots=True)
class _RunStretch:
    turns: Sequence[Turn]
    every: Sequence[Placed]
    kept: Sequence[Placed]  # trimmed; nothing of ours, nothing copied
    triggers: Sequence[Trigger]
    pauses: frozenset[int]  # a kept Step's position: a long pause stands before it
    tied: frozenset[int]  # a border before it would cut a Trigger
    numbers: Sequence[int]  # of the Turns that have kept Steps

    @classmethod
    def of(cls, turns: Sequence[Turn], copied: frozenset[int], repeats: Callable[[str], bool]) -> _RunStretch:
        every = [(Spot(turn.n, step.n), step) for turn in turns for step in turn.steps]
        kept = [(s, trimmed(step)) for s, step in every if not step.ours and s.turn not in copied]
        own = [replace(t, steps=tuple(s for s in t.steps if not s.ours)) for t in turns if t.n not in copied]
        found = triggers([turn for turn in own if turn.steps], repeats)
        pauses = frozenset(_pauses(every, kept))
        tied, numbers = frozenset(_tied(found, kept, pauses)), sorted({spot.turn for spot, _step in kept})
        return cls(turns, every, kept, found, pauses, tied, numbers)

    def ranges(self, caught: Collection[str]) -> Iterator[_Range]:
        """All kept Steps, each in one of them."""
        at = 0
        for read in self._read(caught):
            if read.start >= at:
                yield from self._unread(at, read.start)
                yield read
                at = read.end
        yield from self._unread(at, len(self.kept))

    def _read(self, caught: Collection[str]) -> list[_Range]:
        """Where they stand now; one whose ends are other Steps today is forgotten."""
        by_spot, spots = dict(self.every), [spot for spot, _step in self.kept]
        found: list[_Range] = []
        for key in caught:
            first, last = window_ends(key) or (NOWHERE, NOWHERE)
            if first in by_spot and last in by_spot and _same(key, first, last, by_spot):
                start, end = bisect_left(spots, first), bisect_right(spots, last)
                if start < end:
                    whole = spots[start] == first and spots[end - 1] == last
                    found.append(_Range(start, end, read=True, whole=whole))
        return sorted(found, key=lambda each: (each.start, -each.end))

    def _unread(self, start: int, end: int) -> Iterator[_Range]:
        borders = sorted({start, end, *(at for at in self.pauses if start < at < end)})
        for low, high in pairwise(borders):
            while low < high:
                border = self._full(low, high)
                yield _Range(low, border)
                low = border

    def _full(self, start: int, end: int) -> int:
        """Where a Window that begins at `start` ends."""
        over, before = self._over(start, end)
        if over == end:
            return end
        allowed = [at for at in range(start + 1, over + 1) if at not in self.tied]
        between = [at for at in allowed if self._starts_turn(at) and before[at - start] >= LEAST]
        if between or allowed:
            return (between or allowed)[-1]
        return next((at for at in range(over + 1, end) if at not in self.tied), end)

    def _over(self, start: int, end: int) -> tuple[int, list[int]]:
        """The first Step that is too much, and how much stands before each."""
        before, turns = [0], 0
        for at in range(start, end):
            turns += at == start or self._starts_turn(at)
            size = before[-1] + length(self.kept[at][1])
            if at > start and (size > FULL or turns > TURNS):
                return at, before
            before.append(size)
        return end, before

    def _starts_turn(self, at: int) -> bool:
        return at == 0 or self.kept[at][0].turn != self.kept[at - 1][0].turn

    def is_closed(self, each: _Range, quiet: timedelta) -> bool:
        last = self.kept[each.end - 1][0].turn
        following = len(self.numbers) - bisect_right(self.numbers, last)
        return each.read or following >= FOLLOWING or self._is_idle(quiet)

    def _is_idle(self, quiet: timedelta) -> bool:
        last = self.every[-1][1].call
        waits = last is not None and not last.result and not last.error
        return quiet >= (UNANSWERED if waits else IDLE)

    def window(self, each: _Range, about: WindowOrigin) -> Window:
        own = self.kept[each.start : each.end]
        first, last = own[0][0], own[-1][0]
        return Window(
            run=about.run,
            owner=about.owner,
            agent=about.agent,
            generation=about.generation,
            project=about.project,
            first=first,
            last=last,
            turns=self._turns([*before(self.every, first), *own]),
            triggers=tuple(t for t in self.triggers if first <= t.last <= last),
            headless=about.headless,
            beyond=tuple(beyond(self.kept, each.end, self.pauses)),
        )

    def _turns(self, placed: Sequence[Placed]) -> tuple[Turn, ...]:
        by_number = {turn.n: turn for turn in self.turns}
        grouped = groupby(placed, key=lambda each: each[0].turn)
        return tuple(replace(by_number[n], steps=tuple(step for _spot, step in steps)) for n, steps in grouped)


def _pauses(every: Sequence[Placed], kept: Sequence[Placed]) -> Iterator[int]:
    """Measured over all Steps, ours and copied ones too, and from the latest time so far: records are not in order."""
    latest: datetime | None = None
    paused: list[Spot] = []
    for spot, step in every:
        if step.at is not None and latest is not None and step.at - latest >= IDLE:
            paused.append(spot)
        latest = max(filter(None, (latest, step.at)), default=None)
    spots = [spot for spot, _step in kept]
    yield from (at for at in (bisect_left(spots, spot) for spot in paused) if 0 < at < len(spots))


def _tied(found: Sequence[Trigger], kept: Sequence[Placed], pauses: frozenset[int]) -> Iterator[int]:
    """A Trigger across a pause ties nothing: when its first Steps were read, it was not one yet."""
    spots = [spot for spot, _step in kept]
    for trigger in found:
        inside = range(bisect_left(spots, trigger.first) + 1, bisect_right(spots, trigger.last))
        if pauses.isdisjoint(inside):
            yield from inside


def _same(key: str, first: Spot, last: Spot, by_spot: dict[Spot, Step]) -> bool:
    return window_key((first, by_spot[first]), (last, by_spot[last])) == key
