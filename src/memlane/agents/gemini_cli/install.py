"""Our hooks and tools in Gemini CLI: entries and one member of its settings."""

from __future__ import annotations

from collections.abc import Sequence

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, group, wanted
from memlane.system.computer import Computer

NAME = "gemini-cli"
TITLE = "Gemini CLI"
HOME = AgentHome(".gemini", "GEMINI_CLI_HOME", ".gemini")
MILLISECONDS = 1000  # what it counts in
TOOLS = "read_file|write_file|replace|run_shell_command"
EVENTS = (
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("BeforeAgent", "UserPromptSubmit", recalls=True),
    HookEvent("AfterTool", "PostToolUse", recalls=True, matcher=TOOLS),
    HookEvent("AfterAgent", "Stop"),
    HookEvent("SessionEnd", "SessionEnd"),
)


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    events = wanted(EVENTS, recall=recall)
    entries = tuple(
        (
            ("hooks", event.event),
            group(event, hook_program.command(computer, NAME, event.ours), second=MILLISECONDS),
        )
        for event in events
    )
    server = {"command": hook_program.server(computer)}
    settings = SettingsFile(
        HOME.path(computer) / "settings.json",
        str(computer.hooks),
        f"+ {len(events)} hooks{', MCP server lane' if recall else ''}",
        entries,
        ((("mcpServers", "lane"), server),) if recall else (),
    )
    return (settings,)


INSTALL = HookInstall(NAME, TITLE, "gemini", HOME, our_files)
