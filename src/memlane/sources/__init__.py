"""Where do Runs come from? One file (or folder) per agent; the list below is the whole registry."""

from __future__ import annotations

from memlane.sources.claude_code import ClaudeCode
from memlane.sources.codex import Codex
from memlane.sources.gemini import GeminiCli
from memlane.sources.lines import Lines
from memlane.sources.source import (
    Collection,
    Container,
    Document,
    Importable,
    Line,
    Peek,
    Reading,
    SideFile,
    Source,
    Surroundings,
    Transcript,
    Unread,
)

SOURCES: tuple[Source, ...] = (ClaudeCode(), Codex(), GeminiCli())

__all__ = [
    "SOURCES",
    "Collection",
    "Container",
    "Document",
    "Importable",
    "Line",
    "Lines",
    "Peek",
    "Reading",
    "SideFile",
    "Source",
    "Surroundings",
    "Transcript",
    "Unread",
]
