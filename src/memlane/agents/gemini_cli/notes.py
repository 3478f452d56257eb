"""What Gemini CLI reads by itself."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles

NOTES = NoteFiles(in_checkout=("GEMINI.md",), nested=("GEMINI.md",), folder=".gemini", own=("GEMINI.md",))
