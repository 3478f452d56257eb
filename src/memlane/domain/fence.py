"""How we know our own words when they come back to us in a transcript.

What Memory Lane injected or printed is marked as ours by every Source and is never a source of anything: otherwise
each recall would be caught again, and a memory would become its own evidence.
"""

from __future__ import annotations

import re
import unicodedata

FENCE = "lane-memory"
WINDOW = "lane-window"  # what an extractor is given to read
_OPENING = re.compile(rf"<(?:{FENCE}|{WINDOW}) nonce=\"[a-z0-9]+\"")
_TAG = re.compile(rf"<(\s*/?\s*)({FENCE}|{WINDOW})", re.IGNORECASE)
_SAFE_CONTROLS = "\n\t"
_LINES = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")  # what some reader takes for the end of a line
_SELECTS = re.compile("[\ufe00-\ufe0d\U000e0100-\U000e01ef]")  # variants of a character: nobody sees what they spell
_TOOL = re.compile(r"^mcp__?(?:plugin_)?(?:lane_)?lane(?:__?|\.)|^lane[-_]")
_BETWEEN_COMMANDS = re.compile(r"[;&|\n]")
_COMMAND = re.compile(r"\s*(?:\w+=\S*\s+)*(?:uvx\s+)?(?:\S*/)?(?:lane|memlane)\s+[a-z]")


def holds_a_brief(text: str) -> bool:
    """Or a window that was handed out to be read."""
    return "<lane-" in text and _OPENING.search(text) is not None


def fenced(text: str, nonce: str, note: str = "") -> str:
    """Whatever we hand to an agent, known as ours by its fence. `text` is escaped here, `note` is our own."""
    said = f' note="{note}"' if note else ""
    return f'<{FENCE} nonce="{nonce}"{said}>\n{escaped(text)}\n</{FENCE} nonce="{nonce}">'


def escaped(text: str) -> str:
    """Text that can neither close a fence, nor open one, nor hide what it says."""
    visible = "".join(c for c in _LINES.sub("\n", text) if c in _SAFE_CONTROLS or not _hidden(c))
    return _TAG.sub(r"&lt;\1\2", visible)


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs") or _SELECTS.match(character) is not None


def is_our_tool(name: str) -> bool:
    """An MCP tool of ours, under any of the names the agents give it."""
    return _TOOL.match(name) is not None


def is_our_command(command: str) -> bool:
    """A shell line that runs `lane`, alone or in a chain. Each part is tried once: a hostile line costs its length."""
    return "lane" in command and any(_COMMAND.match(part) for part in _BETWEEN_COMMANDS.split(command))
