"""`lane remember`: a note in the person's own words, for the agents to know from the next prompt on."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from memlane.domain import Scope, Type
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.documents import of_memory
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line


@frame.command()
@click.argument("text", nargs=-1, required=True)
@click.option("--scope", type=click.Choice([s.value for s in Scope]), default=Scope.PROJECT.value, show_default=True)
@click.option(
    "--type", "type_", type=click.Choice([t.value for t in Type]), default=Type.COMMITMENT.value, show_default=True
)
@click.option(
    "--cwd", type=click.Path(path_type=Path, file_okay=False, exists=True), default=".", help="Whose project."
)
def command(screen: Screen, text: tuple[str, ...], scope: str, type_: str, cwd: Path) -> None:
    """A note in your own words; agents are told when it fits. `-` reads it from stdin."""
    words = sys.stdin.read() if text == ("-",) else " ".join(text)
    with screen.lane() as lane:
        memory = lane.remembering.remember(words, cwd.resolve(), scope=Scope(scope), type=Type(type_))
    screen.remember_list([memory.id])
    if screen.json:
        screen.emit("lane.remember/1", of_memory(memory))
    elif screen.terminal:
        where = memory.project if memory.scope is Scope.PROJECT else memory.scope.value
        screen.line(
            f"Remembered for {where or 'this folder'}: {screen.cut(one_line(memory.title), screen.columns - 30)}"
        )
        screen.line(f"{memory.id}   take it back: lane mem forget {memory.id}")
    else:
        screen.record(memory.id, memory.type.value, memory.scope.value, memory.project, memory.title)
    if memory.content != words.strip() and not screen.json:
        screen.note("something in it looks like a secret and was masked")
