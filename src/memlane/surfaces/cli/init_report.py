"""What `lane init` says when it is over: what was done, what was left alone and why, and where to go from here."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memlane.domain import Finding, Level
from memlane.surfaces.cli.init_next import next_steps, remembered
from memlane.surfaces.cli.init_words import Proposal, folded, in_short, nobody, planned
from memlane.surfaces.cli.text import lasted, many, size
from memlane.surfaces.documents import of_finding

if TYPE_CHECKING:
    from memlane.app.capture import CaptureReport
    from memlane.app.setup import Done, MachineLook, Trouble
    from memlane.app.setup.install import Installer
    from memlane.surfaces.cli.frame import Screen
    from memlane.surfaces.cli.init_first import Begun


def show(screen: Screen, lines: Iterable[str], *, fold: bool = True) -> None:
    """For people; a program gets one document at the end, and a pipe gets every line whole."""
    if screen.json:
        return
    for line in lines:
        for part in folded(line, screen.columns) if fold and screen.terminal else [line]:
            screen.line(part)
    sys.stdout.flush()


def tell_nobody(screen: Screen, installing: Installer, look: MachineLook) -> None:
    if screen.json:
        screen.emit("lane.init/1", [], {"agents": [], "later": [later.title for later in look.later]})
    show(screen, nobody(installing, look))


def tell_plan(screen: Screen, installing: Installer, proposal: Proposal) -> None:
    """`--dry-run`: what would be done, and every file it would touch. A program gets the changes themselves."""
    if screen.json:
        changes = [{"area": c.area, "what": c.what, "diff": c.diff} for c in proposal.plan.changes]
        rows = [Finding(row.area, Level.NOTE, f"{row.where}: {row.what}") for row in installing.rows(proposal.plan)]
        findings = [*rows, *_standing(proposal.plan.in_place, proposal.plan.left_alone, proposal.plan.notes)]
        meta = {**_meta(proposal), "dry_run": True, "changes": changes}
        screen.emit("lane.init/1", [of_finding(finding) for finding in findings], meta)
        return
    if proposal.plan.changes or proposal.plan.left_alone or not screen.config.home.is_dir():
        show(screen, ["", *planned(screen, installing, proposal), ""])
        show(screen, [*in_short(proposal), ""], fold=False)
        show(screen, ["Nothing was changed. Line by line: lane init --dry-run --json, or [d] when `lane init` asks."])
    else:
        show(screen, ["", "Everything is in place."])


def tell(screen: Screen, proposal: Proposal, done: Done, begun: Begun) -> None:
    report = begun.report
    if screen.json:
        changed = [Finding(area, Level.OK, "set up") for area in done.changed]
        findings = [*changed, *_standing(done.in_place, done.troubles, done.notes), *_taken(report), *_found(begun)]
        screen.emit("lane.init/1", [of_finding(finding) for finding in findings], {**_meta(proposal), **_known(begun)})
        return
    show(screen, [_done_line(begun), *remembered(begun)])
    show(screen, [f"note  {note}" for note in done.notes])
    if report.set_aside:
        unread = many(len(report.set_aside), "file")
        text = f"{unread} could not be read; the originals are untouched and will be tried again."
        show(screen, [f"note  {text} Details: lane doctor --files"])
    show(screen, [f"note  {each.message}{f' ({each.hint})' if each.hint else ''}" for each in begun.troubles])
    complain(screen, done.troubles)
    show(screen, ["", *next_steps(screen, begun)])


def complain(screen: Screen, troubles: Iterable[Trouble]) -> None:
    for trouble in troubles:
        screen.say(f"error: {trouble.what}")
        screen.say("  Lane did not touch it. Everything else was set up.")
        if trouble.hint:
            screen.say(f"  hint: {trouble.hint}")


def _done_line(begun: Begun) -> str:
    report, took = begun.report, lasted(begun.seconds)
    if not report.changes:
        return f"done  nothing new in {many(report.files_seen, 'file')}, in {took}"
    turns = sum(change.turns_new for change in report.changes)
    agents = {change.run.agent for change in report.changes}
    what = [many(len(report.changes), "run"), many(turns, "turn"), size(report.bytes), many(len(agents), "agent")]
    return f"done  {', '.join([*what, many(begun.known.projects, 'project')])}, in {took}"


def _standing(in_place: Iterable[str], troubles: Iterable[Trouble], notes: Iterable[str]) -> list[Finding]:
    there = [Finding(area, Level.OK, "in place") for area in in_place]
    alone = [Finding(trouble.area, Level.FAIL, trouble.what, trouble.hint) for trouble in troubles]
    return [*there, *alone, *(Finding("note", Level.NOTE, note) for note in notes)]


def _taken(report: CaptureReport) -> list[Finding]:
    taken = Finding("capture", Level.OK, f"{many(len(report.changes), 'run')}, {size(report.bytes)}")
    aside = [Finding("set-aside", Level.WARN, f"{a.path}: {a.reason}", "lane doctor --files") for a in report.set_aside]
    return [taken, *aside]


def _found(begun: Begun) -> list[Finding]:
    found = [Finding("memories", Level.OK, f"{begun.known.active} active, {begun.known.held} held")]
    if begun.unread:
        found.append(Finding("unread", Level.NOTE, f"{many(begun.unread, 'run')} in the background"))
    return found + [Finding("left", Level.WARN, trouble.message, trouble.hint) for trouble in begun.troubles]


def _known(begun: Begun) -> dict[str, object]:
    found = begun.suggestion
    told = (
        {"folder": found.folder, "prompt": found.prompt, "memories": [m.id for m in found.memories]} if found else None
    )
    counted = {"memories": begun.known.active, "held": begun.known.held, "caught": begun.caught_active}
    return {**counted, "unread": begun.unread, "seconds": round(begun.seconds, 3), "suggestion": told}


def _meta(proposal: Proposal) -> dict[str, object]:
    look = proposal.look
    return {
        "dry_run": False,
        "agents": [
            {
                "name": agent.name,
                "title": agent.title,
                "runs": agent.runs,
                "bytes": agent.bytes,
                "oldest": agent.oldest,
                "captured_by": proposal.captured_by(agent),
            }
            for agent in look.agents
        ],
        "later": [later.title for later in look.later],
        "deletes_after_days": look.deletes_after,
        "other_memory_tools": list(look.rivals),
        "recall": proposal.recall,
    }
