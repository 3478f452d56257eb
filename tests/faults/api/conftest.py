from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rooms.api.http_home import Http, served


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Http]:
    with served(tmp_path_factory.mktemp("h")) as running:
        yield running
