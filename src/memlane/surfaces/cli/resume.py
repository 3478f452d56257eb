"""`lane resume`: go on with a run on this machine; what its agent no longer has comes back from the archive."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import many, one_line, size

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.resume import Damage, ResumePlan, ResumeReport
    from memlane.domain import RunSummary

EXAMPLES = """
lane resume 1
lane resume r_3ks7 --cwd ~/code/api
lane resume r_3ks7 --print
lane resume r_3ks7 --in codex
"""
FEW = 5  # lost lines that are named


@frame.command(examples=EXAMPLES)
@click.argument("run")
@click.argument("prompt", required=False, default="")
@click.option("--in", "other", default="", metavar="AGENT", help="Give it to another agent as a first prompt.")
@click.option("--cwd", type=click.Path(path_type=Path), default=None, help="The checkout to go on in.")
@click.option("--print", "only_print", is_flag=True, help="Put it back and print the command instead of starting it.")
@click.option("--dry-run", is_flag=True, help="Show what would be written and change nothing.")
def command(
    screen: Screen, run: str, prompt: str, other: str, cwd: Path | None, only_print: bool, dry_run: bool
) -> None:
    """Go on with RUN in its agent, in the checkout of its project on this machine.

    If the agent no longer has the run, or the run comes from another machine, its files are written where the agent
    looks for them, with the paths of this checkout. Files that are there already stay as they are. PROMPT is what you
    say first. With --json or --print the agent is not started.

    --in starts another agent instead, with a hand-over (`lane brief RUN`) as its first prompt.
    """
    if other:
        _hand_over(screen, run, prompt, other, cwd, starts=not (only_print or screen.json or dry_run))
        return
    with screen.lane() as lane:
        found = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        plan = lane.resume.plan(found.id, cwd or _chosen(screen, lane, found), Path.cwd(), prompt)
        if dry_run:
            _would(screen, plan)
            return
        starts = not (only_print or screen.json)
        if starts:
            _must_be_here(plan.command[0], plan.run.id)
        report = lane.resume.put_back(plan)
        environment = lane.resume.environment()
    if screen.json:
        screen.emit("lane.resume/1", _document(plan, report))
        return
    for line in _told(report):
        screen.say(line)
    if only_print:
        screen.line(f"cd {shlex.quote(str(plan.folder))} && {shlex.join(plan.command)}")
        return
    _start(plan.command, plan.folder, environment)


def _chosen(screen: Screen, lane: Lane, run: RunSummary) -> Path | None:
    """The checkout that a person names where it is not clear which one is meant; None: nobody has to be asked."""
    if screen.json or not screen.can_ask:
        return None
    choices = lane.resume.choices(run, Path.cwd())
    if choices.clear:
        return None
    name, known = one_line(run.project.name), {str(n): folder for n, folder in enumerate(choices.folders, 1)}
    if choices.certain:
        screen.say(f"{name} has {len(known)} checkouts here:")
    else:
        screen.say(f"No checkout of {name} is known here{', but of this name:' if known else '.'}")
    for number, folder in known.items():
        screen.say(f"  {number}  {one_line(str(folder))}")

    def meant(given: str) -> Path:
        found = known.get(given.strip()) or Path(given.strip()).expanduser()
        if not found.is_dir():
            raise click.UsageError(f"{given} is not a folder")
        return found

    ask = "Go on in which, or another folder" if known else "Folder to go on in"
    return click.prompt(ask, default="1" if choices.certain else None, value_proc=meant, err=True)


def _hand_over(screen: Screen, run: str, prompt: str, other: str, cwd: Path | None, *, starts: bool) -> None:
    """To an agent that was not there: what happened, with the step for each line."""
    from memlane.app.handover import first_prompt

    with screen.lane() as lane:
        found = lane.runs.get(lane.runs.address(screen.meant(run)).run)
        folder = lane.resume.folder_for(found, cwd or _chosen(screen, lane, found), Path.cwd())
        command = lane.resume.begin(other, first_prompt(lane.handovers.of([found]), prompt))
        environment = lane.resume.environment()
    if starts:
        _must_be_here(command[0], found.id)
        _start(command, folder, environment)
    if screen.json:
        none: dict[str, object] = {"lines_lost": [], "mib_altered": 0, "linked": 0}
        about = {"run": found.id, "agent": other, "folder": str(folder), "command": list(command)}
        screen.emit("lane.resume/1", {**about, "paths": None, "would_write": [], "files": [], "damage": none})
    else:
        screen.line(f"cd {shlex.quote(str(folder))} && {shlex.join(command)}")


def _start(command: tuple[str, ...], folder: Path, environment: Mapping[str, str]) -> NoReturn:
    """The agent takes over this terminal."""
    os.chdir(folder)
    os.execvpe(command[0], command, dict(environment))


def _must_be_here(program: str, run: str) -> None:
    if shutil.which(program) is None:
        hint = f"install it, or see what would be typed: lane resume {run} --print"
        raise UsageError(f"{program} is not on this machine's PATH", hint=hint)


def _would(screen: Screen, plan: ResumePlan) -> None:
    if screen.json:
        screen.emit("lane.resume/1", _document(plan, None), {"dry_run": True})
        return
    for path in plan.files:
        screen.line(f"would write {path}")
    screen.line(f"cd {shlex.quote(str(plan.folder))} && {shlex.join(plan.command)}")


def _told(report: ResumeReport) -> Iterator[str]:
    plan = report.plan
    new = [file for file in report.files if file.written]
    if new:
        yield f"put back  {many(len(new), 'file')}, {size(sum(file.bytes for file in new))}: {new[-1].path.parent}"
    else:
        yield f"{plan.run.agent} has this run; nothing was written"
    if plan.paths.changes:
        yield f"paths     {one_line(plan.paths.old)} is {plan.paths.new} here"
    if plan.unsaid:
        yield f"note      {plan.run.agent} takes no prompt when it goes on; type it there: {one_line(plan.unsaid)}"
    yield from _damage_told(plan.damage)


def _damage_told(damage: Damage) -> Iterator[str]:
    if damage.altered:
        what = many(damage.altered, "MiB does", "MiB do")
        yield f"damage    {what} not match the archive's digest: words in it may be altered   (lane archive verify)"
    if damage.lost:
        named = ", ".join(str(n) for n in damage.lost[:FEW]) + (" …" if len(damage.lost) > FEW else "")
        yield f"damage    {many(len(damage.lost), 'line')} could not be read and left out ({named}); the rest is there"


def _document(plan: ResumePlan, report: ResumeReport | None) -> dict[str, object]:
    files = report.files if report is not None else ()
    return {
        "run": plan.run.id,
        "agent": plan.run.agent,
        "folder": str(plan.folder),
        "command": list(plan.command),
        "paths": {"from": plan.paths.old, "to": plan.paths.new} if plan.paths.changes else None,
        "would_write": [str(path) for path in plan.files] if report is None else [],
        "files": [
            {"path": str(file.path), "bytes": file.bytes, "sha256": file.sha256 or None, "written": file.written}
            for file in files
        ],
        "damage": {"lines_lost": plan.damage.lost, "mib_altered": plan.damage.altered, "linked": plan.damage.linked},
    }
