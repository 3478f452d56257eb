"""How Pi asks: through our own extension, `lane.ts`."""

from __future__ import annotations

from memlane.agents.hook_protocol import ScriptHooks

HOOKS = ScriptHooks("pi")
