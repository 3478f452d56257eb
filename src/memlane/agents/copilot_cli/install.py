"""Our hooks and tools in Copilot CLI: one file of our own beside others' hooks, and a line in its list of servers."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile, OwnFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, wanted
from memlane.system.computer import Computer

NAME = "copilot-cli"
TITLE = "Copilot CLI"
HOME = AgentHome(".copilot", "COPILOT_HOME")
EVENTS = (  # by these names it speaks as Claude Code does
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("UserPromptSubmit", "UserPromptSubmit", recalls=True),
    HookEvent("PostToolUse", "PostToolUse", recalls=True),
    HookEvent("PreCompact", "PreCompact"),
    HookEvent("Stop", "Stop"),
    HookEvent("SessionEnd", "SessionEnd"),
)


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    folder, mark = HOME.path(computer), str(computer.hooks)
    events = wanted(EVENTS, recall=recall)
    hooks = {
        event.event: [
            {
                "type": "command",
                "bash": hook_program.command(computer, NAME, event.ours),
                "timeoutSec": event.timeout,
            }
        ]
        for event in events
    }
    text = json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n"
    own = OwnFile(folder / "hooks" / "lane.json", text, mark, f"+ {len(events)} hooks")
    server = {"type": "local", "command": hook_program.server(computer), "args": [], "tools": ["*"]}
    servers = SettingsFile(
        folder / "mcp-config.json", mark, "+ MCP server lane", members=((("mcpServers", "lane"), server),)
    )
    return (own, servers) if recall else (own,)


class CopilotInstall(HookInstall):
    def is_here(self, computer: Computer) -> bool:
        """Not by a folder that exists only because VS Code reads hooks there too."""
        folder, hooks = HOME.path(computer), HOME.path(computer) / "hooks"
        lent = [*folder.glob("*")] == [hooks] and [*hooks.glob("*")] == [hooks / "lane-vscode.json"]
        return super().is_here(computer) and (bool(computer.which(self.program)) or not lent)


INSTALL = CopilotInstall(NAME, TITLE, "copilot", HOME, our_files)
