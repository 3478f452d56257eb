"""`lane mem merge`: several memories that say the same become one, with all they stood on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command, told_undo, undo_of
from memlane.surfaces.cli.mem.showing import Card, drawn
from memlane.surfaces.cli.text import many, one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memlane.domain import Memory


@frame.command("merge", of=command)
@click.argument("kept")
@click.argument("others", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only show what it would be.")
def merge(screen: Screen, kept: str, others: tuple[str, ...], dry_run: bool) -> None:
    """KEPT stays and has the evidence of all; the OTHERS are replaced by it."""
    names = [screen.meant(name) for name in (kept, *others)]
    with screen.lane() as lane:
        made, replaced = lane.memories.plan_merge(names)
        act = ""
        if not dry_run:
            acted = lane.memories.merge(names)
            made, act = acted.after[0], acted.act
        card = Card(made, lane.memories.spoken(made), replaced)
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
