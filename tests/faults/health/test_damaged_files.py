"""Every file of a home that is not the archive and not the person's, damaged in every simple way.

Nothing crashes, nothing is green that does not work, the next tick makes it again, and a rebuild always works.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import cast

import pytest

from memlane.app import Lane
from memlane.config import load
from memlane.demo import write_home
from memlane.domain import Finding, Level
from memlane.errors import LaneError
from memlane.storage.embedded import EmbeddedStorage

LOOKED_FOR = "ferry chart addresses"
# What a home keeps that can be made again, or only lives while something runs.
MADE = (
    "index/CURRENT",
    "index/*.db",
    "index/*.db-wal",
    "index/*.db-shm",
    "index/*.terms/*/meta.json",
    "index/*.terms/*/.managed.json",
    "index/*.terms/*/.tantivy-*.lock",
    "index/*.terms/*/*.idx",
    "index/*.terms/*/*.pos",
    "index/*.terms/*/*.term",
    "index/*.terms/*/*.store",
    "index/*.terms/*/*.fast",
    "index/*.terms/*/*.fieldnorm",
    "index/*.near/*",
    "vectors/*/*/about.json",
    "vectors/*/*/bits",
    "vectors/*/*/hashes",
    "vectors/*/*/rows",
    "run/paths",
    "run/signs",
    "run/token",
    "run/*.lock",
    "memory/stamp",
    "memory/.written/*",
    "map.json",
    "register.json",
)
# The authority, and what people write, edit or decide.
KEPT = ("archive/*", "config.toml", "memory/*.md", "log/*")

DAMAGES: dict[str, Callable[[bytes], bytes | None]] = {
    "deleted": lambda _data: None,
    "halved": lambda data: data[: len(data) // 2],
    "garbled": lambda data: random.Random(len(data)).randbytes(max(1, len(data))),
    "empty": lambda _data: b"",
}


@dataclass(frozen=True, slots=True)
class Whole:
    """A home that nobody opens any more, as a process that was killed leaves it; and what a search found in it."""

    home: Path
    best: Sequence[tuple[str, int, int]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """Sample runs, captured, caught, understood and laid out on a map."""
    home, copy = tmp_path_factory.mktemp("h"), tmp_path_factory.mktemp("w") / "h"
    write_home(home, datetime.now(UTC))
    (home / ".memlane" / "run").mkdir()
    (home / ".memlane" / "run" / "token").write_text("0" * 64)
    with opened(home) as lane:
        lane.capture.sweep()
        lane.memories.remember("Never put addresses into the chart again, always names", cwd=home)
        tick(lane)
        lane.map.give()
    scanned = shares(home)
    with opened(home) as lane:
        storage = cast(EmbeddedStorage, lane.home.storage())
        lane.home.list_paths(storage)
        storage.vectors.save_scans(scanned)
        best = found(lane)
        shutil.copytree(home, copy, symlinks=True)
    return Whole(copy, best)


def shares(home: Path) -> list[tuple[int, int]]:
    (index,) = (home / ".memlane").glob("index/*.db")
    with closing(sqlite3.connect(index)) as database:
        return database.execute("SELECT owner, model FROM shares").fetchall()


def opened(home: Path) -> Lane:
    return Lane(load({"HOME": str(home), "LANE_HOME": str(home / ".memlane"), "PATH": ""}))


def tick(lane: Lane) -> Sequence[str]:
    """What the timer does about it."""
    mended = lane.archive.mend()
    lane.capture.tick()
    lane.vectors.follow(60)
    lane.folder.write()
    return mended


def found(lane: Lane) -> list[tuple[str, int, int]]:
    best = lane.search.find(LOOKED_FOR).search.best
    return [(hit.run.id, hit.chunk.turn, hit.chunk.step) for hit in best]


def wrong(findings: Sequence[Finding]) -> list[Finding]:
    return [one for one in findings if one.level is Level.FAIL]


def damaged(home: Path, whole: Whole, pattern: str, change: Callable[[bytes], bytes | None]) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(whole.home, home, symlinks=True)
    (path, *_) = sorted((home / ".memlane").glob(pattern))
    data = change(path.read_bytes())
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    return path


def test_every_file_of_a_home_is_the_persons_or_is_damaged_here(whole: Whole) -> None:
    top = whole.home / ".memlane"
    files = [str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()]
    assert [name for name in files if not any(fnmatch(name, one) for one in (*MADE, *KEPT))] == []
    assert [one for one in MADE if not any(fnmatch(name, one) for name in files)] == []


@pytest.mark.fault("X6")
@pytest.mark.fault("C7", "M1")
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("pattern", MADE)
def test_whatever_is_damaged_is_said_and_made_again(tmp_path: Path, whole: Whole, pattern: str, damage: str) -> None:
    home = tmp_path / "h"
    path = damaged(home, whole, pattern, DAMAGES[damage])
    same, said = _asked(home, whole.best)
    assert same or wrong(said), f"{path} is {damage}, search answers otherwise and doctor is green"
    assert all(one.hint for one in wrong(said)), said
    with opened(home) as lane:
        tick(lane)
    with opened(home) as lane:
        assert found(lane) == whole.best, "after a tick"
        assert wrong(lane.health.probes.findings(quick=True)) == []
        lane.map.give()
        assert lane.map.look().at


@pytest.mark.fault("C6", "C7")
@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("pattern", [one for one in MADE if one.startswith(("index", "vectors"))])
def test_a_rebuild_works_whatever_is_damaged(tmp_path: Path, whole: Whole, pattern: str, damage: str) -> None:
    home = tmp_path / "h"
    damaged(home, whole, pattern, DAMAGES[damage])
    with opened(home) as lane:
        lane.archive.rebuild()
        lane.vectors.follow(60)
    with opened(home) as lane:
        assert found(lane) == whole.best
        assert wrong([*lane.health.probes.findings()]) == []


def _asked(home: Path, before: Sequence[object]) -> tuple[bool, Sequence[Finding]]:
    """Whether a search answers as before, and what doctor says. Any error but ours is a crash, and fails the test."""
    with opened(home) as lane:
        try:
            same = found(lane) == before
            lane.recall.asked("put addresses into the chart again", home)
        except LaneError:
            same = False
    with opened(home) as lane:
        said = [*lane.health.probes.findings(quick=True), *lane.health.doctor.findings()]
    return same, said
