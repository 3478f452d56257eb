"""`lane mem import`: notes that agents keep in files, shown first, taken on a yes. Never writes the files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memlane.domain import Memory, State
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.keyboard import Keyboard
from memlane.surfaces.cli.mem.group import command, told_undo, undo_of
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app.notes import Notebook

EXAMPLES = """
lane mem import
lane mem import ~/code/app
lane mem import --dry-run --json
"""
QUESTION = (
    "You may not have written these.   a: approve all for recall   h: hold for lane mem review   s: skip this file"
    "   q: quit"
)
Chosen = list[tuple["Notebook", State]]


@frame.command("import", of=command, examples=EXAMPLES)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would be imported and change nothing.")
@click.option("--yes", "-y", is_flag=True, help="Import everything: your own files become active, others are held.")
@click.option("--active", is_flag=True, help="With --yes: approve notes from other people's files too.")
def import_(screen: Screen, paths: tuple[Path, ...], dry_run: bool, yes: bool, active: bool) -> None:
    """Import CLAUDE.md, AGENTS.md, MEMORY.md folders and similar: here and in known projects, or from PATHS."""
    with screen.lane() as lane:
        books = lane.memories.notes.plan([Path(os.path.abspath(path.expanduser())) for path in paths])  # noqa: PTH100 - links stay
        if dry_run or (not yes and (screen.json or not any(book.new for book in books))):
            _told(screen, books, [], "", done=False)
            return
        chosen = _all(books, active=active) if yes else _asked(screen, books)
        taken = lane.memories.notes.take(chosen)
    _told(screen, [book for book, _state in chosen], taken.memories, taken.act, done=True)


def _usual(book: Notebook) -> State:
    """What a plain yes means: only the person's own file is their own word."""
    return State.ACTIVE if book.keeper == "you" else State.HELD


def _all(books: Sequence[Notebook], *, active: bool) -> Chosen:
    return [(book, State.ACTIVE if active else _usual(book)) for book in books]


def _asked(screen: Screen, books: Sequence[Notebook]) -> Chosen:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "this terminal cannot answer questions (no TTY)",
            hint="lane mem import --dry-run lists it\nlane mem import --yes imports it; others' notes are held",
        )
    chosen: Chosen = []
    pressing = Keyboard()
    for book in books:
        for line in _drawn(screen, book):
            screen.say(line)
        if book.new:
            screen.say(QUESTION)
        key = pressing.one_of(("a", "h", "s")) if book.new else "h"
        if not key:
            break
        if key != "s":
            chosen.append((book, State.ACTIVE if key == "a" else State.HELD))
    return chosen


def _drawn(screen: Screen, book: Notebook) -> Iterator[str]:
    where = f"{book.place}{f' ({book.project})' if book.project else ''}"
    yield f"{where}: {many(len(book.new), 'new note')}, {len(book.known)} known, written by {book.keeper}"
    for memory in book.new:
        yield f"  {memory.evidence[0].line:>4}  {screen.cut(one_line(memory.title), max(20, screen.columns - 10))}"
    for line in _left(book):
        yield f"        {line}"


def _left(book: Notebook) -> Iterator[str]:
    """What a person should know about what was not taken."""
    if book.trouble:
        yield f"skipped: {book.trouble}"
    for refused in book.refused:
        yield f"line {refused.line} is refused: it looks like a secret ({refused.rule})"
    for memory in book.gone:
        yield f"no longer in the file, still a memory: lane mem forget {memory.id}"


def _told(screen: Screen, books: Sequence[Notebook], made: Sequence[Memory], act: str, *, done: bool) -> None:
    if screen.json:
        taken = {memory.id: memory for memory in made}
        data = [_document(book, taken) for book in books]
        screen.emit("lane.mem.import/1", data, {"done": done, "made": len(made), "undo": undo_of(act)})
        return
    new = [memory for book in books for memory in book.new]
    for book in books:
        if not screen.terminal:
            for memory in book.new:
                screen.record(memory.id, book.place, memory.evidence[0].line, memory.type.value, memory.title)
            for line in _left(book):
                screen.note(f"{book.place}: {line}")
        elif not done:
            for line in _drawn(screen, book):
                screen.line(line)
    screen.remember_list([memory.id for memory in new])
    if done:
        held = sum(memory.state is State.HELD for memory in made)
        screen.say(f"{many(len(made), 'memory', 'memories')} made, {held} of them held.")
        told_undo(screen, act)
    elif not new:
        screen.say("Nothing new in these files." if books else "No such files found.")


def _document(book: Notebook, taken: dict[str, Memory]) -> dict[str, object]:
    new = [taken.get(memory.id, memory) for memory in book.new]
    return {
        "file": str(book.path),
        "place": book.place,
        "keeper": book.keeper,
        "project": book.project,
        "new": [of_memory(memory) for memory in new],
        "known": [memory.id for memory in book.known],
        "refused": [{"rule": refused.rule, "line": refused.line} for refused in book.refused],
        "gone": [memory.id for memory in book.gone],
        "trouble": book.trouble,
    }
