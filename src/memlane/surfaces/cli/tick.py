"""`lane tick`: what the timer runs every five minutes. One bounded pass of what is due; silent when nothing was."""

from __future__ import annotations

from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.capture import PARTLY, meta_of
from memlane.surfaces.cli.findings import done, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import many, size


@frame.command()
def command(screen: Screen) -> None:
    """One bounded pass of what is due: take in, index. The timer runs it every five minutes."""
    with screen.lane() as lane:
        report = lane.capturing.tick()
    findings: list[Finding] = []
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
