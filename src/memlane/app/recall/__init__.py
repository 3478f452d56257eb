"""What is an agent given now, and why?"""

from __future__ import annotations

from memlane.app.recall.answers import HookAnswer, Recalls
from memlane.app.recall.taught import TaughtPrompt

__all__ = ["HookAnswer", "Recalls", "TaughtPrompt"]
