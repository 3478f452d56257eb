"""`lane import`: take in an export: chats, neutral runs, the prompts of runs that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.capture import PARTLY, change_of, go_on_after, meta_of, step_of
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar
from memlane.surfaces.cli.text import lasted, many, one_line, size
from memlane.system.process import give_way

if TYPE_CHECKING:
    from memlane.app.capture import CaptureReport

FEW = 5  # problems named on a screen


@frame.command()
@click.argument("files", metavar="FILE…", nargs=-1, type=click.Path(path_type=Path))
@click.option("--from", "kind", default="auto", metavar="KIND", help="Only chatgpt, claude.ai, huggingchat, neutral …")
@click.option("--machine", default="", metavar="NAME", help="The machine the runs belong to.")
@click.option("--quiet", "-q", is_flag=True, help="Hide progress.")
def import_(screen: Screen, files: tuple[Path, ...], kind: str, machine: str, quiet: bool) -> None:
    """Import an export of ChatGPT, Claude.ai or HuggingChat (.json or .zip), neutral runs, or a folder of them.

    The file's content decides what it is. `lane import ~/.claude/history.jsonl` imports the prompts of Claude Code runs
    whose transcripts are gone. Importing a file twice adds nothing twice.
    """
    if not files:
        raise UsageError("nothing to import", hint="lane import FILE: an export as downloaded, or unpacked")
    give_way()
    with screen.lane() as lane, ProgressBar(screen.columns, quiet=quiet) as progress:
        report = lane.capture.imports.take(
            files, kind=kind, machine=machine, on=lambda done: progress.show(step_of(done))
        )
    if screen.json:
        screen.emit("lane.import/1", [change_of(change) for change in report.changes], meta_of(report))
    else:
        _tell(screen, report)
    go_on_after(screen, report)
    if report.set_aside:
        screen.leave(PARTLY)


def _tell(screen: Screen, report: CaptureReport) -> None:
    if not screen.terminal:
        for change in report.changes:
            run = change.run
            screen.record(run.id, run.agent, run.machine, change.generation, change.bytes_new, change.turns_new)
    for line in _told(report):
        screen.say(line)


def _told(report: CaptureReport) -> Iterator[str]:
    if report.paused is not None:
        yield "capture is paused: nothing was read   (lane pause --off)"
        return
    if report.changes:
        runs, turns = len({c.run.id for c in report.changes}), sum(c.turns_new for c in report.changes)
        agents = ", ".join(sorted({one_line(c.run.agent) for c in report.changes}))
        what = f"{many(runs, 'run')} of {agents}, {many(turns, 'turn')}, {size(report.bytes)}"
        yield f"done  {what}, in {lasted(report.seconds)}"
    elif report.set_aside and not report.files_seen:
        yield "nothing was imported"
    else:
        yield f"nothing new in {many(report.files_seen, 'file')}, {lasted(report.seconds)}"
    if report.set_aside:
        yield f"note  {many(len(report.set_aside), 'part')} could not be read"
        for aside in report.set_aside[:FEW]:
            yield f"      {one_line(aside.path)}: {one_line(aside.reason)}"
        if len(report.set_aside) > FEW:
            yield "      all of them: --json"
