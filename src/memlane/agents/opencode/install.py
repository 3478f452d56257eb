"""Our hooks and tools in OpenCode: one file of ours among its plugins, which it loads by itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memlane.agents.hook_files import HookFile, OwnFile
from memlane.agents.hook_install import AgentHome, HookInstall
from memlane.agents.scripts import MARK, rendered
from memlane.system.computer import Computer

NAME = "opencode"
TITLE = "OpenCode"
HOME = AgentHome(".config/opencode", "XDG_CONFIG_HOME", "opencode")
SCRIPT = Path(__file__).with_name("lane.js")


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    text = rendered(SCRIPT, computer, recall=recall)
    return (OwnFile(HOME.path(computer) / "plugins" / "lane.js", text, MARK, "+ plugin lane"),)


INSTALL = HookInstall(NAME, TITLE, "opencode", HOME, our_files)
