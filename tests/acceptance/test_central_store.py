"""A Central whose archive is in an object store: one command serves it, and a store that is away costs nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from tests.acceptance.central import Central, machine, serving
from tests.acceptance.command_line import Person
from tests.clients.object_store import Seaweed, running_store


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.2)


def joined(central: Central, home: Path, name: str) -> Person:
    person = machine(home, name)
    assert person.lane("join", central.url, "--code", central.invite("noor")).code == 0
    return person


def says(laptop: Person, *words: str) -> None:
    laptop.claude_run("ferry", *words)
    assert laptop.lane("capture").code == 0


def finds(person: Person, words: str) -> list[str]:
    """What is only on another machine comes from Central."""
    ran = person.lane("search", words, "--json")
    assert ran.code == 0, ran
    return [one["run"] for one in ran.data]


def test_a_central_on_an_object_store(tmp_path: Path) -> None:
    with running_store(tmp_path / "store") as store:
        place = {**store.variables, "LANE_ARCHIVE_BASE": "s3://lane/central"}
        with serving(tmp_path / "central", "--all-in-one", variables=place) as central:
            laptop, desk = (joined(central, tmp_path / name, name) for name in ("laptop", "desk"))
            assert desk.lane("capture").code == 0
            says(laptop, "where does the ferry leave", "from the old pier")
            assert laptop.lane("ship", "--now").code == 0
            until(lambda: bool(finds(desk, "ferry")))
            (run,) = finds(desk, "ferry")
            _the_store_goes_away(store, laptop, desk)
        _it_is_all_there(tmp_path, place, laptop, run)


def _the_store_goes_away(store: Seaweed, laptop: Person, desk: Person) -> None:
    """Uploads wait, search goes on, and then everything arrives."""
    store.kill()
    says(laptop, "where does the ferry leave", "from the old pier", "and when does it come back")
    refused = laptop.lane("ship", "--now", "--json")
    assert refused.code == 5
    assert finds(desk, "ferry")
    store.start()
    until(lambda: laptop.lane("ship", "--now").code == 0)


def _it_is_all_there(tmp_path: Path, place: dict[str, str], laptop: Person, run: str) -> None:
    """Any computer that reaches the store can check the archive and read it, and it can go into a folder."""
    noor = machine(tmp_path / "other", "other", "noor", place)
    assert noor.lane("archive", "verify").code == 0
    assert noor.lane("archive", "compact").code == 0
    assert noor.lane("rebuild").code == 0
    assert noor.raw(run) == laptop.raw(run)
    assert noor.lane("archive", "move", str(tmp_path / "folder"), "--yes").code == 0
    moved = machine(tmp_path / "other", "other", "noor")
    assert moved.lane("archive", "verify").code == 0
    assert moved.raw(run) == laptop.raw(run)
