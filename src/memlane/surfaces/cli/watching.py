"""`lane capture --watch`: goes on until it is told to stop, and says what it took."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

from memlane.surfaces.cli.capture import tell
from memlane.surfaces.cli.following import INTERRUPTED
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line

if TYPE_CHECKING:
    from memlane.app.capture import CaptureReport


class Stopped(Event):
    """Set by the first signal; the second one ends the process as it would have."""

    def __init__(self) -> None:
        super().__init__()
        self.by = 0

    def stop(self, number: int, _frame: FrameType | None) -> None:
        self.by = number
        self.set()
        signal.signal(number, signal.SIG_DFL)


def watch_and_tell(screen: Screen, paths: tuple[Path, ...], agent: str, machine: str, *, quiet: bool) -> None:
    def on(report: CaptureReport) -> None:
        if not quiet:
            tell(screen, report)
            screen.flush()

    def trouble(what: str) -> None:
        screen.say(f"warning: {one_line(what)}")

    with _until_told() as stopped:
        if not quiet:
            screen.say("watching; Ctrl+C ends")
        with screen.lane() as lane:
            lane.home.begin()  # the first capture writes settings: that is no change
        while not stopped.is_set():
            with screen.again().lane() as lane:  # a changed setting (exclude!) holds at once
                lane.capture.watch(paths, agent, machine).run(stopped, on, trouble)
    if not quiet:
        screen.say("stopped; everything seen until now is kept")
    if stopped.by == signal.SIGINT:
        screen.leave(INTERRUPTED)


@contextmanager
def _until_told() -> Generator[Stopped, None, None]:
    stopped = Stopped()
    before = {number: signal.signal(number, stopped.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
