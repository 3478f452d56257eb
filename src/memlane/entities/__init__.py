"""Who or what is meant? One directory of all Entities, and what a Mention resolves to."""

from memlane.entities.choose import Where, at_home
from memlane.entities.directory import Directory, combined
from memlane.entities.found import from_projects
from memlane.entities.names import plain, shown, slug_of
from memlane.entities.pages import Pages
from memlane.entities.resolve import resolve
from memlane.entities.scan import Named, mentions

__all__ = [
    "Directory",
    "Named",
    "Pages",
    "Where",
    "at_home",
    "combined",
    "from_projects",
    "mentions",
    "plain",
    "resolve",
    "shown",
    "slug_of",
]
