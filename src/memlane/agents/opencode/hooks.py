"""How OpenCode asks: through our own plugin, `lane.js`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memlane.agents.agent import HookCall
from memlane.agents.hook_protocol import ScriptHooks
from memlane.agents.opencode.words import as_typed


class OpenCodeHooks(ScriptHooks):
    def hook_call(self, event: str, given: Mapping[str, object]) -> HookCall | None:
        call = super().hook_call(event, given)
        return call and replace(call, prompt=as_typed(call.prompt))


HOOKS = OpenCodeHooks("opencode")
