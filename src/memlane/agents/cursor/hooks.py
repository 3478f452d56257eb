"""How Cursor's hooks speak: its own names for the run and its folder, and one key for what is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import cast

from memlane.agents import hook_protocol
from memlane.agents.agent import HookCall, HookMoment
from memlane.agents.records import text

FORGETS = "PreCompact"  # no start follows a compaction: the next prompt stands for it
LONGEST = 10_000  # characters; it drops more than that whole


@dataclass(frozen=True, slots=True)
class CursorHooks:
    name: str = "cursor"

    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        run = text(given.get("conversation_id")) or text(given.get("session_id"))
        cwd = text(given.get("cwd")) or _first(given.get("workspace_roots"))
        call = hook_protocol.hook_call(event, {**given, "session_id": run, "cwd": cwd})
        if call is None:
            return None
        if call.file and not call.cwd:  # of a file it says no more than its path
            call = replace(call, cwd=str(PurePath(call.file).parent))
        begins = call.moment is HookMoment.RUN_STARTED
        return replace(call, fresh_context=begins, first=begins, forgets=event == FORGETS)

    def hook_answer(self, event: str, context: str, line: str) -> Mapping[str, object]:  # noqa: ARG002 - a verb of Hooks
        return {"additional_context": context} if 0 < len(context) <= LONGEST else {}


def _first(values: object) -> str:
    found = cast(list[object], values) if isinstance(values, list) else []
    return text(found[0]) if found else ""
