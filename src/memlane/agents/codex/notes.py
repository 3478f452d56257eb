"""What Codex reads by itself, and how a Run of it is gone on with."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles, ResumeCommand

NOTES = NoteFiles(
    in_checkout=("AGENTS.md",),
    nested=("AGENTS.md",),
    skills=(".codex/skills",),
    folder=".codex",
    moved_by="CODEX_HOME",
    own=("AGENTS.md",),
)
RESUME = ResumeCommand("codex resume")
