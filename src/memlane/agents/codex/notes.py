"""What Codex reads by itself."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles

NOTES = NoteFiles(
    in_checkout=("AGENTS.md",),
    nested=("AGENTS.md",),
    skills=(".codex/skills",),
    commands=(".codex/prompts",),
    folder=".codex",
    moved_by="CODEX_HOME",
    own=("AGENTS.md",),
)
