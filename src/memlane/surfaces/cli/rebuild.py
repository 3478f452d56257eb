"""`lane rebuild`: a fresh index from the archive alone, beside the live one, which answers until the swap."""

from __future__ import annotations

from memlane.domain import Finding, Level
from memlane.process import give_way
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.background import go_on
from memlane.surfaces.cli.capture import PARTLY
from memlane.surfaces.cli.findings import acted, done
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import Progress, Step
from memlane.surfaces.cli.text import many


@frame.command()
def command(screen: Screen) -> None:
    """A fresh index from the archive; the old one answers meanwhile. No transcript is needed any more."""
    give_way()
    with screen.lane() as lane, Progress(screen.columns, quiet=screen.json) as progress:
        rebuilt = lane.archive.rebuild(lambda n, total: progress.show(Step("indexing", n, total, n / max(1, total))))
        go_on(screen, lane)
    what = f"{many(rebuilt.runs, 'run')}, {many(rebuilt.journal_lines, 'journal line')}"
    findings = [done("rebuilt", what)]
    findings += [Finding("set-aside", Level.WARN, aside, "lane archive verify") for aside in rebuilt.set_aside]
    meta = {"runs": rebuilt.runs, "journal_lines": rebuilt.journal_lines, "set_aside": len(rebuilt.set_aside)}
    acted(screen, "lane.rebuild/1", findings, "look", meta)
    if rebuilt.set_aside:
        screen.leave(PARTLY)
