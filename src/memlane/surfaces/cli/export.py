"""`lane export`: runs as files that other programs and people read, masked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.capture import PARTLY
from memlane.surfaces.cli.filters import chosen, filters, named
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import many, one_line, size
from memlane.system.process import give_way

if TYPE_CHECKING:
    from memlane.app.export import ExportReport

FORMATS = ("neutral", "sts", "atif", "markdown", "html", "native", "parquet")
FEW = 8  # kinds of secret named on a screen


@frame.command(
    examples="""
lane export ~/runs --format markdown --project .
lane export ~/traces --format native --agent claude-code --since 30d
lane export ~/tables --format parquet
"""
)
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.argument("runs", metavar="[RUN…]", nargs=-1)
@click.option("--format", "form", type=click.Choice(FORMATS), default="neutral", show_default=True, help="As what.")
@click.option("--query", default="", metavar="WORDS", help="Only runs that a search for WORDS finds.")
@filters
def command(screen: Screen, folder: Path, runs: tuple[str, ...], form: str, query: str, **given: Any) -> None:
    """Export runs, all or those chosen, to a new FOLDER. Secrets are masked.

    neutral can be imported again; native is the agent's own file; sts opens on the Hugging Face Hub; atif is read by
    Harbor; parquet holds tables of runs, turns, steps, tool calls, files, memories and recalls.
    """
    give_way()
    target = folder.expanduser().absolute()
    with screen.lane() as lane:
        picked = lane.exports.choose([screen.meant(run) for run in runs], chosen(screen, lane, given), query)
        if not picked:
            screen.say(f"No runs{f' with {named(given)}' if named(given) else ''}: nothing was written.")
            screen.leave(2)
        with ProgressBar(screen.columns, quiet=screen.json) as progress:
            report = lane.exports.write(
                picked,
                form,
                target,
                lambda n, total, run: progress.show(ProgressStep("exporting", n, total, n / total, run.id)),
            )
    if screen.json:
        screen.emit("lane.export/1", _document(report), {"runs": len(report.runs), "set_aside": len(report.set_aside)})
    else:
        _tell(screen, report)
    if report.set_aside:
        screen.leave(PARTLY)


def _document(report: ExportReport) -> dict[str, object]:
    return {
        "folder": report.folder,
        "format": report.format,
        "runs": [run.id for run in report.runs],
        "turns": report.turns,
        "bytes": report.bytes,
        "files": report.files,
        "masked": dict(report.rules),
        "masked_places": report.masked,
        "set_aside": [{"run": run, "reason": reason} for run, reason in report.set_aside],
    }


def _tell(screen: Screen, report: ExportReport) -> None:
    if not screen.terminal:
        screen.record(report.folder, report.format, len(report.runs), report.turns, report.bytes)
    what = f"{many(len(report.runs), 'run')}, {many(report.turns, 'turn')}, {size(report.bytes)}"
    screen.say(f"done  {what} as {report.format} in {report.folder}")
    if report.rules:
        most = ", ".join(f"{one_line(rule)} {n:,}" for rule, n in report.rules.most_common(FEW))
        screen.say(f"note  {many(sum(report.rules.values()), 'secret')} masked: {most}   (masked.jsonl)")
    for run, reason in report.set_aside:
        screen.say(f"note  {run} could not be read: {one_line(reason)}")
