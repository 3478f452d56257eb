"""Who or what is meant? One directory of all Entities, and what a Mention resolves to."""

from memlane.entities.choice import MentionPlace, at_home
from memlane.entities.directory import Directory, combined
from memlane.entities.glance import Glance
from memlane.entities.names import plain, shown, slug_of
from memlane.entities.origins import Pages, from_projects
from memlane.entities.people import name_words, people
from memlane.entities.resolve import resolve
from memlane.entities.scan import TextMention, mentions

__all__ = [
    "Directory",
    "Glance",
    "MentionPlace",
    "Pages",
    "TextMention",
    "at_home",
    "combined",
    "from_projects",
    "mentions",
    "name_words",
    "people",
    "plain",
    "resolve",
    "shown",
    "slug_of",
]
