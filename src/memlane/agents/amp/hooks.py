"""Our plugin in Amp, one file that it loads by itself, and what that asks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from memlane.agents.hook_files import HookFile, OwnFile
from memlane.agents.hook_install import AgentHome, HookInstall
from memlane.agents.hook_protocol import ScriptHooks
from memlane.agents.scripts import MARK, rendered
from memlane.system.computer import Computer

NAME = "amp"
TITLE = "Amp"
HOME = AgentHome(".config/amp")
SCRIPT = Path(__file__).with_name("lane.ts")
UNSEEN = "its plugin was written from other plugins and not run; it is loaded at the next start of Amp"
HOOKS = ScriptHooks(NAME)


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    """Of a thread that nobody reads there is nothing to capture: without recall, no plugin."""
    if not recall:
        return ()
    text = rendered(SCRIPT, computer, recall=recall)
    return (OwnFile(HOME.path(computer) / "plugins" / "lane.ts", text, MARK, "+ plugin lane"),)


INSTALL = HookInstall(NAME, TITLE, "amp", HOME, our_files, unseen=UNSEEN)
