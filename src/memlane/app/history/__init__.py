"""What was done to Memories, by whom, and how is it taken back?"""

from __future__ import annotations

from memlane.app.history.life import LifeStep
from memlane.app.history.undo import Act, History, UndoEffect

__all__ = ["Act", "History", "LifeStep", "UndoEffect"]
