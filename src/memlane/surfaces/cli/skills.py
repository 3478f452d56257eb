"""`lane skills`: what you keep asking for, with evidence; a draft of a skill on request, installed only by you."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from memlane.domain.door import plain
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen, VerbGroup
from memlane.surfaces.cli.text import ago, iso, many, one_line

if TYPE_CHECKING:
    from memlane.app.procedures import ProcedureChange
    from memlane.app.skills import Habit

EXAMPLES = """
lane skills
lane skills --min 5 --json
lane skills draft 1 -o ~/.claude/skills
"""
Numbered = tuple[int, "Habit"]


@frame.command(lists=True, examples=EXAMPLES, kind=VerbGroup)
@click.option(
    "--min", "least", type=click.IntRange(2), default=3, show_default=True, help="In at least this many runs."
)
def command(screen: Screen, least: int) -> None:
    """List requests you repeat: in how many runs, when last, and whether a skill covers it."""
    with screen.lane() as lane:
        found = list(enumerate(lane.skills.habits(least), 1))
    if found and screen.terminal and not screen.json:
        screen.line(screen.styled("You keep asking for", "bold"))
    screen.listing("lane.skills/1", found, _document, _columns(screen), {"skills": len(found), "min": least})
    if screen.json:
        return
    if not found:
        screen.say(f"No request repeats in {least} or more runs.")
    elif screen.terminal:
        screen.say("Draft one: lane skills draft 1    (writes SKILL.md to a folder you choose)")


def _document(numbered: Numbered) -> Mapping[str, object]:
    n, habit = numbered
    found = habit.found
    return {
        "n": n,
        "name": found.name,
        "title": found.wish,
        "times": len(found.requests),
        "runs": list(found.runs),
        "agents": list(found.agents),
        "machines": list(found.machines),
        "last": iso(found.last) if found.last else None,
        "kept": habit.kept,
        "memories": [memory.id for memory in found.memories],
        "requests": [
            {
                "run": one.run,
                "turn": one.turn,
                "at": iso(one.at) if one.at else None,
                "agent": one.agent,
                "machine": one.machine,
                "text": one.text,
            }
            for one in found.requests
        ],
    }


def _columns(screen: Screen) -> list[Column]:
    return [
        Column(lambda one: str(one[0]), lambda one: str(one[0]), "dim", right=True),
        Column(lambda one: one_line(one[1].found.wish), lambda one: one[1].found.name, stretch=True),
        Column(lambda one: f"{len(one[1].found.requests)}x", lambda one: str(len(one[1].found.requests)), right=True),
        Column(lambda one: ago(one[1].found.last, screen.now), lambda one: iso(one[1].found.last), right=True),
        Column(lambda one: "a skill" if one[1].kept else "no skill", lambda one: "yes" if one[1].kept else "no"),
    ]


@frame.command("draft", of=cast(click.Group, command), examples=EXAMPLES)
@click.argument("which")
@click.option(
    "-o", "into", default=".", type=click.Path(path_type=Path, file_okay=False), help="The folder to write to."
)
@click.option(
    "--min", "least", type=click.IntRange(2), default=3, show_default=True, help="The --min of the list it comes from."
)
def draft(screen: Screen, which: str, into: Path, least: int) -> None:
    """Write a folder with a SKILL.md: the request, its runs, and the steps they took."""
    with screen.lane() as lane:
        found = lane.skills.chosen(which, least)
        path = lane.skills.draft(found, into.expanduser())
    if screen.json:
        meta = {"undo": f"rm -r {path.parent}"}
        screen.emit("lane.skills.draft/1", {"path": str(path), "name": found.name, "runs": list(found.runs)}, meta)
        return
    if not screen.terminal:
        screen.record(str(path))
        return
    screen.line(f"Drafted: {path} (from {many(len(found.runs), 'run')})")
    screen.line("  Review and edit it; agents use it once it is in a skills folder: ~/.claude/skills, .agents/skills")


IMPROVE_EXAMPLES = """
lane skills improve
lane skills improve 1 --apply
lane skills improve --undo i_41c9kd2m3xw5q
"""


@frame.command("improve", of=cast(click.Group, command), examples=IMPROVE_EXAMPLES)
@click.argument("which", required=False, default="")
@click.option("--apply", "take", is_flag=True, help="Write this change into the file.")
@click.option("--undo", "back", default="", metavar="ID", help="Take back a change that was written.")
def improve(screen: Screen, which: str, take: bool, back: str) -> None:
    """Propose changes to skills, commands and rules files that your corrections touch; only --apply writes."""
    with screen.lane() as lane:
        if back:
            path = lane.procedures.undo(back)
            _improved(screen, [], f"As it was before: {path}", "")
            return
        if take and not which:
            raise UsageError(
                "--apply needs one change", hint="lane skills improve, then: lane skills improve 1 --apply"
            )
        found = [lane.procedures.chosen(which)] if which else lane.procedures.changes()
        if take:
            lane.procedures.apply(found[0])
            _improved(screen, found, f"Changed: {found[0].path}", f"lane skills improve --undo {found[0].id}")
            return
    screen.remember_list([change.id for change in found])
    if screen.json:
        screen.emit(
            "lane.skills.improve/1", [_change(change) for change in found], {"changes": len(found), "undo": None}
        )
        return
    for n, change in enumerate(found, 1):
        for line in _proposed(screen, n, change):
            screen.line(line)
    if not found:
        screen.say("No correction touches a skill, a command or a rules file that does not say it already.")
    elif screen.terminal:
        screen.say("Take one over: lane skills improve 1 --apply    (undoable)")


def _proposed(screen: Screen, n: int, change: ProcedureChange) -> Iterator[str]:
    memory = change.memory
    yield screen.styled(f"{n}  {one_line(str(change.path))}", "bold")
    yield f"   {memory.id}  {one_line(memory.title)}"
    yield f"   {one_line(change.because)}"
    yield from (f'   {one.step or one.run}: "{one_line(one.quote)}"' for one in memory.evidence if one.quote)
    yield from (f"   {plain(line)}" for line in change.diff.splitlines())
    yield ""


def _improved(screen: Screen, done: Sequence[ProcedureChange], said: str, undo: str) -> None:
    if screen.json:
        meta = {"changes": len(done), "undo": undo or None}
        screen.emit("lane.skills.improve/1", [_change(change) for change in done], meta)
        return
    screen.line(one_line(said))
    if undo:
        screen.line(f"  undo: {undo}")


def _change(change: ProcedureChange) -> Mapping[str, object]:
    evidence = [{"run": one.run or None, "step": one.step, "quote": one.quote} for one in change.memory.evidence]
    return {
        "id": change.id,
        "path": str(change.path),
        "memory": change.memory.id,
        "title": change.memory.title,
        "because": change.because,
        "diff": change.diff,
        "evidence": evidence,
    }
