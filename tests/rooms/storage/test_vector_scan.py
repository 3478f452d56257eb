"""The file that `nearest` looks through is only as good as the index says: else the index is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memlane.domain import RunFilter
from memlane.storage.embedded import EmbeddedStorage
from memlane.storage.embedded.vector_scan import loaded
from tests.rooms.storage.homes import MODEL, NOOR, engine_in, files_in, fill, give_vectors

MOST = 1000


@pytest.fixture
def home(tmp_path: Path) -> Path:
    engine = engine_in(tmp_path)
    storage = engine.begin()
    fill(storage, "r_1", *(f"zebra {n}" for n in range(1500)))
    fill(storage, "r_2", *(f"lion {n}" for n in range(10)))
    give_vectors(storage)
    engine.swap(storage)
    storage.close()
    return tmp_path


def near(storage: EmbeddedStorage) -> list[tuple[str, float]]:
    found = storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, MOST)
    return [(one.chunk.text, one.likeness) for one in found]


def reopened(home: Path) -> list[tuple[str, float]]:
    storage = engine_in(home).open()
    try:
        return near(storage)
    finally:
        storage.close()


def test_many_vectors_are_in_a_file_after_settling(home: Path) -> None:
    (path,) = files_in(home / "index", "*.near/*")
    assert len(loaded(path).chunk) == 1510


def test_what_came_and_went_since_is_taken_from_the_index(home: Path) -> None:
    storage = engine_in(home).open()
    near(storage)
    fill(storage, "r_3", "tiger")
    give_vectors(storage)
    storage.runs.drop("r_2")
    changed = near(storage)
    assert reopened(home) == changed
    assert {text.split()[0] for text, _likeness in changed} <= {"zebra", "tiger"}
    storage.close()


@pytest.mark.parametrize("damage", ["cut", "empty", "garbled", "gone"])
def test_a_damaged_file_is_not_believed(home: Path, damage: str) -> None:
    before = reopened(home)
    (path,) = files_in(home / "index", "*.near/*")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes({"cut": path.read_bytes()[:-8], "empty": b"", "garbled": bytes(data)}[damage])
    assert reopened(home) == before


def test_a_file_of_a_later_index_is_not_believed(home: Path) -> None:
    (path,) = files_in(home / "index", "*.near/*")
    later = bytearray(path.read_bytes())
    later[8:16] = (10**6).to_bytes(8, "little")
    path.write_bytes(bytes(later))
    storage = engine_in(home).open()
    assert len(near(storage)) == MOST
    storage.runs.drop("r_1")
    assert {text.split()[0] for text, _likeness in near(storage)} == {"lion"}
    storage.close()


def test_a_model_that_was_dropped_and_came_back_is_not_taken_for_what_it_was(home: Path) -> None:
    reader, writer = engine_in(home).open(), engine_in(home).open()
    assert near(reader)
    writer.vectors.drop(MODEL)
    assert near(reader) == []
    fill(writer, "r_9", "otter")
    writer.vectors.put(MODEL, writer.chunks.of_run("r_9", NOOR), np.ones((1, 64), np.float32))
    assert [text for text, _likeness in near(reader)] == ["otter"]
    reader.close()
    writer.close()
