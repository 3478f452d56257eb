"""Every engine there is, one for each test. A third one joins by one line in ENGINES."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from campaigns.postgres_server import shared
from campaigns.world import scratch
from memlane.storage import Engine, Storage
from memlane.storage.embedded import EmbeddedEngine
from memlane.storage.postgres import PostgresEngine


def embedded(folder: Path) -> Engine:
    return EmbeddedEngine(folder / "index", folder / "vectors")


def postgres(folder: Path) -> Engine:
    return PostgresEngine(shared().url, schema=folder.name.replace("-", "_"))


# Each makes an Engine of its own for that folder.
ENGINES: dict[str, Callable[[Path], Engine]] = {"embedded": embedded, "postgres": postgres}


@pytest.fixture(params=ENGINES, scope="module")
def make(request: pytest.FixtureRequest) -> Callable[[Path], Engine]:
    return ENGINES[request.param]


@pytest.fixture
def folder() -> Iterator[Path]:
    made = scratch()
    yield made
    shutil.rmtree(made)


@pytest.fixture
def engine(make: Callable[[Path], Engine], folder: Path) -> Engine:
    return make(folder)


@pytest.fixture
def storage(engine: Engine) -> Iterator[Storage]:
    opened = engine.begin()
    yield opened
    opened.close()
