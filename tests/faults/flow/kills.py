"""A process that ends at the n-th step it does to the disk or commits: forked, so that importing costs nothing."""

from __future__ import annotations

import gc
import os
import signal
import warnings
from collections.abc import Callable

from campaigns.disks import WatchedDisk
from campaigns.victim import watch_commits
from memlane.system.disk import Disk


class KillingAt(WatchedDisk):
    """Ends the process the n-th time anything is about to be done to the disk, or was just committed.

    What was just done to a file is what there is before the next thing; after a commit, other indexes are written.
    """

    def __init__(self, n: int) -> None:
        super().__init__()
        self.left = n

    def before(self, step: str) -> None:  # noqa: ARG002 - the interface
        self.left -= 1
        if self.left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def after(self, step: str) -> None:
        if step.startswith("commit "):
            self.before(step)


def killed(work: Callable[[Disk], None], n: int) -> bool:
    """Whether it was killed before it was done."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if not child:
        gc.freeze()  # what its parent had is shared, as long as nobody counts it
        disk = KillingAt(n)
        watch_commits(disk)
        work(disk)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])
