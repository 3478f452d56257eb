"""`lane entity list` and `show`: the entities there are, and one of them with its names and memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.entity.group import command, of_about, of_listed
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import ago, iso, many, one_line, wrapped
from memlane.surfaces.documents import of_memory

if TYPE_CHECKING:
    from memlane.app.entities import EntityMemories, EntityRow

WIDEST = 80
SHOWN = 12  # memories of one, unless more are asked for


@frame.command("list", of=command, lists=True)
@click.option("--type", "type_", default="", metavar="TYPE", help="Only of this type: person, business, project.")
@click.option("--named", is_flag=True, help="Only those some memory is about.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def list_(screen: Screen, type_: str, named: bool, limit: int | None) -> None:
    """All there are: from your folders, from runs, made by hand."""
    with screen.lane() as lane:
        found = [about for about in lane.entities.entities(type_.lower()) if about.memories or not named][:limit]
        broken = lane.entities.broken
    screen.remember_list([about.entity.key for about in found])
    meta = {"entities": len(found), "passed_over": [{"what": path, "why": why} for path, why in broken.items()]}
    screen.listing("lane.entity.list/1", found, of_listed, _columns(screen, found), meta)
    if screen.json or screen.form.asked:
        return
    for path, why in broken.items():
        screen.note(f"passed over: {path} ({why})")
    if not found:
        screen.say('Nobody yet. Folders of pages: lane config set entities.folders "person=~/people"')


def _columns(screen: Screen, found: Sequence[EntityRow]) -> list[Column]:
    numbers = {about.entity.key: str(n) for n, about in enumerate(found, 1)}

    def names(about: EntityRow) -> str:
        return ", ".join((about.entity.name, *about.entity.aliases))

    return [
        Column(lambda a: numbers[a.entity.key], None, "dim", right=True),
        Column(lambda a: a.entity.type, lambda a: a.entity.type, "cyan", most=14),
        Column(None, lambda a: a.entity.key),
        Column(names, lambda a: a.entity.name, stretch=True),
        Column(lambda a: many(a.memories, "memory", "memories"), lambda a: str(a.memories), right=True),
        Column(lambda a: ago(a.last, screen.now), lambda a: iso(a.last), right=True, from_width=60),
        Column(lambda a: a.entity.slug, None, "dim", from_width=90, most=30),
    ]


@frame.command("show", of=command)
@click.argument("entity")
@click.option("--all", "every", is_flag=True, help="Every memory about it.")
def show(screen: Screen, entity: str, every: bool) -> None:
    """One of them: its names, where it is from, the memories about it."""
    with screen.lane() as lane:
        about = lane.entities.about(screen.meant(entity))
    if screen.json:
        shown = about.memories if every else about.memories[:SHOWN]
        document = {**of_about(about), "newest": [of_memory(memory) for memory in shown]}
        screen.emit("lane.entity.show/1", document)
        return
    for line in _card(screen, about, None if every else SHOWN):
        screen.line(line)


def _card(screen: Screen, about: EntityMemories, most: int | None) -> Iterator[str]:
    room, entity = (min(screen.columns, WIDEST) if screen.terminal else WIDEST), about.entity
    yield f"{screen.styled(one_line(entity.name), 'bold')}   {entity.type}   {entity.key}"
    origin = {"run": "runs name it", "folder": entity.file, "hand": "made by hand"}.get(entity.origin, entity.origin)
    facts = [
        ("Also called", ", ".join(entity.aliases)),
        ("From", origin),
        ("Merged", ", ".join(about.merged)),
        ("Memories", str(len(about.memories)) if about.memories else "none yet"),
    ]
    for name, what in facts:
        for n, line in enumerate(wrapped(one_line(what), room - 14) if what else ()):
            yield f"{name if n == 0 else '':<14}{line}"
    if about.memories:
        yield ""
    for memory in about.memories[:most]:
        yield screen.cut(f"{memory.id[:6]}  {memory.type.value:<13}  {one_line(memory.title)}", room)
    if most is not None and len(about.memories) > most:
        yield f"{len(about.memories) - most} more: lane entity show {entity.key} --all"
