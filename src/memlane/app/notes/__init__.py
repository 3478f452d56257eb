"""What agents already keep in files of their own (CLAUDE.md, AGENTS.md, MEMORY.md folders), read and never written."""

from memlane.app.notes.imports import Notebook, NoteImport, NoteImportReport
from memlane.app.notes.places import NoteKeeper

__all__ = ["NoteImport", "NoteImportReport", "NoteKeeper", "Notebook"]
