"""Workers on several computers share one database: a person's work is one worker's until it ends or dies."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from campaigns.postgres_server import Server
from campaigns.world import World
from memlane.app.control import claimed
from memlane.errors import BusyError
from memlane.storage.postgres import Limits, PostgresEngine

HOLDS = """
import sys
from memlane.storage.postgres import Limits, PostgresEngine
with PostgresEngine(sys.argv[1], limits=Limits(lease=1.0), owner="noor").claim():
    print("held", flush=True)
    sys.stdin.read()
"""


def engine_of(server: Server, lease: float, owner: str = "noor", place: str = "") -> PostgresEngine:
    return PostgresEngine(server.url, limits=Limits(lease=lease), owner=owner, place=place)


def is_free(engine: PostgresEngine) -> bool:
    try:
        with engine.claim():
            return True
    except BusyError:
        return False


def claim_twice(world: World, url: str) -> None:
    with world.lane(LANE_STORAGE_URL=url) as lane, claimed(lane.home.config), claimed(lane.home.config):
        pass


def test_of_two_workers_one_has_a_persons_work(server: Server, tmp_path: Path) -> None:
    server.start()
    world = World(tmp_path).prepare()
    with pytest.raises(BusyError, match="another worker"):
        claim_twice(world, server.url)
    with world.lane(LANE_STORAGE_URL=server.url) as lane, claimed(lane.home.config):
        pass  # the first was let go, whatever happened inside


def test_another_persons_and_another_homes_work_are_free(server: Server) -> None:
    server.start()
    with engine_of(server, 60).claim():
        assert not is_free(engine_of(server, 60))
        assert is_free(engine_of(server, 60, owner="mira"))
        assert is_free(engine_of(server, 60, place="another home"))


def test_a_lease_is_prolonged_while_the_work_goes_on(server: Server) -> None:
    server.start()
    other = engine_of(server, 1.0)
    with engine_of(server, 2.0).claim():
        for _ in range(50):
            assert not is_free(other)
            time.sleep(0.1)
    assert is_free(other)


def test_a_killed_workers_work_is_anybodys_after_a_while(server: Server) -> None:
    server.start()
    other = engine_of(server, 1.0)
    worker = subprocess.Popen(
        [sys.executable, "-c", HOLDS, server.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "held\n"
    assert not is_free(other)
    worker.kill()
    worker.wait()
    while not is_free(other):
        time.sleep(0.1)
    worker.communicate()


def test_who_lost_a_lease_does_not_end_the_next_ones(server: Server) -> None:
    """A computer that slept: its row is another's by now."""
    server.start()
    with engine_of(server, 60).claim():
        with psycopg.connect(server.url) as raw:
            raw.execute("UPDATE lane_control.work_leases SET by = 'another', until = until + 60")
        assert not is_free(engine_of(server, 60))
    assert not is_free(engine_of(server, 60))
    with psycopg.connect(server.url) as raw:
        raw.execute("DELETE FROM lane_control.work_leases")
