"""Our hooks and tools in Droid: events at the top of its `hooks.json`, and a server in its `mcp.json`."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, group, wanted
from memlane.system.computer import Computer

NAME = "droid"
TITLE = "Droid"
HOME = AgentHome(".factory")
EVENTS = (
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("UserPromptSubmit", "UserPromptSubmit", recalls=True),
    HookEvent("PostToolUse", "PostToolUse", recalls=True, matcher="Read|Edit|Create|ApplyPatch|Execute"),
    HookEvent("PreCompact", "PreCompact"),
    HookEvent("Stop", "Stop"),
    HookEvent("SubagentStop", "SubagentStop"),
    HookEvent("SessionEnd", "SessionEnd"),
)
UNSEEN = "`droid exec` calls no hook for its prompt: there, the prompt's notes come with the first tool it uses"


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    folder, mark = HOME.path(computer), str(computer.hooks)
    events = wanted(EVENTS, recall=recall)
    entries = tuple(((e.event,), group(e, hook_program.command(computer, NAME, e.ours))) for e in events)
    hooks = SettingsFile(folder / "hooks.json", mark, f"+ {len(events)} hooks", entries)
    member = (("mcpServers", "lane"), {"type": "stdio", "command": hook_program.server(computer)})
    servers = SettingsFile(folder / "mcp.json", mark, "+ MCP server lane", members=(member,))
    return (hooks, servers) if recall else (hooks,)


INSTALL = HookInstall(NAME, TITLE, "droid", HOME, our_files, unseen=UNSEEN)
