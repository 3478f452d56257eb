"""The noun itself, how an entity is written for programs, and how an act on one is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memlane.domain import Entity
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import one_line
from memlane.surfaces.documents import Document

if TYPE_CHECKING:
    from memlane.app.entities import EntityMemories, EntityRow

command = frame.group("Who and what memories are about: see, add, rename, merge, split, review.")


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
