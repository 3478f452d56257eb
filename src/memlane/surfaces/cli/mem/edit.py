"""`lane mem edit`, `add` and `merge`: what a memory says. Text typed in an editor is never lost."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import Memory, Scope, Type
from memlane.errors import LaneError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.card import MemoryCard, drawn
from memlane.surfaces.cli.mem.group import command, told_undo, undo_of
from memlane.surfaces.cli.remember import noted, noting
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_memory
from memlane.system.disk import private_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlane.app import Lane
    from memlane.app.memories import ActEffect
    from memlane.domain import Memory

EXAMPLES = """
lane mem edit m_41c9
lane mem edit 1 --title "Add new packages to the COPY list" --confidence 95
lane mem edit m_41c9 --project ~/code/api --scope project
"""


@frame.command("edit", of=command, examples=EXAMPLES)
@click.argument("memory")
@click.option("--title", default=None, metavar="TEXT")
@click.option("--content", default=None, metavar="TEXT", help="What it says; - reads it from stdin.")
@click.option("--type", type=click.Choice([t.value for t in Type]), default=None)
@click.option("--scope", type=click.Choice([s.value for s in Scope]), default=None)
@click.option("--project", default=None, metavar="NAME", help="A project by name or folder; . is the current one.")
@click.option("--category", default=None, metavar="NAME", help="email, task, code, …")
@click.option("--confidence", type=click.IntRange(0, 100), default=None, metavar="N")
@click.option("--agents", default=None, metavar="A,B", help='Only for these agents; "" for all.')
@click.option("--when", default=None, metavar="TEXT", help="The situation in which it matters, in one phrase.")
@click.option("--cue", "cues", multiple=True, metavar="TEXT", help='Its cues from now on; repeatable; "" for none.')
def edit(screen: Screen, memory: str, **given: Any) -> None:
    """Edit a memory with options, or in $EDITOR without any."""
    wanted = _wanted(given)
    if wanted.get("content") == "-":
        wanted["content"] = sys.stdin.read()
    with screen.lane() as lane:
        found = lane.memories.get(screen.meant(memory))
        acted = lane.memories.edit(found.id, wanted) if wanted else in_editor(screen, lane, found)
    after = acted.after[0]
    if screen.json:
        screen.emit("lane.mem.edit/1", of_memory(after), {"changed": bool(acted.act), "undo": undo_of(acted.act)})
    elif screen.terminal:
        name = "Changed" if acted.act else "Not changed"
        screen.line(f"{name}: {screen.cut(one_line(after.title), screen.columns - len(name) - 2)}")
        told_undo(screen, acted.act)
    else:
        screen.record(after.id, after.state.value, after.title)
    _masked(screen, wanted, after)


def _wanted(given: Mapping[str, Any]) -> dict[str, str]:
    """The fields somebody named, as the form writes them."""
    wanted = {name: str(value) for name, value in given.items() if value is not None and name != "cues"}
    return {**wanted, "cues": "\n".join(given["cues"])} if given["cues"] else wanted


def _masked(screen: Screen, wanted: Mapping[str, str], after: Memory) -> None:
    if "content" in wanted and wanted["content"].strip() != after.content and not screen.json:
        screen.note("part of it looks like a secret and was masked")


def in_editor(screen: Screen, lane: Lane, memory: Memory) -> ActEffect:
    """Until the form is right or the person gives up; then their text stays in its file."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("there is no terminal to edit in", hint="say what to change: --title, --content, --type, …")
    file, text = lane.memories.kept_text(memory.id), lane.memories.form(memory)
    while True:
        text = _through_editor(screen, file, text)
        wanted, wrong = lane.memories.filled_in(memory, text)
        if not wrong:
            break
        for what in wrong:
            screen.say(f"wrong: {what}")
        if not click.confirm("Edit it again?", default=True, err=True):
            raise UsageError("nothing was changed", hint=_kept(file, memory))
        text = lane.memories.corrected(memory, text, wrong)
    try:
        acted = lane.memories.edit(memory.id, wanted)
    except LaneError as error:
        raise type(error)(error.message, hint=f"{error.hint}\n{_kept(file, memory)}".strip()) from error
    file.unlink(missing_ok=True)
    return acted


def _kept(file: Path, memory: Memory) -> str:
    return f"your text is saved in {file}; lane mem edit {memory.id} reopens it"


def _through_editor(screen: Screen, file: Path, text: str) -> str:
    variables = screen.config.variables
    program = variables.get("VISUAL") or variables.get("EDITOR") or "vi"
    private_folder(file.parent)
    file.touch(0o600)
    file.write_text(text)
    done = subprocess.run(f"{program} {shlex.quote(str(file))}", shell=True, check=False)  # as git does
    if done.returncode:
        raise UsageError(f"{program} ended with {done.returncode}", hint=f"your text is in {file}; or set $EDITOR")
    return file.read_text(errors="replace")


@frame.command("add", of=command)
@noting
def add(screen: Screen, text: tuple[str, ...], cwd: Path, **given: Any) -> None:
    """Add a note, like `lane remember`. `-` reads it from stdin."""
    noted(screen, "lane.mem.add/1", text, cwd, given)


@frame.command("merge", of=command)
@click.argument("kept")
@click.argument("others", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Show the result and change nothing.")
def merge(screen: Screen, kept: str, others: tuple[str, ...], dry_run: bool) -> None:
    """Merge OTHERS into KEPT, with all their evidence."""
    names = [screen.meant(name) for name in (kept, *others)]
    with screen.lane() as lane:
        made, replaced = lane.memories.plan_merge(names)
        act = ""
        if not dry_run:
            acted = lane.memories.merge(names)
            made, act = acted.after[0], acted.act
        card = MemoryCard(made, lane.memories.spoken(made), replaced)
    if screen.json:
        meta = {"replaces": [memory.id for memory in replaced], "done": not dry_run, "undo": undo_of(act)}
        screen.emit("lane.mem.merge/1", of_memory(made), meta)
    elif screen.terminal:
        for line in drawn(screen, card):
            screen.line(line)
        screen.line()
        screen.line(f"{'Would replace' if dry_run else 'Replaces'} {_named(replaced)}.")
        told_undo(screen, act)
    else:
        screen.record(made.id, made.state.value, made.title)
        for memory in replaced:
            screen.record(memory.id, "superseded" if act else memory.state.value, memory.title)


def _named(memories: Sequence[Memory]) -> str:
    if len(memories) == 1:
        return f'{memories[0].id} "{one_line(memories[0].title)}"'
    return f"{many(len(memories), 'memory', 'memories')}: {', '.join(memory.id for memory in memories)}"
