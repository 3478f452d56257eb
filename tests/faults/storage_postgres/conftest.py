"""Servers for what is done to one, and indexes of one's own on them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from campaigns.postgres_server import Server, shared
from memlane.storage.postgres import Limits, PostgresEngine, PostgresStorage

QUICK = Limits(readers=2, writers=2, patience=20.0, locks=0.3, looks=0.0)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One that may be stopped and killed: nobody else's."""
    started = Server()
    yield started
    started.close()


@pytest.fixture
def engine(server: Server, request: pytest.FixtureRequest) -> PostgresEngine:
    server.start()
    return PostgresEngine(server.url, limits=QUICK, owner="noor", place=request.node.name)


@pytest.fixture
def storage(engine: PostgresEngine) -> Iterator[PostgresStorage]:
    opened = engine.begin()
    yield opened
    opened.close()


@pytest.fixture
def calm(request: pytest.FixtureRequest) -> Iterator[PostgresStorage]:
    """An index on the server that all tests share."""
    opened = PostgresEngine(shared().url, limits=QUICK, owner="noor", place=f"calm {request.node.name}").begin()
    yield opened
    opened.close()
