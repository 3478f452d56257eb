"""Who and what are Memories about?"""

from __future__ import annotations

from memlane.app.entities.book import EntityMemories, EntityRow
from memlane.app.entities.edits import Entities
from memlane.app.entities.queue import NameFit, OpenName

__all__ = ["Entities", "EntityMemories", "EntityRow", "NameFit", "OpenName"]
