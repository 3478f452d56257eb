"""Our hooks and tools in Cursor: entries of its `hooks.json`, and one of its `mcp.json`.

Cursor also runs hooks that it finds in Claude Code's settings; our program stays silent there if it is called so.
"""

from __future__ import annotations

from collections.abc import Sequence

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, wanted
from memlane.system.computer import Computer

NAME = "cursor"
TITLE = "Cursor"
HOME = AgentHome(".cursor", "CURSOR_CONFIG_DIR")
EVENTS = (
    HookEvent("sessionStart", "SessionStart", recalls=True),
    HookEvent("beforeSubmitPrompt", "UserPromptSubmit", recalls=True),
    HookEvent("postToolUse", "PostToolUse", recalls=True),
    HookEvent("preCompact", "PreCompact"),
    HookEvent("stop", "Stop"),
    HookEvent("sessionEnd", "SessionEnd"),
)
UNSEEN = "its engine may drop notes at a prompt; those at the start and at files arrive"


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    folder, mark = HOME.path(computer), str(computer.hooks)
    events = wanted(EVENTS, recall=recall)
    entries = tuple(
        (
            ("hooks", event.event),
            {"command": hook_program.command(computer, NAME, event.ours), "timeout": event.timeout},
        )
        for event in events
    )
    hooks = SettingsFile(folder / "hooks.json", mark, f"+ {len(events)} hooks", entries, also=((("version",), 1),))
    member = (("mcpServers", "lane"), {"command": hook_program.server(computer)})
    servers = SettingsFile(folder / "mcp.json", mark, "+ MCP server lane", members=(member,))
    return (hooks, servers) if recall else (hooks,)


INSTALL = HookInstall(NAME, TITLE, "cursor", HOME, our_files, unseen=UNSEEN)
