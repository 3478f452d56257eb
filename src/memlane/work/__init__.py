"""What is left to do, and who may write? The write lock. The marks in storage say what work is left."""

from memlane.work.lock import WriteLock, take

__all__ = ["WriteLock", "take"]
