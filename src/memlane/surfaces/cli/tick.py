"""`lane tick`: what the timer runs every five minutes. One bounded pass of what is due; silent when nothing was."""

from __future__ import annotations

import time
from contextlib import suppress

import click

from memlane.app import Lane
from memlane.domain import Finding, Level
from memlane.errors import BusyError, LaneError
from memlane.surfaces.cli import frame, logs
from memlane.surfaces.cli.capture import PARTLY, meta_of
from memlane.surfaces.cli.findings import done, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import lasted, many, size
from memlane.system.process import BEHIND, give_way

MEANING = 120.0  # seconds of one tick; the next one goes on
CATCHING = 120.0
NAMING = 60.0
ALL_OF_IT = 24 * 3600.0


@frame.command()
@click.option("--meaning", is_flag=True, help="Only build the rest of meaning search.")
@click.option("--catching", is_flag=True, help="Only read unread runs, until all are read.")
def command(screen: Screen, meaning: bool, catching: bool) -> None:
    """One short pass of pending work: capture, index, embed, catch, dream. The timer runs it."""
    give_way(BEHIND)
    with screen.lane() as lane:
        findings = _mend(screen, lane)
        if meaning or catching:
            findings += _understand(screen, lane, ALL_OF_IT) if meaning else []
            findings += _catch(screen, lane, ALL_OF_IT) if catching else []
            told(screen, "lane.tick/1", findings, {})
            return
        report = lane.capture.tick()
        findings += _exports(lane)
        findings += _clear(lane)
        if not lane.home.thin:  # Central does it for a thin machine
            findings += _join(lane)
            findings += _link(lane)
            findings += _understand(screen, lane, MEANING)
            findings += _catch(screen, lane, CATCHING)
            findings += _name(lane)
            findings += _dream(lane)
        findings += _write_folders(lane)
        findings += _sync(lane)
        findings += _ship(lane)
    if report.paused is not None:
        findings.append(Finding("paused", Level.NOTE, "capture is paused", "lane pause --off"))
    if report.changes:
        findings.append(done("captured", f"{many(len(report.changes), 'run')}, {size(report.bytes)}"))
    findings += [
        Finding("set-aside", Level.WARN, f"{a.path}: {a.reason}", "lane doctor --files") for a in report.set_aside
    ]
    told(screen, "lane.tick/1", findings, meta_of(report))
    if report.set_aside:
        screen.leave(PARTLY)


def _clear(lane: Lane) -> list[Finding]:
    """What killed commands left behind. Whoever writes right now is not disturbed: the next tick looks again."""
    try:
        gone = lane.archive.clear_leftovers()
    except BusyError:
        return []
    named = f"{many(len(gone), 'leftover')} of killed commands removed"
    return [done("cleared", f"{named} ({gone[0]}{' …' if len(gone) > 1 else ''})")] if gone else []


def _mend(screen: Screen, lane: Lane) -> list[Finding]:
    """Damaged files of the index and of vectors: moved aside, made again, said once and written down."""
    mended = lane.archive.mend()
    for what in mended:
        logs.say(screen.config, "WARN", f"damaged and moved aside: {what}; it is made again")
    return [Finding("damaged", Level.WARN, f"{what}: moved aside; it is made again", "lane doctor") for what in mended]


def _understand(screen: Screen, lane: Lane, seconds: float) -> list[Finding]:
    """Vectors for what has none. Another process that is at it already does it for both."""
    before, began = lane.vectors.standing(), time.monotonic()
    if before.done == before.all and lane.vectors.change() is None:
        return []
    with ProgressBar(screen.columns, quiet=screen.json) as progress:
        try:
            left = lane.vectors.follow_alone(
                seconds, lambda n, of: progress.show(ProgressStep("meaning", n, of, n / max(1, of)))
            )
        except BusyError:
            return []
    after, change = lane.vectors.standing(), lane.vectors.change()
    if change is not None:
        return [Finding("meaning", Level.WARN if change.why else Level.NOTE, change.what, change.hint)]
    if after.model != before.model:
        return [done("meaning", f"{after.model} answers now, {many(after.done, 'piece')}")]
    if after.why:
        return [Finding("meaning", Level.NOTE, after.why, "word search works; Lane will retry")]
    what = f"{many(after.done - before.done, 'piece')} in {lasted(time.monotonic() - began)}"
    return [done("meaning", f"{what}, {left:,} left" if left else what)]


def _exports(lane: Lane) -> list[Finding]:
    """What a person put into their folders of exports."""
    try:
        report = lane.capture.imports.take_new()
    except BusyError:
        return []
    if report is None:
        return []
    aside = [Finding("set-aside", Level.WARN, f"{a.path}: {a.reason}", "lane import FILE") for a in report.set_aside]
    return [*([done("imported", many(len(report.changes), "chat"))] if report.changes else []), *aside]


def _join(lane: Lane) -> list[Finding]:
    """Projects that turned out to be one. Each join can be undone."""
    try:
        made = lane.projects.look()
    except BusyError:
        return []
    return [done("joined", f"{join.key} is {join.into_name}: lane projects") for join in made]


def _link(lane: Lane) -> list[Finding]:
    """Memories that name somebody the directory knows by now. It can be undone."""
    try:
        report = lane.entities.look()
        lane.entities.name_runs(NAMING)
    except BusyError:
        return []
    if not report.memories:
        return []
    whom = ", ".join(report.linked[:3]) + (" …" if len(report.linked) > 3 else "")
    what = f"names in {many(report.memories, 'memory', 'memories')}: {whom or 'see the queue'}"
    undo = report.acts[0] if len(report.acts) == 1 else "--list"
    return [done("linked", f"{what} (lane undo {undo})", "lane entity review" if report.open else "")]


def _dream(lane: Lane) -> list[Finding]:
    """When enough is new and nobody is at work. One that fails has said so in its report and comes again tomorrow."""
    if not lane.dream.due().now:
        return []
    try:
        report = lane.dream.run()
    except BusyError:
        return []
    if report.failed:
        return [Finding("dream", Level.WARN, f"nothing was changed: {report.failed}", "lane dream report")]
    return [done("dream", f"{many(len(report.done), 'change')}: lane dream report")] if report.done else []


def _catch(screen: Screen, lane: Lane, seconds: float) -> list[Finding]:
    """What is closed and unread: by the classifier, which is free, then by the model, the most promising first.
    Another process that is at it already does it for both."""
    if lane.catch.background.paused() is not None:
        return [Finding("reading", Level.NOTE, "reading is paused", "lane catch resume")]
    by_model = lane.config.text("catch.with") == "model"
    findings = _read(screen, lane, "embedded", seconds) if by_model else []
    return findings + _read(screen, lane, "", seconds)


def _read(screen: Screen, lane: Lane, by: str, seconds: float) -> list[Finding]:
    with ProgressBar(screen.columns, quiet=screen.json) as progress:
        try:
            report = lane.catch.run(
                by, seconds=seconds, on=lambda n, of: progress.show(ProgressStep("catching", n, of, n / max(1, of)))
            )
        except BusyError:
            return []
        except LaneError as error:  # whoever reads cannot be had: what was captured is captured
            return [Finding("unread", Level.WARN, f"nothing was read: {error.message}", error.hint)]
    findings = [Finding("unread", Level.NOTE, why, "Lane will retry") for why in report.unread[:3]]
    if report.kept.made or report.kept.again:
        made = f"{many(len(report.kept.made), 'memory', 'memories')}, {len(report.kept.again)} seen again"
        findings.append(done("caught", made))
    return [*findings, *_improve(lane)] if not report.runs and not report.unread else findings


def _improve(lane: Lane) -> list[Finding]:
    """Nothing is left to read: the model says when older memories matter, a few at a time."""
    try:
        improved = lane.catch.improve()
    except BusyError:
        return []
    return [done("improved", f"{many(len(improved), 'memory', 'memories')}: when they matter")] if improved else []


def _name(lane: Lane) -> list[Finding]:
    """Titles by the model, where the person asked for them."""
    by_model = lane.config.text("catch.with") == "model" and lane.config.switch("catch.titles")
    if not by_model or lane.catch.background.paused() is not None:
        return []
    try:
        named = lane.runs.labels.name_some()
    except BusyError:
        return []
    except LaneError as error:
        return [Finding("unread", Level.NOTE, f"no title was written: {error.message}", "Lane will retry")]
    return [done("named", f"{many(len(named), 'run')} by the model")] if named else []


def _ship(lane: Lane) -> list[Finding]:
    """To Central, if this machine has joined one, and from there."""
    if lane.shipment.member is None or not lane.config.switch("ship.background"):
        return []
    try:
        report = lane.shipment.now()
    except BusyError:
        return []
    except LaneError as error:
        return [Finding("central", Level.WARN, error.message, error.hint or "lane ship --now")]
    wrong = [*report.conflicts, *report.damaged]
    findings = [Finding("central", Level.WARN, said, "lane ship --now --check") for said in wrong[:3]]
    if report.runs:
        findings.append(done("sent", f"{many(len(report.runs), 'run')} to Central, {size(report.bytes)}"))
    return findings


def _write_folders(lane: Lane) -> list[Finding]:
    """The memory folders, when anything was written down since they were; what people changed there is told."""
    if lane.folder.due():
        with suppress(BusyError):
            lane.folder.write()
    from memlane.surfaces.cli.mem.folder import findings_of

    return findings_of(lane.folder.told)


def _sync(lane: Lane) -> list[Finding]:
    """What the person asked to have elsewhere too. A target that does not answer is said, and tried again later."""
    try:
        target = lane.syncs.due()
        report = lane.syncs.sync(target) if target else None
    except BusyError:
        return []
    except LaneError as error:
        return [Finding("not-synced", Level.WARN, error.message, error.hint)]
    if report is None:
        return []
    found = [Finding("set-aside", Level.WARN, f"{name}: {reason}", "lane sync") for name, reason in report.set_aside]
    moved = f"{many(len(report.sent), 'run')} sent, {many(len(report.taken), 'run')} taken in"
    return found + ([done("synced", moved)] if report.sent or report.taken else [])
