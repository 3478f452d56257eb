"""`lane skills`: what you keep asking for, with evidence; a draft of a skill on request, installed only by you."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen, VerbGroup
from memlane.surfaces.cli.text import ago, iso, many, one_line

if TYPE_CHECKING:
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
