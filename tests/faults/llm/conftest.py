"""What the tests of this room share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rooms.llm.server import Model


@pytest.fixture
def model() -> Iterator[Model]:
    server = Model()
    yield server
    server.stop()
