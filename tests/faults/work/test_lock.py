"""One writer at a time, and none that is dead: the lock's part of row A22 of the failure model."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from memlane.errors import BusyError
from memlane.work import WriteLock, take

pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")


PROCESSES, ROUNDS = 5, 40


def fork(work: object) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()  # type: ignore[operator]
            status = 0
        finally:
            os._exit(status)
    return child


@pytest.mark.fault("A22", "C9")
def test_a22_five_processes_never_write_at_once(tmp_path: Path) -> None:
    """Each adds one to a number, slowly enough that two at once would lose one."""
    number = tmp_path / "number"
    number.write_text("0")

    def count() -> None:
        lock = WriteLock(tmp_path / "run" / "write.lock")
        for _ in range(ROUNDS):
            with lock.held(patience=60):
                before = int(number.read_text())
                time.sleep(0.0005)
                number.write_text(str(before + 1))

    children = [fork(count) for _ in range(PROCESSES)]
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * PROCESSES
    assert int(number.read_text()) == PROCESSES * ROUNDS


@pytest.mark.fault("A22")
def test_a22_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    path, held = tmp_path / "write.lock", tmp_path / "held"

    def hold_for_ever() -> None:
        with WriteLock(path).held():
            held.touch()
            signal.pause()

    child = fork(hold_for_ever)
    while not held.exists():
        time.sleep(0.001)
    with pytest.raises(BusyError, match=f"pid {child}"):
        take(path, patience=0)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(take(path, patience=0))
