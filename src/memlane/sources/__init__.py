"""Where do Runs come from? One file (or folder) per agent; the list below is the whole registry."""

from __future__ import annotations

from memlane.sources.chatgpt import CHATGPT
from memlane.sources.claude_ai import CLAUDE_AI
from memlane.sources.claude_code import ClaudeCode
from memlane.sources.claude_history import ClaudeHistory
from memlane.sources.codex import Codex
from memlane.sources.copilot import Copilot
from memlane.sources.cursor import Cursor
from memlane.sources.gemini import GeminiCli
from memlane.sources.guard import BrokenSourceError, guarded
from memlane.sources.huggingchat import HUGGINGCHAT
from memlane.sources.lines import BEGINNING, Lines, Place
from memlane.sources.neutral import Neutral
from memlane.sources.opencode import OpenCode
from memlane.sources.pausing import Paused, put_down, taken_up
from memlane.sources.pi import Pi
from memlane.sources.source import (
    Collection,
    Container,
    Document,
    Importable,
    Line,
    Peek,
    Reading,
    Resumable,
    SideFile,
    Source,
    Surroundings,
    Transcript,
    Unread,
)

SOURCES: tuple[Source, ...] = (
    ClaudeCode(),
    Codex(),
    Copilot(),
    Pi(),
    GeminiCli(),
    OpenCode(),
    Cursor(),
    CHATGPT,
    CLAUDE_AI,
    HUGGINGCHAT,
    Neutral(),
    ClaudeHistory(),
)

__all__ = [
    "BEGINNING",
    "SOURCES",
    "BrokenSourceError",
    "Collection",
    "Container",
    "Document",
    "Importable",
    "Line",
    "Lines",
    "Paused",
    "Peek",
    "Place",
    "Reading",
    "Resumable",
    "SideFile",
    "Source",
    "Surroundings",
    "Transcript",
    "Unread",
    "guarded",
    "put_down",
    "taken_up",
]
