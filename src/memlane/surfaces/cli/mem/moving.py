"""`lane mem pause | resume | restore`: where a memory stands, changed by a person."""

from __future__ import annotations

import click

from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command, persons_word, told


@frame.command("pause", of=command)
@click.argument("memories", nargs=-1, required=True)
def pause(screen: Screen, memories: tuple[str, ...]) -> None:
    """Keep it, and tell it to nobody until it is resumed."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        acted = lane.memories.pause(names)
    told(screen, "lane.mem.pause/1", acted, "Paused")


@frame.command("resume", of=command)
@click.argument("memories", nargs=-1, required=True)
def resume(screen: Screen, memories: tuple[str, ...]) -> None:
    """End a pause: it stands where it stood before."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "resume", names)
        acted = lane.memories.resume(names)
    told(screen, "lane.mem.resume/1", acted, "Resumed")


@frame.command("restore", of=command)
@click.argument("memories", nargs=-1, required=True)
def restore(screen: Screen, memories: tuple[str, ...]) -> None:
    """Bring a forgotten memory back, or one that was replaced or retired."""
    names = [screen.meant(name) for name in memories]
    with screen.lane() as lane:
        persons_word(lane, "restore", names)
        acted = lane.memories.restore(names)
    told(screen, "lane.mem.restore/1", acted, "Restored")
