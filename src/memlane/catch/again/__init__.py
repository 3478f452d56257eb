"""Was it seen before? Which Memory says the same, which wish was made before, and what one more time makes of it."""

from memlane.catch.again.lesson import confidence_after, holds_in, one_more, repeats, same_lesson, state_after
from memlane.catch.again.near import asked_before, near, understand

__all__ = [
    "asked_before",
    "confidence_after",
    "holds_in",
    "near",
    "one_more",
    "repeats",
    "same_lesson",
    "state_after",
    "understand",
]
