"""Taking each change as it comes: the kernel says which files changed, a sweep now and then makes good what it missed.

A place that vanishes is waited for. Where nothing can be watched (too many folders, some network mounts), the files
that changed lately are looked at once a second, and all of them as often as that costs little. An agent whose files
take long to read, such as a large database, is left alone for a while after each reading.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from watchfiles import watch

from memlane import capture
from memlane.agents import Transcript
from memlane.app.capture.holds import Holds
from memlane.app.capture.routes import watch_lock
from memlane.app.capture.sweep import CaptureReport, Sweeper
from memlane.app.home import Home
from memlane.app.vectors import AFTER_A_TURN
from memlane.capture import SourceFile, SourceFolder
from memlane.errors import LaneError
from memlane.system.disk import message_of

FULL_EVERY = 300.0  # seconds between two full sweeps
AGAIN_AFTER = 10.0  # seconds, when one failed
LOOK_EVERY = 1000  # milliseconds without a change until we look around
POLL_EVERY = 3.0  # seconds between two full sweeps where nothing can be watched, if they cost little
WATCH_AGAIN = 600.0  # seconds, then it is tried again
REST = 9.0  # times what a reading took: an agent's files are read for no more than a tenth of the time
QUICK = 0.5  # seconds; a reading that took less needs no rest
LATELY = 600.0  # seconds: files that changed within are held from the start
MOST_LATELY = 500  # files looked at each second where nothing can be watched: the newest
MOST_WAITING = 1000  # paths that changed; of more, everything is looked at
LOG_BESIDE = "-wal"  # of a database, which changes long before the database does

OnReport = Callable[[CaptureReport], None]
OnTrouble = Callable[[str], None]
Roots = dict[Path, int]
Signature = tuple[int, int, int]


class Watch:
    """One watch, until it is stopped or its settings change. `meaning`: seconds for it after each change."""

    def __init__(
        self,
        home: Home,
        capture: Sweeper,
        paths: Sequence[Path] = (),
        agent: str = "",
        machine: str = "",
        *,
        meaning: float = AFTER_A_TURN,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._home = home
        self._capture = capture
        self._whole = not paths and not agent
        self._places = [p for path in paths for p in capture.places_in(path, agent)] or capture.places(agent)
        self._machine = machine
        self._meaning = meaning
        self._clock = clock
        self._holds = Holds(home.disk, clock)
        self._full_due = 0.0
        self._settings = _signature(home.config.file)
        self._waiting: set[Path] = set()
        self._resting: dict[str, float] = {}  # until when each Source is left alone
        self._polls = False
        self.lately: dict[Path, Signature] = {}  # what is looked at each second where nothing can be watched

    def run(self, stopped: Event, on: OnReport, trouble: OnTrouble) -> None:
        """Returns when it is told to stop, and when a setting changed: nothing is taken by an old exclusion."""
        with watch_lock(self._home, whole=self._whole):
            try:
                self._run(stopped, on, trouble)
            finally:
                self._holds.close()

    def _run(self, stopped: Event, on: OnReport, trouble: OnTrouble) -> None:
        self._guarded(self._take_all, on, trouble)
        self._full_due = 0.0  # once more when the watch stands: something may have come in between
        for changed in self._changes(stopped, trouble):
            if _signature(self._home.config.file) != self._settings:
                return
            self._waiting |= {database_of(path) for path in changed}
            self._guarded(self._take_changed, on, trouble)
            self._guarded(self._take_late, on, trouble)
            if self._clock() >= self._full_due or len(self._waiting) > MOST_WAITING:
                self._guarded(self._take_all, on, trouble)

    # -- what changed ----------------------------------------------------------------------------------------------

    def _changes(self, stopped: Event, trouble: OnTrouble) -> Iterator[set[Path]]:
        """The paths that changed, or nothing once a second."""
        while not stopped.is_set():
            roots = self._roots()
            try:
                yield from _watched(roots, self._roots, stopped)
            except (OSError, RuntimeError) as error:
                if not self._polls:
                    trouble(f"cannot watch ({error}): looking at the newest files every second instead")
                self._polls, self._full_due = True, 0.0
                yield from self._polled(roots, stopped)
            else:
                self._polls = False
                self._full_due = 0.0  # a place came or went

    def _polled(self, roots: Roots, stopped: Event) -> Iterator[set[Path]]:
        """The newest files by their size and time; the others are found by the full sweeps, which come more often."""
        until = self._clock() + WATCH_AGAIN
        yield set()  # the full sweep that says which files are the newest
        while not stopped.wait(LOOK_EVERY / 1000) and self._clock() < until and self._roots() == roots:
            yield {path for path, before in self.lately.items() if _signature(path) != before}

    def _roots(self) -> Roots:
        found: Roots = {}
        for place in self._places:
            start = place.only or place.root
            try:
                found[start] = start.stat().st_ino
            except OSError:
                continue
        return found

    # -- what is done about it -----------------------------------------------------------------------------------------

    def _take_all(self) -> CaptureReport:
        began = self._clock()
        self._full_due = began + FULL_EVERY
        self._waiting.clear()
        report = self._take(self._places, whole=self._whole)
        if self._polls:
            ended = self._clock()
            self._full_due = ended + max(POLL_EVERY, REST * (ended - began))
        return report

    def _take_changed(self) -> CaptureReport | None:
        """A new folder is looked at twice: what is put into it at once may come before it is watched."""
        if any(path.is_dir() for path in self._waiting):
            self._full_due = min(self._full_due, self._clock() + LOOK_EVERY / 1000)
        waiting, self._waiting = sorted(self._waiting), set()
        done: CaptureReport | None = None
        for name in dict.fromkeys(place.source.name for place in self._places):
            all_of_it = [place for place in self._places if place.source.name == name]
            mine = [replace(place, only=path) for path in waiting for place in all_of_it if _covers(place, path)]
            if self._clock() < self._resting.get(name, 0.0):
                self._waiting |= {path for path in waiting if any(place.only == path for place in mine)}
                self._hold(mine)
            elif mine:
                report = self._take_from(name, mine)
                done = done.and_then(report) if done else report
        return done

    def _take_from(self, source: str, places: Sequence[SourceFolder]) -> CaptureReport:
        began = self._clock()
        try:
            return self._take(places)
        finally:
            ended = self._clock()
            self._resting[source] = ended + REST * (ended - began) if ended - began > QUICK else 0.0

    def _take(self, places: Sequence[SourceFolder], *, whole: bool = False) -> CaptureReport:
        """First hold what has these names now, then read the rest of what had them before, then take them."""
        self._note(self._hold(places))
        late = self._take_late()
        report = self._capture.sweep_places(places, machine=self._machine, whole=whole, meaning=self._meaning)
        return late.and_then(report) if late else report

    def _hold(self, places: Sequence[SourceFolder]) -> list[SourceFile]:
        lately = self._changed_lately(places)
        for seen in lately:
            self._holds.hold(seen)
        return lately

    def _take_late(self) -> CaptureReport | None:
        grown = self._holds.grown()
        return self._capture.take_late(grown, machine=self._machine, meaning=self._meaning) if grown else None

    def _changed_lately(self, places: Sequence[SourceFolder]) -> list[SourceFile]:
        limit = time.time_ns() - int(LATELY * 1e9)
        recent = (seen for seen in self._transcripts(places) if self._polls or seen.stat.modified_ns >= limit)
        return heapq.nlargest(MOST_LATELY, recent, key=lambda seen: seen.stat.modified_ns)[::-1]

    def _note(self, lately: Iterable[SourceFile]) -> None:
        """What to look at each second. The oldest leave when there are too many."""
        if self._polls:
            for seen in lately:
                self.lately.pop(seen.path, None)
                self.lately[seen.path] = _signature(seen.path)
            for path in list(self.lately)[:-MOST_LATELY]:
                del self.lately[path]

    def _transcripts(self, places: Sequence[SourceFolder]) -> Iterator[SourceFile]:
        for seen in capture.look(self._home.disk, places):
            if isinstance(seen, SourceFile) and isinstance(seen.what, Transcript):
                yield seen

    def _guarded(self, work: Callable[[], CaptureReport | None], on: OnReport, trouble: OnTrouble) -> None:
        """A busy lock, a full disk: said, and made good by the next full sweep."""
        try:
            report = work()
        except (LaneError, OSError) as error:
            trouble(message_of(error) if isinstance(error, OSError) else error.message)
            self._full_due = self._clock() + AGAIN_AFTER
        else:
            if report is not None and (report.changes or report.set_aside):
                on(report)


def _watched(roots: Roots, now: Callable[[], Roots], stopped: Event) -> Iterator[set[Path]]:
    """Until a place comes, goes or is another one than before."""
    if not roots:
        while not stopped.wait(LOOK_EVERY / 1000) and now() == roots:
            yield set()
        return
    for changes in watch(
        *roots,
        watch_filter=None,
        stop_event=stopped,
        rust_timeout=LOOK_EVERY,
        yield_on_timeout=True,
        debounce=1000,
        step=100,
        raise_interrupt=False,
    ):
        yield {Path(path) for _change, path in changes}
        if now() != roots:
            return


def _covers(place: SourceFolder, path: Path) -> bool:
    start = place.only or place.root
    return path == start or start in path.parents


def database_of(path: Path) -> Path:
    return path.with_name(path.name.removesuffix(LOG_BESIDE)) if path.name.endswith(LOG_BESIDE) else path


def _signature(path: Path) -> Signature:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return found.st_mtime_ns, found.st_size, found.st_ino
