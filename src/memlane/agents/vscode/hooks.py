"""Our hooks in VS Code, which speak as Claude Code's do with a few names of their own, and how they get there.

Only its Local agents: those it runs through Copilot, Claude or Codex call the hooks of these. It reads the folder of
Copilot CLI, which sets a variable and is sent away before anything starts. A prompt's answer would be dropped, so
prompts are not asked about.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memlane.agents import hook_program, hook_protocol
from memlane.agents.agent import HookCall
from memlane.agents.hook_files import HookFile, OwnFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall
from memlane.agents.records import text
from memlane.system.computer import Computer

NAME = "vscode"
TITLE = "VS Code"
HOME = AgentHome(".config/Code")
READ_FROM = AgentHome(".copilot")
EVENTS = (
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("SubagentStart", "SubagentStart", recalls=True),
    HookEvent("PostToolUse", "PostToolUse", recalls=True),
)
NOT_IN_COPILOT = '[ -n "$COPILOT_CLI" ] || '
UNSEEN = "its hooks were written from its documentation and not run; notes come at the start and at files"


@dataclass(frozen=True, slots=True)
class VSCodeHooks:
    name: str = NAME

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        source = "startup" if given.get("source") == "new" else given.get("source")
        said = {name: value for name, value in given.items() if name != hook_protocol.VSCODE}
        own = {"session_id": text(given.get("sessionId")), **said, "source": source, "transcript_path": ""}
        return hook_protocol.hook_call(event, own)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:  # noqa: ARG002 - a verb of Hooks
        """It shows a line for the person as a warning, so there is none."""
        return hook_protocol.hook_answer(event, context, "")


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    """Of a run that nobody reads there is nothing to capture: without recall, no file."""
    if not recall:
        return ()
    runs = {one: NOT_IN_COPILOT + hook_program.command(computer, NAME, one.ours) for one in EVENTS}
    hooks = {one.event: [{"type": "command", "command": run, "timeout": one.timeout}] for one, run in runs.items()}
    written = json.dumps({"hooks": hooks}, indent=2) + "\n"
    path = READ_FROM.path(computer) / "hooks" / "lane-vscode.json"
    return (OwnFile(path, written, str(computer.hooks), f"+ {len(EVENTS)} hooks"),)


INSTALL = HookInstall(NAME, TITLE, "code", HOME, our_files, unseen=UNSEEN)
