"""`lane entity` and its verbs: list, show, add, rename, merge, split, remove. Each says what undoes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from memlane.domain import Entity
from memlane.errors import BusyError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import ago, iso, many, one_line, wrapped
from memlane.surfaces.documents import Document, of_memory

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.entities import EntityMemories, EntityRow

command = frame.group("People, projects and things in memories: list, add, rename, merge, split, review.", bare="list")


def of_entity(entity: Entity) -> Document:
    return {
        "id": entity.key,
        "type": entity.type,
        "slug": entity.slug,
        "name": entity.name,
        "aliases": entity.aliases,
        "file": entity.file,
        "origin": entity.origin,
    }


def of_about(about: EntityMemories) -> Document:
    return {
        **of_entity(about.entity),
        "merged": about.merged,
        "memories": len(about.memories),
        "last": max((memory.last_observed_at for memory in about.memories), default=None),
    }


def of_listed(one: EntityRow) -> Document:
    return {**of_entity(one.entity), "merged": one.merged, "memories": one.memories, "last": one.last}


def told(
    screen: Screen, verb: str, said: str, entity: Entity, undo: str, meta: Mapping[str, object] | None = None
) -> None:
    """What was done with which one, and what takes it back."""
    if screen.json:
        screen.emit(f"lane.entity.{verb}/1", of_entity(entity), {**(meta or {}), "undo": undo or None})
    elif screen.terminal:
        screen.line(screen.cut(one_line(said), screen.columns))
        if undo:
            screen.line(f"  undo: {undo}")
    else:
        screen.record(entity.key, entity.name, undo)


def quoted(words: str) -> str:
    """As a shell takes it."""
    import shlex

    return shlex.quote(words)


WIDEST = 80
SHOWN = 12  # memories of one, unless more are asked for


@frame.command("list", of=command, lists=True)
@click.option("--type", "type_", default="", metavar="TYPE", help="Only of this type: person, business, project.")
@click.option("--named", is_flag=True, help="Only those with memories.")
@click.option("--limit", type=click.IntRange(min=1), default=None, help="At most this many.")
def list_(screen: Screen, type_: str, named: bool, limit: int | None) -> None:
    """List all: from your folders, from runs, added by hand."""
    with screen.lane() as lane:
        found = [about for about in lane.entities.entities(type_.lower()) if about.memories or not named][:limit]
        broken = lane.entities.broken
    screen.remember_list([about.entity.key for about in found])
    meta = {"entities": len(found), "passed_over": [{"what": path, "why": why} for path, why in broken.items()]}
    screen.listing("lane.entity.list/1", found, of_listed, _columns(screen, found), meta)
    if screen.json or screen.form.asked:
        return
    for path, why in broken.items():
        screen.note(f"skipped: {path} ({why})")
    if not found:
        screen.say('None yet. Add folders of pages: lane config set entities.folders "person=~/people"')


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
    """Show one: its names, where it comes from, the memories about it."""
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
    origin = {"run": "named in runs", "folder": entity.file, "hand": "added by hand"}.get(entity.origin, entity.origin)
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


EXAMPLES_OF_SPLIT = """
lane entity split person:stone-mark --name "Mark Young" --memory m_41c9
lane entity split business:indy-hall --alias indyhall --name "Indyhall, the app"
lane entity split person:reyes-mark        (undoes an earlier merge)
"""


@frame.command("add", of=command)
@click.argument("name")
@click.option("--type", "type_", default="person", metavar="TYPE", show_default=True, help="What it is, in one word.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="Another name for it; repeatable.")
@click.option("--slug", default="", metavar="SLUG", help="Its slug, if not the one made from its name.")
def add(screen: Screen, name: str, type_: str, aliases: tuple[str, ...], slug: str) -> None:
    """Add a person, project or thing that memories can be about."""
    with screen.lane() as lane:
        made = lane.entities.add(name, type_, aliases, slug)
        _link(screen, lane)
    told(screen, "add", f"Added: {made.name} ({made.key})", made, f"lane entity remove {made.key}")


def _link(screen: Screen, lane: Lane) -> None:
    """Memories that name it already. Whoever writes right now is not disturbed: the next tick looks again."""
    with suppress(BusyError):
        if (report := lane.entities.look()).memories:
            linked = many(report.memories, "memory names", "memories name")
            screen.note(f"{linked} what is known now; undo the links: lane undo {report.acts[0]}")


@frame.command("rename", of=command)
@click.argument("entity")
@click.argument("name")
def rename(screen: Screen, entity: str, name: str) -> None:
    """Rename it to NAME. The old name still works and the slug stays."""
    with screen.lane() as lane:
        before, after = lane.entities.rename(screen.meant(entity), name)
        _link(screen, lane)
    undo = f"lane entity rename {after.key} {quoted(before.name)}" if after != before else ""
    told(screen, "rename", f"{before.name} is now {after.name} ({after.key})", after, undo, {"before": before.name})


@frame.command("merge", of=command)
@click.argument("entity")
@click.argument("into")
@click.option("--anyway", is_flag=True, help="Allow different types.")
def merge(screen: Screen, entity: str, into: str, anyway: bool) -> None:
    """Merge ENTITY into INTO, with all its memories."""
    with screen.lane() as lane:
        one, other = lane.entities.merge(screen.meant(entity), screen.meant(into), anyway=anyway)
    said = f"Merged: {one.name} ({one.key}) into {other.name} ({other.key})"
    told(screen, "merge", said, other, f"lane entity split {one.key}", {"merged": one.key})


@frame.command("split", of=command, examples=EXAMPLES_OF_SPLIT)
@click.argument("entity")
@click.option("--name", default="", metavar="NAME", help="Name of the new one.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="A name to move to it; repeatable.")
@click.option("--memory", "memories", multiple=True, metavar="MEMORY", help="A memory to move to it; repeatable.")
def split(screen: Screen, entity: str, name: str, aliases: tuple[str, ...], memories: tuple[str, ...]) -> None:
    """Split a new one off, with names and memories; or undo a merge."""
    given = screen.meant(entity)
    with screen.lane() as lane:
        if not (name or aliases or memories):
            apart, into = lane.entities.unmerge(given)
            undo = f"lane entity merge {apart.key} {into}"
            told(screen, "split", f"Separate again: {apart.name} ({apart.key})", apart, undo, {"from": into})
            return
        if not (called := name or next(iter(aliases), "")):
            raise UsageError("the new one needs a name", hint=f'lane entity split {entity} --name "Mark Young"')
        old = lane.entities.entity(given)
        made = lane.entities.split(old.key, called, aliases, [screen.meant(memory) for memory in memories])
    said = f"Split: {made.name} ({made.key}) out of {old.name} ({old.key})"
    told(screen, "split", said, made, f"lane entity merge {made.key} {old.key}", {"from": old.key})


@frame.command("remove", of=command)
@click.argument("entity")
def remove(screen: Screen, entity: str) -> None:
    """Remove it; memories about it stay."""
    with screen.lane() as lane:
        gone = lane.entities.remove(screen.meant(entity))
    aliases = "".join(f" --alias {quoted(alias)}" for alias in gone.aliases)
    undo = f"lane entity add {quoted(gone.name)} --type {gone.type} --slug {gone.slug}{aliases}"
    told(screen, "remove", f"Removed: {gone.name} ({gone.key})", gone, undo)
