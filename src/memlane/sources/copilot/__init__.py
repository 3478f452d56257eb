"""Copilot CLI: how its event files, subagents and hooks among them, become Runs."""

from memlane.sources.copilot.source import Copilot

__all__ = ["Copilot"]
