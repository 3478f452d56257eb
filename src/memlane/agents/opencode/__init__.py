"""OpenCode: one database of sessions, messages and parts, and the folders of files it had before."""

from memlane.agents.opencode.source import OpenCode

__all__ = ["OpenCode"]
