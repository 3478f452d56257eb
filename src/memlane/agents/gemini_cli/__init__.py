"""Gemini CLI: documents rewritten whole (until early 2026) and files of records that patch each other (since)."""

from memlane.agents.gemini_cli.source import GeminiCli

__all__ = ["GeminiCli"]
