"""What is an agent given now, and why?"""

from __future__ import annotations

from memlane.app.recall.answers import COMMANDS, HookAnswer, Recalls
from memlane.app.recall.card import PromptCard, why
from memlane.app.recall.taught import TaughtPrompt
from memlane.app.runs.outcomes import SaidOutcome

__all__ = ["COMMANDS", "HookAnswer", "PromptCard", "Recalls", "SaidOutcome", "TaughtPrompt", "why"]
