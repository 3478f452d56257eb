"""Entities that Runs bring along: their projects. Nobody named them, so they count for less than what somebody did."""

from __future__ import annotations

from collections.abc import Iterable

from memlane.domain import Entity, Project
from memlane.entities.names import plain, shown, slug_of

PROJECT = "project"


def from_projects(projects: Iterable[Project]) -> list[Entity]:
    """Oldest first: of two with the same last name the older keeps the short slug, so that it never moves."""
    made: dict[str, Entity] = {}
    for project in dict.fromkeys(projects):
        name = shown(project.name)
        short = name.rstrip("/\\").replace("\\", "/").rpartition("/")[2]
        if not plain(short):
            continue
        slug = slug_of(short, PROJECT)
        if slug in made and name != short:
            slug = slug_of(name, PROJECT)
        if slug not in made:
            aliases = (short,) if short != name else ()
            made[slug] = Entity(PROJECT, slug, name, aliases, origin="run")
    return list(made.values())
