"""All work for an owner is one worker's at a time, in every engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memlane.errors import BusyError
from memlane.storage import Engine


def test_of_two_workers_one_has_the_work_until_it_leaves_or_fails(make: Callable[[Path], Engine], folder: Path) -> None:
    one, other = make(folder), make(folder)
    with one.claim(), pytest.raises(BusyError, match="another worker"), other.claim():
        pass
    with pytest.raises(ZeroDivisionError), other.claim():
        raise ZeroDivisionError
    with one.claim():
        pass


def test_of_many_who_come_at_once_one_gets_it(make: Callable[[Path], Engine], folder: Path) -> None:
    with make(folder).claim():
        pass  # what it needs is there
    tried = threading.Barrier(4)

    def claim(_n: int) -> bool:
        try:
            with make(folder).claim():
                tried.wait(60)
                return True
        except BusyError:
            tried.wait(60)
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(claim, range(4))) == 1


def test_an_index_may_be_rebuilt_and_cleared_while_somebody_works(engine: Engine) -> None:
    with engine.claim():
        fresh = engine.begin()
        engine.swap(fresh)
        fresh.close()
        engine.clear()
        with pytest.raises(BusyError), engine.claim():
            pass
