"""Taking each change as it comes: the kernel says which files changed, a sweep now and then makes good what it missed.

A place that vanishes is waited for; where nothing can be watched (too many folders, some network mounts), it sweeps
every few seconds instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

from watchfiles import watch

from memlane import capture
from memlane.agents import Transcript
from memlane.app.capture.holds import Holds
from memlane.app.capture.sweep import CaptureReport, Sweeper
from memlane.app.home import Home
from memlane.capture import SourceFile, SourceFolder
from memlane.errors import LaneError

FULL_EVERY = 300.0  # seconds between two full sweeps
AGAIN_AFTER = 10.0  # seconds, when one failed
LOOK_EVERY = 1000  # milliseconds without a change until we look around
POLL_EVERY = 3.0  # seconds, where nothing can be watched
LATELY = 600.0  # seconds: files that changed within are held from the start

OnReport = Callable[[CaptureReport], None]
OnTrouble = Callable[[str], None]
Roots = dict[Path, int]


class Watch:
    """One watch, until it is stopped or its settings change."""

    def __init__(self, home: Home, capture: Sweeper, paths: Sequence[Path], agent: str, machine: str) -> None:
        self._home = home
        self._capture = capture
        self._whole = not paths and not agent
        self._places = [p for path in paths for p in capture.places_in(path, agent)] or capture.places(agent)
        self._machine = machine
        self._holds = Holds(home.disk, time.monotonic)
        self._full_due = 0.0
        self._settings = _signature(home.config.file)

    def run(self, stopped: Event, on: OnReport, trouble: OnTrouble) -> None:
        """Returns when it is told to stop, and when a setting changed: nothing is taken by an old exclusion."""
        try:
            self._guarded(self._take_all, on, trouble)
            self._full_due = 0.0  # once more when the watch stands: something may have come in between
            for changed in self._changes(stopped, trouble):
                if _signature(self._home.config.file) != self._settings:
                    return
                if changed:
                    self._guarded(lambda paths=changed: self._take_changed(paths), on, trouble)
                self._guarded(self._take_late, on, trouble)
                if time.monotonic() >= self._full_due:
                    self._guarded(self._take_all, on, trouble)
        finally:
            self._holds.close()

    # -- what changed ----------------------------------------------------------------------------------------------

    def _changes(self, stopped: Event, trouble: OnTrouble) -> Iterator[set[Path]]:
        """The paths that changed, or nothing once a second."""
        told = False
        while not stopped.is_set():
            roots = self._roots()
            try:
                yield from _watched(roots, self._roots, stopped)
            except (OSError, RuntimeError) as error:
                if not told:
                    trouble(f"cannot watch ({error}): looking every {POLL_EVERY:.0f} s instead")
                told = True
                self._full_due = 0.0
                stopped.wait(POLL_EVERY)
                yield set()
            else:
                self._full_due = 0.0  # a place came or went

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
        self._full_due = time.monotonic() + FULL_EVERY
        return self._take(self._places, whole=self._whole)

    def _take_changed(self, paths: set[Path]) -> CaptureReport:
        """A new folder is looked at twice: what is put into it at once may come before it is watched."""
        if any(path.is_dir() for path in paths):
            self._full_due = min(self._full_due, time.monotonic() + LOOK_EVERY / 1000)
        return self._take([replace(p, only=path) for path in sorted(paths) for p in self._places if _covers(p, path)])

    def _take(self, places: Sequence[SourceFolder], *, whole: bool = False) -> CaptureReport:
        """First hold what has these names now, then read the rest of what had them before, then take them."""
        for seen in self._changed_lately(places):
            self._holds.hold(seen)
        late = self._take_late()
        report = self._capture.sweep_places(places, machine=self._machine, whole=whole)
        return late.and_then(report) if late else report

    def _take_late(self) -> CaptureReport | None:
        grown = self._holds.grown()
        return self._capture.take_late(grown, machine=self._machine) if grown else None

    def _changed_lately(self, places: Sequence[SourceFolder]) -> list[SourceFile]:
        limit = time.time_ns() - int(LATELY * 1e9)
        found = [seen for seen in self._transcripts(places) if seen.stat.modified_ns >= limit]
        return sorted(found, key=lambda seen: seen.stat.modified_ns)

    def _transcripts(self, places: Sequence[SourceFolder]) -> list[SourceFile]:
        found = capture.look(self._home.disk, places)
        return [seen for seen in found if isinstance(seen, SourceFile) and isinstance(seen.what, Transcript)]

    def _guarded(self, work: Callable[[], CaptureReport | None], on: OnReport, trouble: OnTrouble) -> None:
        """A busy lock, a full disk: said, and made good by the next full sweep."""
        try:
            report = work()
        except (LaneError, OSError) as error:
            trouble(str(error))
            self._full_due = time.monotonic() + AGAIN_AFTER
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


def _signature(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0)
    return found.st_mtime_ns, found.st_ino
