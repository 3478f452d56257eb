"""How far is it? A bar that never lies: finished work only, no guess before there is something to guess from.

It is told what was done and what the time is; it knows nothing about what the work is.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import TextIO

from memlane.surfaces.cli.text import cut, lasted, one_line

EARLIEST_GUESS = 10.0  # seconds
LEAST_DONE = 0.05
LOOK_BACK = 30.0  # seconds the guess is the median of
RISE = 1.5  # a guess that grows by more than this is not told
SLACK = 3.0  # seconds the end may be later than was told: the bar is drawn in whole ones
STUCK = 20.0  # seconds without a finished item
PLAIN_EVERY = 10.0  # seconds between lines where nothing can be drawn over
BAR = 30
WITH_A_BAR = 76  # columns
SOON = 0.5  # seconds; what is done by then needs no bar


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """One report of the work: items for people, `share` for the bar (by bytes where sizes are known)."""

    stage: str
    done: int
    total: int
    share: float
    on: str = ""


class Guess:
    """How long is left, from what was finished lately.

    What is told is an end: every second that passes takes one off. When the work will take longer than was told, words
    say so before another number does.
    """

    def __init__(self, began: float) -> None:
        self._began = began
        self._finished: deque[tuple[float, float]] = deque([(began, 0.0)])  # when each share was reached
        self._ends: deque[tuple[float, float]] = deque()  # when each guess was made, and the end it saw
        self._told: float | None = None  # the end that was told
        self._silent_until = 0.0

    def said(self, share: float, now: float) -> str:
        if share >= 1:
            return ""
        self._note(share, now)
        if now < self._silent_until or (self._silent_until and not self._ends):
            return "slower than expected"
        if now - self._began < EARLIEST_GUESS or share < LEAST_DONE or not self._ends:
            return "estimating"
        end = statistics.median(end for _at, end in self._ends)
        if self._told is not None and max(end, now) > self._told + max(SLACK, (self._told - now) * (RISE - 1)):
            self._begin_again(share, now)
            return "slower than expected"
        self._told = end if self._told is None else min(self._told, end)
        return f"{lasted(max(1, round(self._told - now)))} left"

    def _begin_again(self, share: float, now: float) -> None:
        """What was fast before says nothing about the rest."""
        self._told, self._silent_until = None, now + EARLIEST_GUESS
        self._finished = deque([(now, share)])
        self._ends.clear()

    def _note(self, share: float, now: float) -> None:
        """The rate is that of the last half minute, which goes down while nothing is finished."""
        if share > self._finished[-1][1]:
            self._finished.append((now, share))
        while len(self._finished) > 1 and self._finished[1][0] <= now - LOOK_BACK:
            self._finished.popleft()
        since, before = self._finished[0]
        if share > before and now > since:
            self._ends.append((now, now + (1 - share) * (now - since) / (share - before)))
        while self._ends and self._ends[0][0] < now - LOOK_BACK:
            self._ends.popleft()


class ProgressLine:
    """What one stage looks like now, as one line of text."""

    def __init__(self, now: float) -> None:
        self._guess = Guess(now)
        self._finished = (now, 0)
        self._began = now

    def drawn(self, step: ProgressStep, now: float, columns: int) -> str:
        if step.done != self._finished[1]:
            self._finished = (now, step.done)
        head, counted = f"{step.stage.capitalize():<9}  ", f"{step.done}/{step.total}".rjust(9)
        stuck = now - self._finished[0]
        if stuck >= STUCK and step.on and step.done < step.total:
            name = cut(one_line(step.on.rpartition("/")[2]), max(8, columns - 50))
            return cut(f"{head}{counted}  on: {name} for {lasted(stuck)}", columns - 1)
        filled = int(BAR * step.share)
        bar = f"{'#' * filled}{'.' * (BAR - filled)}  " if columns >= WITH_A_BAR else ""
        took = lasted(now - self._began) if step.share >= 1 else self._guess.said(step.share, now)
        return cut(f"{head}{bar}{counted}  {step.share:4.0%}  {took}", columns - 1)


class ProgressBar:
    """The bar on stderr: redrawn in place on a terminal, a plain line every ten seconds elsewhere, or nothing."""

    def __init__(
        self,
        columns: int,
        *,
        quiet: bool,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream or sys.stderr
        self._clock = clock
        self._columns = columns
        self._quiet = quiet
        self._live = self._stream.isatty()
        self._step: ProgressStep | None = None
        self._line: ProgressLine | None = None
        self._printed = clock()
        self._drawn = False  # something of this stage is on the screen
        self._seen = False  # or of one before it: from then on every stage is shown, to its end
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> ProgressBar:
        if not self._quiet:
            self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if not self._quiet:
            self._ticker.join()
            self._end_of_stage()

    def show(self, step: ProgressStep) -> None:
        if self._quiet or not step.total:
            return
        with self._lock:
            now = self._clock()
            if self._step is None or self._step.stage != step.stage:
                self._end_of_stage()
                self._line = ProgressLine(now)
            self._step = step
            if self._live and (now - self._printed > (0.1 if self._seen else SOON) or (self._seen and not self._drawn)):
                self._draw(now)

    def _tick(self) -> None:
        """Also when no step comes: a long file must not look like a hang."""
        while not self._over.wait(1.0):
            with self._lock:
                now = self._clock()
                if self._live and now - self._printed > SOON:
                    self._draw(now)
                elif now - self._printed >= PLAIN_EVERY:
                    self._print(now)

    def _draw(self, now: float) -> None:
        if self._step is not None and self._line is not None:
            self._stream.write(f"\r{self._line.drawn(self._step, now, self._columns)}\x1b[K")
            self._stream.flush()
            self._printed, self._drawn, self._seen = now, True, True

    def _print(self, now: float) -> None:
        if self._step is not None and self._line is not None:
            self._stream.write(self._line.drawn(self._step, now, 75) + "\n")
            self._stream.flush()
            self._printed = now

    def _end_of_stage(self) -> None:
        if self._drawn:
            self._draw(self._clock())
            self._stream.write("\n")
            self._stream.flush()
        self._step, self._drawn = None, False
