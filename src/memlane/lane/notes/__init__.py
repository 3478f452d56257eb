"""What agents already keep in files of their own (CLAUDE.md, AGENTS.md, MEMORY.md folders), read and never written."""

from memlane.lane.notes.places import Keeper
from memlane.lane.notes.taking import Notebook, Noting, Taken

__all__ = ["Keeper", "Notebook", "Noting", "Taken"]
