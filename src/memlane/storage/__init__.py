"""Where is derived data kept? The ports, and how the Journal fills them. Only Lane chooses an engine."""

from typing import TYPE_CHECKING

from memlane.storage.guest import MODEL_IN_USE, GuestStorage
from memlane.storage.lent import LentStorage
from memlane.storage.ports import Engine, Storage
from memlane.storage.projection import apply, life, makes, memory_data, memory_of, recall_data, same_place
from memlane.storage.values import (
    EVERYWHERE,
    Bookmark,
    CatchMark,
    IndexMark,
    Key,
    MemoryBounds,
    MemoryMatch,
    NameCount,
    Result,
    Statistics,
    TermMatch,
    VectorMatch,
)

if TYPE_CHECKING:
    from memlane.storage.values import Vector as Vector  # numpy's: nobody needs it to run

__all__ = [
    "EVERYWHERE",
    "MODEL_IN_USE",
    "Bookmark",
    "CatchMark",
    "Engine",
    "GuestStorage",
    "IndexMark",
    "Key",
    "LentStorage",
    "MemoryBounds",
    "MemoryMatch",
    "NameCount",
    "Result",
    "Statistics",
    "Storage",
    "TermMatch",
    "VectorMatch",
    "apply",
    "life",
    "makes",
    "memory_data",
    "memory_of",
    "recall_data",
    "same_place",
]
