"""Codex: command line, desktop app, IDE extension and `exec`. How its rollout files become Runs."""

from memlane.agents.codex.source import Codex

__all__ = ["Codex"]
