"""An answer that never came, a lock that is held for long, a database put back from an older copy."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest

from campaigns.plain import line
from campaigns.postgres_server import Server
from campaigns.world import World
from memlane.domain import Reader, RunFilter
from memlane.errors import BusyError, UnreachableError
from memlane.storage.postgres import Limits, PostgresEngine
from tests.faults.storage_postgres.test_faults import fill, found

NAME = ".s.PGSQL.5432"
PIECE = 1 << 16


class CuttingProxy:
    """Between us and the server. The next COMMIT that comes by is its last: before it is handed on, or after."""

    def __init__(self, folder: Path, server: Server) -> None:
        self._server = server.folder / NAME
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / NAME))
        self._listener.listen()
        self.cut = ""  # "before" or "after"
        self.cuts = 0
        self.url = f"postgresql://lane@/postgres?host={folder}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with closing(client), closing(socket.socket(socket.AF_UNIX)) as server:
            server.connect(str(self._server))
            threading.Thread(target=self._hand_on, args=(server, client), daemon=True).start()
            with suppress(OSError):
                while data := client.recv(PIECE):
                    if self.cut and b"COMMIT" in data:
                        self._end(server, data)
                        break
                    server.sendall(data)
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)  # closing alone waits for whoever still listens

    def _end(self, server: socket.socket, data: bytes) -> None:
        cut, self.cut = self.cut, ""
        self.cuts += 1
        if cut == "after":
            server.sendall(data)
            with psycopg.connect(_url(self._server)) as raw:  # until the server is done with it
                while raw.execute(BUSY).fetchone() is not None:
                    pass

    def _hand_on(self, server: socket.socket, client: socket.socket) -> None:
        with suppress(OSError):
            while data := server.recv(PIECE):
                if self.cuts == 0:
                    client.sendall(data)

    def open_again(self) -> None:
        self.cuts = 0

    def close(self) -> None:
        self._listener.close()


BUSY = """SELECT 1 FROM pg_stat_activity
    WHERE application_name = 'memlane' AND state <> 'idle' AND query LIKE '%COMMIT%' AND pid <> pg_backend_pid()"""


def _url(socket_path: Path) -> str:
    return f"postgresql://lane@/postgres?host={socket_path.parent}"


@pytest.fixture
def proxy(server: Server, tmp_path: Path) -> Iterator[CuttingProxy]:
    server.start()
    made = CuttingProxy(tmp_path, server)
    yield made
    made.close()


@pytest.mark.fault("D6")
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_connection_lost_during_commit_is_said_and_doing_it_again_is_safe(proxy: CuttingProxy, when: str) -> None:
    limits = Limits(readers=2, writers=2, patience=10.0)
    storage = PostgresEngine(proxy.url, limits=limits, owner="noor", place=f"cut {when}").begin()
    fill(storage, "zebra")
    proxy.cut = when
    with pytest.raises(UnreachableError, match="lost before it confirmed") as raised:
        fill(storage, "zebra", "lion")
    assert raised.value.retryable
    assert proxy.cuts == 1
    proxy.open_again()
    assert found(storage, "lion") == ([] if when == "before" else ["lion"]), "all of it or nothing of it"
    fill(storage, "zebra", "lion")
    assert found(storage, "zebra", "lion") == ["zebra", "lion"], "once, whichever it was"
    storage.close()


@pytest.mark.fault("D10")
def test_a_lock_that_is_held_for_long_is_an_error_in_time_and_never_a_wait(server: Server) -> None:
    server.start()
    limits = Limits(readers=1, writers=2, patience=5.0, locks=0.2)
    engine = PostgresEngine(server.url, limits=limits, owner="noor", place="locked")
    first = engine.begin()
    fill(first, "zebra")
    engine.swap(first)
    with psycopg.connect(server.url) as somebody:
        somebody.execute("BEGIN")
        somebody.execute("LOCK TABLE lane.builds IN SHARE MODE")
        with pytest.raises(BusyError):
            engine.begin()
        assert found(first, "zebra") == ["zebra"], "questions go on meanwhile"
    second = engine.begin()
    fill(second, "lion")
    engine.swap(second)
    assert found(engine.open(), "lion") == ["lion"], "when it is free, so are we"


@pytest.mark.fault("D11")
def test_a_database_put_back_from_an_older_copy_catches_up_with_the_archive(server: Server, tmp_path: Path) -> None:
    server.start()
    world = World(tmp_path).prepare()
    _administer(server, "CREATE DATABASE lane_now")
    url = server.url.replace("/postgres?", "/lane_now?")

    def one_more(number: int) -> None:
        world.grow("a", line(f"word{number}"))
        with world.lane(LANE_STORAGE_URL=url) as lane:
            lane.capture.sweep()
            lane.memories.remember(f"Deploy number {number} is on Thursday.", world.home)

    one_more(1)
    _administer(server, "CREATE DATABASE lane_then TEMPLATE lane_now")
    one_more(2)
    _administer(server, "DROP DATABASE lane_now", "ALTER DATABASE lane_then RENAME TO lane_now")
    with world.lane(LANE_STORAGE_URL=url) as lane:
        lane.capture.sweep()
        titles = {memory.title for memory in lane.memories.all()}
        runs = lane.home.storage().chunks.matching(["word2"], RunFilter(), Reader("noor"), 10)
    assert {f"Deploy number {n} is on Thursday." for n in (1, 2)} <= titles
    assert len(runs) == 1


def _administer(server: Server, *statements: str) -> None:
    with psycopg.connect(server.url, autocommit=True) as raw:
        for statement in statements:
            raw.execute(statement)  # pyright: ignore[reportArgumentType,reportCallIssue] - ours, above
