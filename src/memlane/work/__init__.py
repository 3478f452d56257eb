"""What is left to do, and whose turn is it? The write lock; the work itself is found in storage's marks."""

from memlane.work.lock import WriteLock, take

__all__ = ["WriteLock", "take"]
