"""`lane dream`: tidy up what is remembered, see what was done to it, and take any of it back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

import click

from memlane.domain import Dream
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.dream_report import Reworded, Title, drawn
from memlane.surfaces.cli.frame import Column, Doing, Screen
from memlane.surfaces.cli.mem.folder import findings_of
from memlane.surfaces.cli.text import ago, iso, many
from memlane.surfaces.documents import of_dream
from memlane.surfaces.dreamt import headline

if TYPE_CHECKING:
    from memlane.app.dream import DreamReport

FAILED = 1
EXAMPLES = """
lane dream --dry-run
lane dream
lane dream report
lane dream undo d_5af5 m_41c9
"""


@frame.command(kind=Doing, examples=EXAMPLES)
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
@click.option("--now", is_flag=True, help="Go on also when somebody is talking to an agent.")
def command(screen: Screen, dry_run: bool, now: bool) -> None:
    """Merge what was said twice, settle what contradicts, let go what is stale. Every step can be undone."""
    with screen.lane() as lane:
        if dry_run:
            decided = lane.dream.dry_run(steps_aside=not now)
            report, made = decided.report, {m.id: m.title for one in decided.kept for m in one.after}
            _told(screen, report, lambda name: made.get(name) or lane.dream.title(name), decided.reworded, dry_run=True)
        else:
            report = lane.dream.run(steps_aside=not now)
            _told(screen, report, lane.dream.title, partial(lane.dream.reworded, report), dry_run=False)
        for one in findings_of(lane.folder.told):  # what people changed in the memory folder
            screen.note(f"{one.what}{f' ({one.hint})' if one.hint else ''}")
    if report.failed:
        screen.leave(FAILED)


@frame.command("report", of=cast(click.Group, command), lists=True)
@click.argument("dream", required=False, default="")
@click.option("--list", "list_", is_flag=True, help="All dreams, newest first.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Of the list.")
def report(screen: Screen, dream: str, list_: bool, limit: int) -> None:
    """What a dream did and why: the last one, or DREAM."""
    with screen.lane() as lane:
        if list_:
            _listed(screen, lane.dream.reports()[:limit])
            return
        told = lane.dream.report(screen.meant(dream))
        reworded = partial(lane.dream.reworded, told.dream)
        schema = "lane.dream.report/1"
        _told(screen, told.dream, lane.dream.title, reworded, dry_run=False, undone=told.undone, schema=schema)


@frame.command("undo", of=cast(click.Group, command))
@click.argument("dream")
@click.argument("memory", required=False, default="")
def undo(screen: Screen, dream: str, memory: str) -> None:
    """Take a dream back, all of it or what it did with one memory, byte for byte."""
    with screen.lane() as lane:
        undone = lane.dream.undo(screen.meant(dream), screen.meant(memory) if memory else "")
        titles = {name: lane.dream.title(name) for name in undone.names}
    redo = f"lane undo {undone.by}"
    if screen.json:
        data = {"dream": undone.act.dream, "names": undone.names, "left": undone.left}
        screen.emit("lane.dream.undo/1", data, {"undo": redo})
    elif screen.terminal:
        screen.line(f"Taken back: {many(len(undone.names), 'memory', 'memories')} of {undone.act.dream}")
        for name, title in titles.items():
            screen.line(screen.cut(f"  {name[:6]}  {title}", screen.columns))
        screen.line(f"  redo: {redo}")
    else:
        screen.record(undone.act.dream, undone.by, *undone.names)
    if undone.left:
        screen.note(f"{', '.join(undone.left)} changed again since and was left as it is")


def _told(
    screen: Screen,
    report: Dream,
    title: Title,
    reworded: Reworded,
    *,
    dry_run: bool,
    undone: bool = False,
    schema: str = "lane.dream/1",
) -> None:
    if screen.json:
        screen.emit(schema, of_dream(report), {"dry_run": dry_run, "undone": undone})
        return
    if not screen.terminal:
        for one in report.done:
            screen.record(one.change.value, " ".join(one.memories), " ".join(one.result), one.because)
    else:
        screen.paged(drawn(screen, report, title, reworded, dry_run=dry_run, undone=undone))
    if report.failed:
        screen.note(f"nothing was changed: {report.failed}")


def _listed(screen: Screen, reports: Sequence[DreamReport]) -> None:
    screen.remember_list([told.dream.id for told in reports])
    numbers = {told.dream.id: str(n) for n, told in enumerate(reports, 1)}
    columns = [
        Column(lambda t: numbers[t.dream.id], None, "dim", right=True),
        Column(lambda t: t.dream.id[:6], lambda t: t.dream.id),
        Column(lambda t: ago(t.dream.ended, screen.now), lambda t: iso(t.dream.ended), right=True),
        Column(lambda t: "undone" if t.undone else "", lambda t: "undone" if t.undone else "done"),
        Column(lambda t: headline(t.dream), lambda t: headline(t.dream), stretch=True),
    ]
    screen.listing("lane.dream.list/1", reports, lambda t: of_dream(t.dream) | {"undone": t.undone}, columns)
    if not reports and not screen.json:
        screen.say("There was no dream yet.")
