"""The prompts of Claude Code runs whose transcripts are gone, from its `history.jsonl`."""

from memlane.sources.claude_history.source import AGENT, UNNAMED, ClaudeHistory

__all__ = ["AGENT", "UNNAMED", "ClaudeHistory"]
