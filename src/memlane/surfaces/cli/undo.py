"""`lane undo`: the last act by hand taken back, whatever it was; the undo of an undo does it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from memlane.domain import State
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import ago, iso, one_line
from memlane.surfaces.phrases import about, said

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.acts import Act, UndoEffect

EXAMPLES = """
lane undo
lane undo --list
lane undo 3
lane undo m_41c9
"""


@frame.command(lists=True, examples=EXAMPLES)
@click.argument("which", required=False, default="")
@click.option("--dry-run", is_flag=True, help="Show what would be undone and do nothing.")
@click.option("--list", "list_", is_flag=True, help="List what you, dreams, agents and Lane did, newest first.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="At most this many.")
def command(screen: Screen, which: str, list_: bool, limit: int, dry_run: bool) -> None:
    """Undo your last change, or the one you name: a line of `lane undo --list`, a dream, a memory or run.

    Without a name it never undoes what `lane init`, a dream or an agent did, nor what Lane joined or linked.
    """
    with screen.lane() as lane:
        if list_:
            _listed(screen, lane.acts.all()[:limit], _titles(lane))
            return
        titles = _titles(lane)
        if dry_run:
            _would_undo(screen, lane.acts.get(screen.meant(which)), titles)
            return
        undone = _taken_back(lane, screen.meant(which))
    redo = f"lane undo {undone.by}"
    if screen.json:
        meta = {"names": undone.names, "left": undone.left, "undo": redo}
        screen.emit("lane.undo/1", [document(undone.act)], meta)
    elif screen.terminal:
        screen.line(screen.cut(f"Undone: {_titled(undone.act, titles)}", screen.columns))
        screen.line(f"  redo: {redo}")
    else:
        screen.record(undone.act.id, undone.by, *undone.names)
    if undone.left:
        screen.note(f"{', '.join(undone.left)} changed since and was left unchanged")


def _would_undo(screen: Screen, act: Act, titles: Mapping[str, str]) -> None:
    if screen.json:
        screen.emit("lane.undo/1", [document(act)], {"names": [], "left": [], "undo": None})
    elif screen.terminal:
        screen.line(screen.cut(f"Would undo: {_titled(act, titles)}", screen.columns))
        screen.line(f"  {ago(act.at, screen.now)}; to do it: lane undo {act.id}")
    else:
        screen.record(act.id, said(act), *act.names)


def _taken_back(lane: Lane, which: str) -> UndoEffect:
    """Of a dream that did much, only what it did with the memory that was named."""
    act = lane.acts.get(which)
    return lane.dream.undo(act.dream, which) if act.dream and which.startswith("m_") else lane.acts.undo(act)


def _titles(lane: Lane) -> Mapping[str, str]:
    return {memory.id: memory.title for memory in lane.memories.all(list(State))}


def _titled(act: Act, titles: Mapping[str, str]) -> str:
    """For a person: what it says, not what it is called."""
    text = said(act)
    for name in (*act.names, *about(act)):
        if title := titles.get(name):
            text = text.replace(name, f'"{one_line(title)}"')
    return text


def _listed(screen: Screen, acts: Sequence[Act], titles: Mapping[str, str]) -> None:
    screen.remember_list([act.id for act in acts])
    numbers = {act.id: str(n) for n, act in enumerate(acts, 1)}
    columns = [
        Column(lambda a: numbers[a.id], None, "dim", right=True),
        Column(lambda a: a.id[:6], lambda a: a.id),
        Column(lambda a: ago(a.at, screen.now), lambda a: iso(a.at), right=True),
        Column(lambda a: "undone" if a.undone else "", lambda a: "undone" if a.undone else "done"),
        Column(lambda a: _titled(a, titles), said, stretch=True),
    ]
    screen.listing("lane.undo/1", acts, document, columns, {"names": [], "left": [], "undo": None})
    if not acts and not screen.json:
        screen.say("Nothing to undo yet.")


def _actor(act: Act) -> str:
    if act.dream or act.of_init:
        return "dream" if act.dream else "init"
    if act.ours:
        return "lane"
    return f"agent:{act.agent}" if act.agent else "person"


def document(act: Act) -> dict[str, object]:
    return {
        "id": act.id,
        "at": act.at,
        "machine": act.machine,
        "actor": _actor(act),
        "what": said(act),
        "names": act.names,
        "undone": act.undone,
        "undo": None if act.undone else f"lane undo {act.id}",
    }
