"""How we know our own words when they come back to us in a transcript.

What Memory Lane injected or printed is marked as ours by every Source and is never a source of anything: otherwise
each recall would be caught again, and a memory would become its own evidence. `door` writes the fence.
"""

from __future__ import annotations

import re

FENCE = "lane-memory"
WINDOW = "lane-window"  # what an extractor is given to read
_OPENING = re.compile(rf"(?:<|&lt;)(?:{FENCE}|{WINDOW}) nonce=\"[a-z0-9]+\"")  # some agents write it as HTML would
_TOOL = re.compile(r"^mcp__?(?:plugin_)?(?:lane_)?lane(?:__?|\.)|^lane[-_]")
_BETWEEN_COMMANDS = re.compile(r"[;&|\n]")
_COMMAND = re.compile(r"\s*(?:\w+=\S*\s+)*(?:uvx\s+)?(?:\S*/)?(?:lane|memlane)\s+[a-z]")


def holds_a_brief(text: str) -> bool:
    """Or a window that was handed out to be read."""
    return "lane-" in text and _OPENING.search(text) is not None


def is_our_tool(name: str) -> bool:
    """An MCP tool of ours, under any of the names the agents give it."""
    return _TOOL.match(name) is not None


def is_our_command(command: str) -> bool:
    """A shell line that runs `lane`, alone or in a chain. Each part is tried once: a hostile line costs its length."""
    return "lane" in command and any(_COMMAND.match(part) for part in _BETWEEN_COMMANDS.split(command))
