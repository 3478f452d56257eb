"""Claude Code: transcripts of the command line, the desktop app, the editor extensions and the SDK."""

from __future__ import annotations

from memlane.agents.claude_code.source import ClaudeCode

__all__ = ["ClaudeCode"]
