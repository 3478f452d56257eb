"""How OpenCode asks: through our own plugin, `lane.js`."""

from __future__ import annotations

from memlane.agents.hook_protocol import ScriptHooks

HOOKS = ScriptHooks("opencode")
