"""What is damaged and can be made again is: only that, and the damaged files stay beside it until somebody forgets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from memlane.domain import RunFilter
from memlane.errors import IndexDamagedError, VectorsDamagedError
from memlane.storage.embedded import EmbeddedStorage
from tests.rooms.storage.homes import MODEL, NOOR, engine_in, everything, fill, give_vectors, texts


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[EmbeddedStorage]:
    engine = engine_in(tmp_path)
    made = engine.begin()
    fill(made, "r_1", *texts(1))
    give_vectors(made)
    engine.swap(made)
    yield made
    made.close()


def the(folder: Path, pattern: str) -> Path:
    (found,) = folder.rglob(pattern)
    return found


def near(storage: EmbeddedStorage) -> int:
    return len(storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, 1000))


def test_a_whole_index_has_no_gaps_and_nothing_to_mend(storage: EmbeddedStorage) -> None:
    assert (storage.gaps(), storage.mend()) == ([], [])


def test_one_garbled_vector_is_met_named_and_alone_computed_again(tmp_path: Path, storage: EmbeddedStorage) -> None:
    with closing(engine_in(tmp_path).open()) as other:  # who has seen a row does not look at it again
        before = everything(other)
    rows = the(tmp_path / "vectors", "rows")
    data = bytearray(rows.read_bytes())
    data[3 * 128 : 4 * 128] = b"\xff" * 128
    rows.write_bytes(bytes(data))
    assert storage.gaps() == [], "its size is right"
    assert near(storage) == 19
    assert [one.endswith(": 1 vectors") for one in storage.gaps()] == [True]
    assert len(storage.mend()) == 1
    assert give_vectors(storage) == 1
    assert everything(storage) == before
    assert (storage.gaps(), storage.damaged()) == ([], [])


@pytest.mark.parametrize(("name", "again"), [("rows", 10), ("bits", 10), ("hashes", 10), ("about.json", 20)])
def test_a_file_that_is_cut_is_an_error_until_it_is_mended(
    tmp_path: Path, storage: EmbeddedStorage, name: str, again: int
) -> None:
    before = everything(storage)
    path = the(tmp_path / "vectors", name)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(VectorsDamagedError, match="damaged") as error:
        near(storage)
    assert error.value.hint.startswith("lane tick")
    assert len(storage.gaps()) == 1
    assert len(storage.mend()) == 1
    assert give_vectors(storage) == again, "what is sound is not computed again"
    assert everything(storage) == before
    assert (storage.gaps(), storage.damaged()) == ([], [])


def test_a_fresh_index_takes_over_what_is_sound_beside_a_garbled_description(tmp_path: Path) -> None:
    engine = engine_in(tmp_path)
    first = engine.begin()
    fill(first, "r_1", *texts(1))
    give_vectors(first)
    first.close()
    the(tmp_path / "vectors", "about.json").write_bytes(b"{")
    fresh = engine.begin()
    fill(fresh, "r_1", *texts(1))
    assert give_vectors(fresh) == 20
    assert near(fresh) == 20
    assert len(list((tmp_path / "vectors").glob("*/*.damaged-1"))) == 1
    fresh.close()


@pytest.mark.parametrize("pattern", ["meta.json", ".managed.json", "*.idx", "*.pos", "*.term", "*.store", "*.fast"])
def test_terms_without_one_of_their_files_are_seen_by_name(
    tmp_path: Path, storage: EmbeddedStorage, pattern: str
) -> None:
    before = everything(storage)
    path = next((tmp_path / "index").rglob(pattern))
    if pattern == ".managed.json":
        path.write_bytes(b"")
    else:
        path.unlink()
    with closing(engine_in(tmp_path).open()) as opened:
        assert [one.rpartition("/")[2] for one in opened.gaps()] == [path.name]
        with pytest.raises(IndexDamagedError):
            opened.chunks.matching(("zebra",), RunFilter(), NOOR, 10)
        assert len(opened.mend()) == 1
        assert everything(opened) == before
        assert len(list((tmp_path / "index").rglob("*.damaged"))) == 1
        opened.scrub()
        assert list((tmp_path / "index").rglob("*.damaged")) == []


def test_what_was_set_aside_goes_when_somebody_forgets_for_good(tmp_path: Path, storage: EmbeddedStorage) -> None:
    the(tmp_path / "vectors", "about.json").write_bytes(b"{")
    storage.mend()
    assert len(list((tmp_path / "vectors").glob("*/*.damaged-1"))) == 1
    storage.scrub()
    assert list((tmp_path / "vectors").glob("*/*.damaged-1")) == []
