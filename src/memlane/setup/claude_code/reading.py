"""What Claude Code's settings say: whether our hooks are in them, and what else a person should know."""

from __future__ import annotations

import re
from typing import cast

from memlane.setup import files, json_text, plugin, settings
from memlane.setup.claude_code.places import NAME, places
from memlane.setup.computer import Computer
from memlane.setup.json_text import JsonText, NotJsonError
from memlane.setup.plugin import MARKETPLACE, PLUGIN_ID

USUAL_CLEANUP = 30  # days, where its settings say nothing
# Tools that also put memories into Claude Code: two of them double the tokens.
RIVALS = (
    "agentmemory",
    "basic-memory",
    "byterover",
    "claude-mem",
    "cognee",
    "engram",
    "episodic-memory",
    "graphiti",
    "hindsight",
    "letta",
    "mcp-memory-service",
    "mem0",
    "mempalace",
    "memsearch",
    "openmemory",
    "supermemory",
)


def read(computer: Computer) -> JsonText:
    return json_text.read(files.read(places(computer).settings) or b"")


def way_in(document: JsonText, computer: Computer, *, recall: bool) -> str:
    """`plugin` or `settings`: in place that way. `off`: the person switched us off. Nothing: not as it should be."""
    enabled = document.get("enabledPlugins", PLUGIN_ID)
    known = document.get("extraKnownMarketplaces", MARKETPLACE, "source", "path") == str(computer.plugin)
    ours = settings.our_groups(document)
    if enabled is False and not ours:
        return "off"
    if enabled is True:
        return "plugin" if known and not ours else ""
    return "settings" if ours == {event: [group] for event, group in groups(computer, recall=recall).items()} else ""


def groups(computer: Computer, *, recall: bool) -> dict[str, dict[str, object]]:
    """Our hooks as they stand in its settings when there is no plugin."""
    script = plugin.quoted(str(computer.hook_script))
    return plugin.hook_groups(NAME, computer.python, script, recall=recall)


def cleanup_days(computer: Computer) -> int:
    """After how many days it deletes its own transcripts."""
    document = _readable(computer)
    days = document.get("cleanupPeriodDays") if document else None
    return days if isinstance(days, int) and not isinstance(days, bool) else USUAL_CLEANUP


def hooks_off(computer: Computer) -> bool:
    document = _readable(computer)
    return document is not None and document.get("disableAllHooks") is True


def rivals(computer: Computer) -> tuple[str, ...]:
    """Other memory tools that add context here, by the names of their plugins and in the commands of their hooks."""
    document = _readable(computer)
    if document is None:
        return ()
    enabled = document.get("enabledPlugins")
    words = [name for name, on in cast(dict[str, object], enabled).items() if on] if isinstance(enabled, dict) else []
    words += settings.commands_of_others(document)
    return tuple(name for name in RIVALS if any(_names(word, name) for word in words))


def _names(word: str, name: str) -> bool:
    return re.search(rf"(?i)(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", word) is not None


def _readable(computer: Computer) -> JsonText | None:
    try:
        return read(computer)
    except (NotJsonError, OSError):
        return None
