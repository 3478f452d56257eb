"""`lane archive`, `rebuild`, `forget` and `restore`: the archive checked, moved, indexed anew; a run out and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.config import STORE
from memlane.domain import Finding, Level
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.capture import PARTLY, go_on
from memlane.surfaces.cli.findings import acted, done, told
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.progress import ProgressBar, ProgressStep
from memlane.surfaces.cli.text import cut, many, one_line, size
from memlane.system.process import give_way

if TYPE_CHECKING:
    from memlane.app.archive import ForgetPlan

LOSS_KINDS = ("missing", "extra", "altered")  # what `archive verify` tells apart, in this order

archive = frame.group("The archive: every byte that was captured, and the journal. Check it, repair it, move it.")


@frame.command("verify", of=archive)
def verify(screen: Screen) -> None:
    """Check that all is there and every byte matches its checksum. Names what is missing, extra or altered.

    On a Central: everybody's runs and journals, Central's own records and the audit.
    """
    with screen.lane() as lane:
        with ProgressBar(screen.columns, quiet=screen.json) as progress:
            found = list(
                lane.archive.verify(
                    lambda n, total: progress.show(ProgressStep("checking", n, total, n / max(1, total)))
                )
            )
        runs, count = lane.archive.archived()
    counts = {kind: sum(f.kind == kind and f.level is Level.FAIL for f in found) for kind in LOSS_KINDS}
    failed = sum(finding.level is Level.FAIL for finding in found)
    whole = f"{many(runs, 'run')}, {size(count)}: all there, every byte matches its checksum"
    last = [] if failed else [done("archive", whole)]
    in_order = sorted(found, key=lambda f: LOSS_KINDS.index(f.kind) if f.kind in LOSS_KINDS else len(LOSS_KINDS))
    told(
        screen,
        "lane.archive.verify/1",
        [*in_order, *last],
        {"runs": runs, "bytes": count, "failed": failed, **counts},
    )
    if failed:
        screen.leave(1)


@frame.command("repair", of=archive)
def repair(screen: Screen) -> None:
    """Bring back what can be: from the raw bytes, the index and the agents' own files. Name what cannot."""
    with screen.lane() as lane:
        found = list(lane.archive.repair())
    left = sum(finding.level is Level.FAIL for finding in found)
    mended = sum(finding.kind == "repaired" for finding in found)
    last = [done("archive", "nothing is missing or damaged")] if not found else []
    if left:
        accept = "restore it from a backup, or go on without it: lane rebuild --accept-loss NAME"
        last = [Finding("left", Level.WARN, f"{many(left, 'thing')} could not be brought back", accept)]
    told(screen, "lane.archive.repair/1", [*found, *last], {"repaired": mended, "failed": left})
    if left:
        screen.leave(1)


@frame.command("move", of=archive)
@click.argument("place")
@click.option("--yes", "-y", is_flag=True, help="Skip the confirmation.")
@click.option("--dry-run", is_flag=True, help="Show what would happen and change nothing.")
def move(screen: Screen, place: str, yes: bool, dry_run: bool) -> None:
    """Copy the archive to PLACE, compare every byte, and switch to it. The old copy stays where it is.

    PLACE is a folder, or s3://BUCKET/PREFIX.
    """
    target = place if STORE in place else str(Path(place).expanduser().absolute())
    with screen.lane() as lane:
        runs, count = lane.archive.archived()
        old, stored = lane.config.archive_place, lane.config.in_a_store
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
        with ProgressBar(screen.columns, quiet=screen.json) as progress:
            lane.archive.move(
                target, lambda n, total: progress.show(ProgressStep("copying", n, total, n / max(1, total)))
            )
    stays = Finding(
        "old copy",
        Level.NOTE,
        f"{old} is still there",
        "delete it with the tools of that store" if stored else f"rm -r {old}",
    )
    acted(
        screen,
        "lane.archive.move/1",
        [done("copied", plan), stays],
        "once you have checked the new one",
        {"from": old, "to": target},
    )


@frame.command("compact", of=archive)
def compact(screen: Screen) -> None:
    """On an object store: write every file as one plain object, so that a copy of the bucket is a folder's archive."""
    with screen.lane() as lane:
        count = lane.archive.compact() if lane.config.in_a_store else 0  # in a folder every file is whole
    acted(screen, "lane.archive.compact/1", [done("compacted", many(count, "file"))], "", {"files": count})


@frame.command()
@click.option("--accept-loss", "accepted", multiple=True, metavar="NAME", help="Go on without NAME (or: all).")
def rebuild(screen: Screen, accepted: tuple[str, ...]) -> None:
    """Rebuild the index from the archive; the old one keeps answering until it is done. Needs no transcripts."""
    give_way()
    with screen.lane() as lane, ProgressBar(screen.columns, quiet=screen.json) as progress:
        rebuilt = lane.archive.rebuild(
            lambda n, total: progress.show(ProgressStep("indexing", n, total, n / max(1, total))), accepted
        )
        go_on(screen, lane)
    what = f"{many(rebuilt.runs, 'run')}, {many(rebuilt.journal_lines, 'journal line')}"
    findings = [done("rebuilt", what)]
    findings += [Finding("set-aside", Level.WARN, aside, "lane archive verify") for aside in rebuilt.set_aside]
    meta = {"runs": rebuilt.runs, "journal_lines": rebuilt.journal_lines, "set_aside": len(rebuilt.set_aside)}
    acted(screen, "lane.rebuild/1", findings, "look", meta)
    if rebuilt.set_aside:
        screen.leave(PARTLY)


@frame.command()
@click.argument("run")
@click.option("--now", is_flag=True, help="Delete it permanently from archive, journal and index.")
@click.option("--dry-run", is_flag=True, help="Show what would happen and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Skip the confirmation.")
def forget(screen: Screen, run: str, now: bool, dry_run: bool, yes: bool) -> None:
    """Hide RUN everywhere and never capture it again. `lane restore` brings it back, unless you used --now."""
    with screen.lane() as lane:
        plan = lane.archive.plan_forget(screen.meant(run))
        if dry_run:
            acted(screen, "lane.forget/1", [_would(plan, now=now)], "do it", _meta(plan, now=now, done=False))
            return
        if not now:
            lane.archive.forget_run(plan.run)
            gone = done("forgotten", _named(plan), f"lane restore {plan.run}")
            acted(screen, "lane.forget/1", [gone], "undo", _meta(plan, now=False, done=True))
            return
        lane.shipment.must_be_free([plan.run])
        screen.say(_would(plan, now=True).what)
        if not screen.confirmed("Delete permanently? This cannot be undone.", yes=yes):
            screen.say("Nothing was changed.")
            return
        lane.archive.forget_for_good(plan)
        lane.folder.write()  # what was caught from it stands on pages too
    gone = done("deleted", f"{_named(plan)}: {_bytes(plan)}")
    acted(screen, "lane.forget/1", [gone], "", _meta(plan, now=True, done=True))


def _named(plan: ForgetPlan) -> str:
    return f'{plan.run} "{cut(one_line(plan.title), 60)}"' if plan.title else plan.run


def _bytes(plan: ForgetPlan) -> str:
    caught = f", the evidence of {many(plan.memories, 'memory', 'memories')}" if plan.memories else ""
    return f"{many(plan.files, 'file')}, {size(plan.bytes)}, the words of {many(plan.recalls, 'recall')}{caught}"


def _would(plan: ForgetPlan, *, now: bool) -> Finding:
    if not now:
        what = f"{_named(plan)} would no longer be found, shown or captured; its bytes stay"
        return Finding("would-forget", Level.NOTE, what, f"lane forget {plan.run}")
    what = f"{_named(plan)}: {_bytes(plan)} will be deleted from {plan.folder}, the journal and the index"
    return Finding("would-remove", Level.NOTE, what, f"lane forget {plan.run} --now --yes")


def _meta(plan: ForgetPlan, *, now: bool, done: bool) -> dict[str, object]:
    return {
        "run": plan.run,
        "now": now,
        "done": done,
        "folder": plan.folder,
        "bytes": plan.bytes,
        "files": plan.files,
        "recalls": plan.recalls,
        "memories": plan.memories,
        "undo": f"lane restore {plan.run}" if done and not now else None,
    }


@frame.command()
@click.argument("run")
def restore(screen: Screen, run: str) -> None:
    """Bring a forgotten RUN back."""
    with screen.lane() as lane:
        restored = lane.archive.restore_run(screen.meant(run))
    meta = {"run": restored, "undo": f"lane forget {restored}"}
    acted(screen, "lane.restore/1", [done("restored", restored, f"lane show {restored}")], "read", meta)
