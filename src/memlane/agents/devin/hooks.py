"""Our hooks in Devin CLI, which speak as Claude Code's do, and how they get into its `config.json`.

It names the folder it works in by a variable alone; the line in its settings adds that. What is said after a compaction
does not reach its model, so the next prompt brings the rules again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memlane.agents import hook_program, hook_protocol
from memlane.agents.agent import HookCall
from memlane.agents.hook_files import HookFile, SettingsFile
from memlane.agents.hook_install import AgentHome, HookEvent, HookInstall, group
from memlane.system.computer import Computer

NAME = "devin"
TITLE = "Devin CLI"
HOME = AgentHome(".config/devin")
COMPACTED = "PreCompact"
WITH_FOLDER = """{ printf '{"cwd":"%s",' "$DEVIN_PROJECT_DIR"; tail -c +2; } | """
EVENTS = (
    HookEvent("SessionStart", "SessionStart", recalls=True),
    HookEvent("UserPromptSubmit", "UserPromptSubmit", recalls=True),
    HookEvent("PostToolUse", "PostToolUse", recalls=True, matcher="read|edit|write|exec"),
    HookEvent("PostCompaction", COMPACTED, recalls=True),
)
UNSEEN = "its hooks were written from its documentation and not run"


@dataclass(frozen=True, slots=True)
class DevinHooks:
    name: str = NAME

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        call = hook_protocol.hook_call(event, given)
        return call and replace(call, forgets=event == COMPACTED)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:
        return hook_protocol.hook_answer(event, context, line)


def our_files(computer: Computer, recall: bool) -> Sequence[HookFile]:  # noqa: FBT001 - what HookInstall hands over
    """Of a run that nobody reads there is nothing to capture: without recall, no hooks."""
    if not recall:
        return ()
    commands = {event: WITH_FOLDER + hook_program.command(computer, NAME, event.ours) for event in EVENTS}
    entries = tuple((("hooks", event.event), group(event, command)) for event, command in commands.items())
    return (SettingsFile(HOME.path(computer) / "config.json", str(computer.hooks), f"+ {len(entries)} hooks", entries),)


INSTALL = HookInstall(NAME, TITLE, "devin", HOME, our_files, unseen=UNSEEN)
