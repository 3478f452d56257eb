"""`lane entity add`, `rename`, `merge`, `split`, `remove`: each says what takes it back."""

from __future__ import annotations

import click

from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.entity.group import command, quoted, told
from memlane.surfaces.cli.frame import Screen

EXAMPLES_OF_SPLIT = """
lane entity split person:stone-mark --name "Mark Young" --memory m_41c9
lane entity split business:indy-hall --alias indyhall --name "Indyhall, the app"
lane entity split person:reyes-mark        (merged before: of its own again)
"""


@frame.command("add", of=command)
@click.argument("name")
@click.option("--type", "type_", default="person", metavar="TYPE", show_default=True, help="What it is, in one word.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="Also called this; may be given again.")
@click.option("--slug", default="", metavar="SLUG", help="Its short name, if not the one made from its name.")
def add(screen: Screen, name: str, type_: str, aliases: tuple[str, ...], slug: str) -> None:
    """Make one by hand: somebody or something that memories may be about."""
    with screen.lane() as lane:
        made = lane.entities.add(name, type_, aliases, slug)
    told(screen, "add", f"Added: {made.name} ({made.key})", made, f"lane entity remove {made.key}")


@frame.command("rename", of=command)
@click.argument("entity")
@click.argument("name")
def rename(screen: Screen, entity: str, name: str) -> None:
    """Call it NAME from now on; the old name still means it, its slug stays."""
    with screen.lane() as lane:
        before, after = lane.entities.rename(screen.meant(entity), name)
    undo = f"lane entity rename {after.key} {quoted(before.name)}" if after != before else ""
    told(screen, "rename", f"{before.name} is {after.name} now ({after.key})", after, undo, {"before": before.name})


@frame.command("merge", of=command)
@click.argument("entity")
@click.argument("into")
@click.option("--anyway", is_flag=True, help="Also when the two are of different types.")
def merge(screen: Screen, entity: str, into: str, anyway: bool) -> None:
    """The two are one: all about ENTITY is about INTO from now on."""
    with screen.lane() as lane:
        one, other = lane.entities.merge(screen.meant(entity), screen.meant(into), anyway=anyway)
    said = f"Merged: {one.name} ({one.key}) into {other.name} ({other.key})"
    told(screen, "merge", said, other, f"lane entity split {one.key}", {"merged": one.key})


@frame.command("split", of=command, examples=EXAMPLES_OF_SPLIT)
@click.argument("entity")
@click.option("--name", default="", metavar="NAME", help="What the new one is called.")
@click.option("--alias", "aliases", multiple=True, metavar="NAME", help="A name it takes along; may be given again.")
@click.option("--memory", "memories", multiple=True, metavar="MEMORY", help="A memory it takes along.")
def split(screen: Screen, entity: str, name: str, aliases: tuple[str, ...], memories: tuple[str, ...]) -> None:
    """Take a new one out of it, with names and memories; or take a merge apart."""
    given = screen.meant(entity)
    with screen.lane() as lane:
        if not (name or aliases or memories):
            apart, into = lane.entities.unmerge(given)
            undo = f"lane entity merge {apart.key} {into}"
            told(screen, "split", f"Of its own again: {apart.name} ({apart.key})", apart, undo, {"from": into})
            return
        if not (called := name or next(iter(aliases), "")):
            raise UsageError("what is the new one called?", hint=f'lane entity split {entity} --name "Mark Young"')
        old = lane.entities.entity(given)
        made = lane.entities.split(old.key, called, aliases, [screen.meant(memory) for memory in memories])
    said = f"Split: {made.name} ({made.key}) out of {old.name} ({old.key})"
    told(screen, "split", said, made, f"lane entity merge {made.key} {old.key}", {"from": old.key})


@frame.command("remove", of=command)
@click.argument("entity")
def remove(screen: Screen, entity: str) -> None:
    """Not known any more; memories about it stay as they are."""
    with screen.lane() as lane:
        gone = lane.entities.remove(screen.meant(entity))
    aliases = "".join(f" --alias {quoted(alias)}" for alias in gone.aliases)
    undo = f"lane entity add {quoted(gone.name)} --type {gone.type} --slug {gone.slug}{aliases}"
    told(screen, "remove", f"Removed: {gone.name} ({gone.key})", gone, undo)
