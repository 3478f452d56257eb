"""What Claude Code reads by itself and writes down itself."""

from __future__ import annotations

from memlane.agents.notes import NoteFiles

NOTES = NoteFiles(
    in_checkout=("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"),
    nested=("CLAUDE.md",),
    rules=(".claude/rules",),
    skills=(".claude/skills",),
    commands=(".claude/commands",),
    folder=".claude",
    moved_by="CLAUDE_CONFIG_DIR",
    own=("CLAUDE.md",),
    pages="projects/*/memory/*.md",
)
