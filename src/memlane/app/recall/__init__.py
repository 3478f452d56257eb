"""What is an agent given now, and why?"""

from __future__ import annotations

from memlane.app.recall.answers import HookAnswer, Recalls

__all__ = ["HookAnswer", "Recalls"]
