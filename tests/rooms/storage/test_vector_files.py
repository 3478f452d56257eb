"""Vectors on the disk: what was torn, garbled or erased is never served, and never in the way."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from memlane.domain import RunFilter
from memlane.errors import LaneError
from memlane.storage.embedded.chunk_rows import content_hash
from memlane.storage.embedded.vector_files import VectorFiles, created, folder_of, opened
from memlane.storage.embedded.vector_scan import nearest_rows
from memlane.storage.vectors import hamming, smallest
from tests.rooms.storage.homes import MODEL, NOOR, engine_in, everything, files_in, fill, give_vectors, texts


def vectors(count: int, dimension: int = 64, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def hashes(*names: str) -> list[bytes]:
    return [content_hash(name) for name in names]


@pytest.fixture
def files(tmp_path: Path) -> VectorFiles:
    return created(tmp_path / "m", "m", 64)


def test_what_was_appended_is_found_by_its_text(files: VectorFiles) -> None:
    assert files.append(hashes("a", "b"), vectors(2)) == 0
    assert files.append(hashes("c"), vectors(1, seed=2)) == 2
    again = opened(files.folder)
    assert again.find(hashes("c", "x", "a", "b")) == [2, None, 0, 1]
    assert np.allclose(again.rows(np.array([2, 0])), np.stack([vectors(1, seed=2)[0], vectors(2)[0]]), atol=1e-3)


@pytest.mark.parametrize("name", ["rows", "bits", "hashes"])
def test_a_torn_end_is_not_served_and_the_next_one_stands_behind_it(files: VectorFiles, name: str) -> None:
    files.append(hashes("a", "b"), vectors(2))
    path = files.folder / name
    path.write_bytes(path.read_bytes()[:-5])
    again = opened(files.folder)
    assert again.find(hashes("a", "b")) == [0, None]
    first = again.append(hashes("b", "c"), vectors(2, seed=3))
    assert again.find(hashes("a", "b", "c")) == [0, first, first + 1]
    assert np.allclose(again.rows(np.array([first])), vectors(2, seed=3)[:1], atol=1e-3)


@pytest.mark.fault("C7")
@pytest.mark.parametrize("name", ["rows", "bits", "hashes"])
def test_a_garbled_row_is_not_served(files: VectorFiles, name: str) -> None:
    files.append(hashes("a", "b", "c"), vectors(3))
    path = files.folder / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    again = opened(files.folder)
    assert again.find(hashes("a", "b", "c")) == [0, None, 2]
    assert len(again.damaged()) == 1


def test_what_was_erased_is_zeros_in_every_file(files: VectorFiles) -> None:
    files.append(hashes("a", "b"), vectors(2))
    row = vectors(2)[1].astype("<f2").tobytes()
    files.erase([1])
    assert opened(files.folder).find(hashes("a", "b")) == [0, None]
    assert files.damaged() == []
    whole = b"".join(path.read_bytes() for path in files.folder.iterdir())
    assert content_hash("b") not in whole
    assert row not in whole
    assert content_hash("a") in whole


def test_two_models_and_two_owners_never_share_a_folder() -> None:
    base = Path("/base")
    tags = ["m/x@64", "m_x@64", "../m", "m" * 300, "m" * 301, "模型"]
    folders = {folder_of(base, owner, tag) for owner in ("noor", "mira", "") for tag in tags}
    assert len(folders) == 3 * len(tags)
    assert all(folder.parent.parent == base and len(folder.name) < 120 for folder in folders)


@pytest.mark.parametrize("dimension", [64, 256, 100])
def test_the_bits_choose_what_the_whole_vectors_would_have_chosen(tmp_path: Path, dimension: int) -> None:
    centres = vectors(60, dimension, seed=4)
    rows = np.repeat(centres, 100, axis=0) + 0.4 * vectors(6000, dimension, seed=5)
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    files = created(tmp_path / "m", "m", dimension)
    files.append(hashes(*map(str, range(6000))), rows)
    asked, every = rows[123], np.arange(6000, dtype=np.int32)
    exact = dict(zip(*nearest_rows(files, every, asked, 20), strict=True))
    chosen = dict(zip(*nearest_rows(files, every, asked, 20, exact=0), strict=True))
    assert len(exact) == 6000
    assert 4000 <= len(chosen) < 6000
    best = sorted(exact, key=lambda row: -exact[row])[:20]
    assert best == sorted(chosen, key=lambda row: -chosen[row])[:20]
    assert all(chosen[row] == exact[row] for row in best)


def test_bits_are_in_columns_and_grow_with_the_file(files: VectorFiles) -> None:
    writer = opened(files.folder)
    for count in (3, 1, 40):
        writer.append([content_hash(f"{count} {n}") for n in range(count)], vectors(count, seed=count))
        rows = np.fromfile(files.folder / "bits", np.uint64).reshape(-1, files.sizes.words)
        assert np.array_equal(files.bits(), rows.T)


def test_hamming_counts_differing_bits() -> None:
    columns = np.array([[0, 1, 2**64 - 1], [0, 0, 2**64 - 1]], np.uint64)
    assert hamming(columns, np.array([0, 0], np.uint64)).tolist() == [0, 1, 128]
    assert smallest(np.array([5, 1, 1, 9, 1], np.uint16), 2).tolist() == [1, 2, 4], "all that are as small"
    assert smallest(np.array([5, 1], np.uint16), 9).tolist() == [0, 1]


@pytest.mark.fault("C7")
def test_vectors_that_are_missing_are_named_and_asked_for_again(tmp_path: Path) -> None:
    engine = engine_in(tmp_path)
    storage = engine.begin()
    fill(storage, "r_1", *texts(1))
    give_vectors(storage)
    before = everything(storage)
    shutil.rmtree(tmp_path / "vectors")
    with pytest.raises(LaneError, match="missing"):
        storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, 1000)
    assert give_vectors(storage) == 20
    assert everything(storage) == before
    storage.close()


def test_a_garbled_vector_is_left_out_and_found_by_looking_at_every_byte(tmp_path: Path) -> None:
    storage = engine_in(tmp_path).begin()
    fill(storage, "r_1", *texts(1))
    give_vectors(storage)
    assert storage.damaged() == []
    (rows,) = files_in(tmp_path / "vectors", "rows")
    data = bytearray(rows.read_bytes())
    data[3 * 128 : 4 * 128] = b"\xff" * 128  # not even numbers
    rows.write_bytes(bytes(data))
    near = storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, 1000)
    assert len(near) == 19
    assert [name.split(": ")[1] for name in storage.damaged()] == ["1 vectors"]
    storage.close()


def test_a_garbled_description_is_named(tmp_path: Path) -> None:
    storage = engine_in(tmp_path).begin()
    fill(storage, "r_1", "one")
    give_vectors(storage)
    (about,) = files_in(tmp_path / "vectors", "about.json")
    about.write_text("{")
    with pytest.raises(LaneError, match="damaged"):
        storage.vectors.nearest(np.ones(64, np.float32), MODEL, RunFilter(), NOOR, 1000)
    storage.close()
