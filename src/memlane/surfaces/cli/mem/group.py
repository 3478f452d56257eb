"""The noun itself, and how an act by hand is told: what it did, and what takes it back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.memories import ActEffect

command = frame.group("The memories there are: see, correct, review, take out, take back.")


def persons_word(lane: Lane, verb: str, names: Sequence[str]) -> None:
    """What lifts a memory, or takes it away for good, only its person says: not an agent in its own shell."""
    if lane.home.agent:
        raise UsageError(
            f"this is {lane.home.agent}'s shell, and only you say so",
            hint=f"in a terminal of your own: lane mem {verb} {' '.join(names)}",
        )


def undo_of(act: str) -> str | None:
    return f"lane undo {act}" if act else None


def told(screen: Screen, schema: str, acted: ActEffect, done: str, meta: Mapping[str, object] | None = None) -> None:
    """Several memories, each with what became of it."""
    if screen.json:
        documents = [of_memory(memory) for memory in acted.after]
        screen.emit(schema, documents, {**(meta or {}), "undo": undo_of(acted.act)})
        return
    for before, after in zip(acted.before, acted.after, strict=True):
        if not screen.terminal:
            screen.record(after.id, after.state.value, after.title)
            continue
        name = done if before != after else f"Already {after.state.value}"
        screen.line(f"{name}: {screen.cut(one_line(after.title), screen.columns - len(name) - 2)}")
    told_undo(screen, acted.act)


def told_undo(screen: Screen, act: str) -> None:
    if act and screen.terminal and not screen.json:
        screen.line(f"  undo: lane undo {act}")
