"""Copilot CLI: how its event files, subagents and hooks among them, become Runs."""

from memlane.agents.copilot_cli.source import Copilot

__all__ = ["Copilot"]
