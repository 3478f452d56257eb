"""What was done to Memories, by whom, and how is it undone?"""

from __future__ import annotations

from memlane.app.acts.life import LifeStep
from memlane.app.acts.undo import Act, Acts, UndoEffect

__all__ = ["Act", "Acts", "LifeStep", "UndoEffect"]
