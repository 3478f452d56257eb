"""What is an agent given now, and why?"""

from __future__ import annotations

from memlane.app.recall.answers import COMMANDS, Recalls
from memlane.app.recall.card import PromptCard, why
from memlane.app.recall.hook_answer import HookAnswer
from memlane.app.recall.place import Here, OnThinMachine, ToldFolder
from memlane.app.recall.taught import TaughtPrompt
from memlane.app.recall.thin import ThinQuestion
from memlane.app.runs.outcomes import SaidOutcome

__all__ = [
    "COMMANDS",
    "Here",
    "HookAnswer",
    "OnThinMachine",
    "PromptCard",
    "Recalls",
    "SaidOutcome",
    "TaughtPrompt",
    "ThinQuestion",
    "ToldFolder",
    "why",
]
