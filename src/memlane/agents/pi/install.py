"""Our hooks in Pi: one file of ours among its extensions, and our tools in its list of servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memlane.agents import hook_program
from memlane.agents.hook_files import HookFile, OwnFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookInstall
from memlane.agents.scripts import MARK, rendered
from memlane.system.computer import Computer

NAME = "pi"
TITLE = "Pi"
HOME = AgentHome(".pi/agent", "PI_CODING_AGENT_DIR")
SCRIPT = Path(__file__).with_name("lane.ts")


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    folder, text = HOME.path(computer), rendered(SCRIPT, computer, recall=recall)
    extension = OwnFile(folder / "extensions" / "lane.ts", text, MARK, "+ extension lane")
    member = (("mcpServers", "lane"), {"command": hook_program.server(computer)})
    servers = SettingsFile(folder / "mcp.json", str(computer.hooks), "+ MCP server lane", members=(member,))
    return (extension, servers) if recall else (extension,)


INSTALL = HookInstall(NAME, TITLE, "pi", HOME, our_files)
