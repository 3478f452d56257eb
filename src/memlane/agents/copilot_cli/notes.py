"""What Copilot CLI reads by itself."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles

NOTES = NoteFiles(in_checkout=(".github/copilot-instructions.md",))
