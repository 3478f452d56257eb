"""What Cursor reads by itself."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles

NOTES = NoteFiles(in_checkout=(".cursorrules",), rules=(".cursor/rules",), commands=(".cursor/commands",))
