"""`lane archive`: is every byte still what it was, make good what can be, and put it somewhere else."""

from __future__ import annotations

from pathlib import Path

import click

from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.findings import acted, done, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import Progress, Step
from memlane.surfaces.cli.text import many, size

command = frame.group("The archive: every byte that was captured, and the journal. Check it, repair it, move it.")


@frame.command("verify", of=command)
@click.option("--repair", is_flag=True, help="Rebuild what can be rebuilt from the raw bytes.")
def verify(screen: Screen, repair: bool) -> None:
    """Re-read every byte against its digest; name each thing that does not fit."""
    with screen.lane() as lane:
        mended = list(lane.archive.repair()) if repair else []
        with Progress(screen.columns, quiet=screen.json) as progress:
            found = list(
                lane.archive.verify(lambda n, total: progress.show(Step("checking", n, total, n / max(1, total))))
            )
        runs, count = lane.archive.archived()
    failed = any(finding.level is Level.FAIL for finding in found)
    whole = [] if failed else [done("archive", f"{many(runs, 'run')}, {size(count)}: every byte is what it was")]
    meta = {"runs": runs, "bytes": count, "failed": sum(f.level is Level.FAIL for f in found), "repaired": len(mended)}
    told(screen, "lane.archive.verify/1", [*mended, *found, *whole], meta)
    if failed:
        screen.leave(1)


@frame.command("move", of=command)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--dry-run", is_flag=True, help="Only say what would be done.")
def move(screen: Screen, folder: Path, yes: bool, dry_run: bool) -> None:
    """Copy the archive to FOLDER, compare every byte, and use it from then on. The old one stays where it is."""
    target = folder.expanduser().absolute()
    with screen.lane() as lane:
        runs, count = lane.archive.archived()
        old = lane.config.archive_base
        plan = f"{many(runs, 'run')}, {size(count)}, from {old} to {target}"
        if dry_run:
            acted(
                screen,
                "lane.archive.move/1",
                [Finding("would copy", Level.NOTE, plan)],
                "",
                {"from": old, "to": target},
            )
            return
        if not screen.confirmed(f"Copy {plan}?", yes=yes):
            screen.say("Nothing was changed.")
            return
        with Progress(screen.columns, quiet=screen.json) as progress:
            lane.archive.move(target, lambda n, total: progress.show(Step("copying", n, total, n / max(1, total))))
    stays = Finding("old copy", Level.NOTE, f"{old} is still there", f"rm -r {old}")
    acted(
        screen, "lane.archive.move/1", [done("copied", plan), stays], "when you are sure", {"from": old, "to": target}
    )
