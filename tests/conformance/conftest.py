"""Every engine there is, one for each test. A third one joins by one line in ENGINES."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
    return PostgresEngine(shared().url, owner="noor", place=str(folder))


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


@contextmanager
def of_mira(make: Callable[[Path], Engine], folder: Path, storage: Storage) -> Iterator[Storage]:
    """What Mira's own process has open: an index of her own, where each owner has one."""
    if make is not postgres:
        yield storage
        return
    engine = PostgresEngine(shared().url, owner="mira", place=str(folder))
    if engine.serving() is None:
        fresh = engine.begin()
        engine.swap(fresh)
        fresh.close()
    opened = engine.open()
    yield opened
    opened.close()


@pytest.fixture
def hers(make: Callable[[Path], Engine], folder: Path, storage: Storage) -> Iterator[Storage]:
    with of_mira(make, folder, storage) as opened:
        yield opened


@pytest.fixture
def storage(engine: Engine) -> Iterator[Storage]:
    opened = engine.begin()
    yield opened
    opened.close()
