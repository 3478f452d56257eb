"""One gate for all the tests of this room: it is built once in real life too."""

from __future__ import annotations

import pytest

from memlane.gate import Gate


@pytest.fixture(scope="session")
def gate() -> Gate:
    return Gate()
