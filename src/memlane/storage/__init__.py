"""Where do derived things rest? The ports, and how the Journal fills them; engines are chosen by Lane alone."""

from typing import TYPE_CHECKING

from memlane.storage.life import life, makes
from memlane.storage.ports import Engine, Storage
from memlane.storage.projection import apply, memory_data, memory_of, recall_data, same_place
from memlane.storage.values import (
    EVERYTHING,
    EVERYWHERE,
    Bookmark,
    Key,
    Looked,
    Mark,
    Named,
    Near,
    Result,
    Statistics,
    Where,
    Worded,
)

if TYPE_CHECKING:
    from memlane.storage.values import Vector as Vector  # numpy's: nobody needs it to run

__all__ = [
    "EVERYTHING",
    "EVERYWHERE",
    "Bookmark",
    "Engine",
    "Key",
    "Looked",
    "Mark",
    "Named",
    "Near",
    "Result",
    "Statistics",
    "Storage",
    "Where",
    "Worded",
    "apply",
    "life",
    "makes",
    "memory_data",
    "memory_of",
    "recall_data",
    "same_place",
]
