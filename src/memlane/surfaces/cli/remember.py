"""`lane remember`: a note in the person's own words, for the agents to know from the next prompt on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from memlane.domain import SAID, Memory, Occasion, Scope, Type
from memlane.domain.privacy import UNCLOSED
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line
from memlane.surfaces.documents import of_memory


def noting(function: Callable[..., None]) -> Callable[..., None]:
    """What a note may come with."""
    for option in (
        click.option(
            "--cwd",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            default=".",
            help="The project's folder.",
        ),
        click.option(
            "--cue", "cues", multiple=True, metavar="TEXT", help="What you may type when it matters; repeatable."
        ),
        click.option("--always", is_flag=True, help="A standing rule, whatever the task."),
        click.option("--when", default="", metavar="TEXT", help="The situation in which it matters, in one phrase."),
        click.option("--category", default="", metavar="NAME", help="email, task, code, …"),
        click.option("--title", default="", metavar="TEXT", help="Default: its first sentence."),
        click.option("--type", type=click.Choice([t.value for t in Type]), default=SAID.value, show_default=True),
        click.option(
            "--scope", type=click.Choice([s.value for s in Scope]), default=Scope.PROJECT.value, show_default=True
        ),
        click.argument("text", nargs=-1, required=True),
    ):
        function = option(function)
    return function


@frame.command()
@noting
def command(screen: Screen, text: tuple[str, ...], cwd: Path, **given: Any) -> None:
    """Save a note; agents get it when it is relevant. `-` reads it from stdin."""
    noted(screen, "lane.remember/1", text, cwd, given)


def noted(screen: Screen, schema: str, text: tuple[str, ...], cwd: Path, given: Mapping[str, Any]) -> None:
    words = sys.stdin.read() if text == ("-",) else " ".join(text)
    scope, type_ = Scope(given["scope"]), Type(given["type"])
    then = Occasion(given["when"], given["always"], given["cues"])
    began = screen.now
    with screen.lane() as lane:
        memory = lane.memories.remember(
            words,
            cwd.resolve(),
            scope=scope,
            type=type_,
            title=given["title"],
            category=given["category"],
            occasion=then,
        )
    screen.remember_list([memory.id])
    if screen.json:
        screen.emit(schema, of_memory(memory))
    elif screen.terminal:
        _said(screen, memory, known=memory.saved_at < began)
    else:
        screen.record(memory.id, memory.type.value, memory.scope.value, memory.project, memory.title)
    if memory.content != words.strip() and not screen.json:
        screen.note(
            "there is no </private>, so everything after <private> was masked"
            if UNCLOSED in memory.content
            else "part of it looks like a secret and was masked"
        )


def _said(screen: Screen, memory: Memory, *, known: bool) -> None:
    where = memory.project if memory.scope is Scope.PROJECT else memory.scope.value
    said = "Already known in" if known else "Remembered for"
    screen.line(f"{said} {where or 'this folder'}: {screen.cut(one_line(memory.title), screen.columns - 30)}")
    back = f"lane mem show {memory.id}" if known else f"undo: lane undo {memory.id}"
    screen.line(f"{memory.id}   {back}")
