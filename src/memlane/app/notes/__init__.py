"""The agents' own notes (CLAUDE.md, AGENTS.md, MEMORY.md folders). They are read, never written."""

from memlane.app.notes.imports import Notebook, NoteImport, NoteImportReport
from memlane.app.notes.places import NoteKeeper

__all__ = ["NoteImport", "NoteImportReport", "NoteKeeper", "Notebook"]
