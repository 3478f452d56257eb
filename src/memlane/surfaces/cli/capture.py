"""`lane capture`: take in what is new, once or with `--watch`; the rest goes on in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import INTERRUPTED, Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import clock, lasted, many, one_line, size
from memlane.system.process import give_way

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.capture import CaptureReport, RunChange
    from memlane.app.capture import Progress as Done
    from memlane.surfaces.cli.frame import Screen

PARTLY = 6
FEW = 10  # runs named one by one on a screen
NAMED = 5  # files, of those that were not taken


@frame.command()
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--agent", default="", metavar="NAME", help="Only this agent.")
@click.option("--machine", default="", metavar="NAME", help="The machine a copied home came from.")
@click.option("--audit", is_flag=True, help="Re-read every byte and compare.")
@click.option("--watch", is_flag=True, help="Keep running and capture changes as they happen, until Ctrl+C.")
@click.option("--quiet", "-q", is_flag=True, help="Hide progress.")
def command(
    screen: Screen, paths: tuple[Path, ...], agent: str, machine: str, audit: bool, watch: bool, quiet: bool
) -> None:
    """Capture new runs from every agent here, or from PATH (a home, an agent's folder, a transcript)."""
    if watch:
        watch_and_tell(screen, paths, agent, machine, quiet=quiet)
        return
    give_way()
    with screen.lane() as lane, ProgressBar(screen.columns, quiet=quiet) as progress:
        report = lane.capture.sweep(
            paths, machine=machine, agent=agent, audit=audit, on=lambda done: progress.show(step_of(done))
        )
        looked_in, news = [place.root for place in lane.capture.places(agent)], lane.capture.register_news()
    tell(screen, report)
    if news:
        screen.note(news)
    go_on_after(screen, report)
    if not (paths or report.files_seen or report.set_aside or report.paused or screen.json):
        screen.say(f"No transcripts found. Looked in: {', '.join(map(str, looked_in))}")
        screen.say("Somewhere else? lane capture PATH")
    if report.set_aside:
        screen.leave(PARTLY)


def go_on_after(screen: Screen, report: CaptureReport) -> None:
    """What was taken in can be found by its words; by its meaning it will be, without anybody waiting."""
    if report.changes:
        with screen.lane() as lane:
            go_on(screen, lane)


def step_of(done: Done) -> ProgressStep:
    whole = done.bytes_total or done.total
    part = done.bytes_done if done.bytes_total else done.done
    return ProgressStep(done.stage, done.done, done.total, part / whole if whole else 1.0, done.on)


def tell(screen: Screen, report: CaptureReport) -> None:
    """What a sweep did: a document, records, or a few lines."""
    if screen.json:
        screen.emit("lane.capture/1", [change_of(change) for change in report.changes], meta_of(report))
    elif not screen.terminal:
        for change in report.changes:
            run = change.run
            screen.record(run.id, run.agent, run.machine, change.generation, change.bytes_new, change.turns_new)
    if screen.json:
        return
    if report.paused is not None:
        until = f"until {clock(report.paused.until)}" if report.paused.until else "until you resume it"
        screen.say(f"capture is paused {until}: nothing was read   (lane pause --off)")
        return
    for line in _told(screen, report):
        screen.say(line)


def _told(screen: Screen, report: CaptureReport) -> list[str]:
    files = many(report.files_seen, "file")
    if not report.changes:
        lines = [f"nothing new in {files}, {lasted(report.seconds)}"]
    else:
        turns = sum(change.turns_new for change in report.changes)
        agents = len({change.run.agent for change in report.changes})
        runs = len({change.run.id for change in report.changes})
        what = [many(runs, "run"), many(turns, "turn"), size(report.bytes), many(agents, "agent")]
        lines = [f"done  {', '.join(what)}, in {lasted(report.seconds)}"]
        if screen.terminal and len(report.changes) <= FEW:
            lines += [f"      {c.run.id}  {c.run.agent}  {size(c.bytes_new)} new" for c in report.changes]
    if report.set_aside:
        lines.append(
            f"note  {many(len(report.set_aside), 'file')} could not be read; the originals are untouched and Lane"
            " will retry"
        )
        lines += [f"      {one_line(aside.path)}: {one_line(aside.reason)}" for aside in report.set_aside[:NAMED]]
        lines.append("      all of them: lane doctor --files")
    if report.skipped:
        lines.append(f"note  {many(len(report.skipped), 'file')} among the transcripts not taken")
        lines += [f"      {one_line(left.path)}: {left.reason}" for left in report.skipped[:NAMED]]
        lines += ["      all of them: lane doctor --files"] if len(report.skipped) > NAMED else []
    return lines


def change_of(change: RunChange) -> dict[str, object]:
    return {
        "run": change.run.id,
        "agent": change.run.agent,
        "machine": change.run.machine,
        "session_id": change.run.native_id,
        "generation": change.generation,
        "bytes_new": change.bytes_new,
        "turns_new": change.turns_new,
    }


def meta_of(report: CaptureReport) -> dict[str, object]:
    return {
        "runs": len({change.run.id for change in report.changes}),
        "bytes": report.bytes,
        "files_seen": report.files_seen,
        "set_aside": len(report.set_aside),
        "set_aside_files": [{"path": aside.path, "reason": aside.reason} for aside in report.set_aside],
        "skipped": len(report.skipped),
        "skipped_files": [{"path": left.path, "reason": left.reason} for left in report.skipped],
        "seconds": round(report.seconds, 3),
        "paused": {"since": report.paused.since, "until": report.paused.until} if report.paused else None,
    }


class StopSignal(Event):
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
            screen.say("watching; press Ctrl+C to stop")
        with screen.lane() as lane:
            lane.home.begin()  # the first capture writes settings: that is no change
        while not stopped.is_set():
            with screen.again().lane() as lane:  # a changed setting (exclude!) holds at once
                lane.capture.watch(paths, agent, machine).run(stopped, on, trouble)
    if not quiet:
        screen.say("stopped; everything captured so far is kept")
    if stopped.by == signal.SIGINT:
        screen.leave(INTERRUPTED)


@contextmanager
def _until_told() -> Generator[StopSignal, None, None]:
    stopped = StopSignal()
    before = {number: signal.signal(number, stopped.stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


WORTH_A_PROCESS = 2_000  # pieces; fewer wait for the next tick or capture


def go_on(screen: Screen, lane: Lane) -> None:
    stand = lane.vectors.standing()
    left = stand.all - stand.done
    if stand.why or left < WORTH_A_PROCESS:
        return
    _alone(screen, "tick", "--meaning")
    screen.note(
        f"meaning search: {int(stand.share * 100)} % built, the rest in the background (word search is complete)"
    )


def read_on(screen: Screen) -> None:
    """The older runs, for memories: nobody waits for them. Where a tick is at it already, this ends at once."""
    _alone(screen, "tick", "--catching")


def _alone(screen: Screen, *words: str) -> None:
    subprocess.Popen(
        [sys.executable, "-P", "-m", "memlane", *words, "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=dict(screen.config.variables),
    )
