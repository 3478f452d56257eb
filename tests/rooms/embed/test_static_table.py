"""The token table that ships with memlane."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest

from memlane.embed import EmbedderError, EmbedderSpec, embedder
from memlane.embed.static_table import SHA256, TABLE, StaticEmbedder, opened


@pytest.fixture(scope="module")
def static() -> StaticEmbedder:
    return StaticEmbedder()


def test_texts_about_the_same_thing_are_nearer_than_others(static: StaticEmbedder) -> None:
    asked = static.query("how do I restore the database from a backup?")
    near, far = static.passages(["recovering Postgres data after the disk failed", "the ferry leaves at nine o'clock"])
    assert near @ asked > far @ asked + 0.2


def test_the_same_text_has_the_same_vector_whatever_stands_beside_it(static: StaticEmbedder) -> None:
    alone = static.passages(["rotate the signing key"])[0]
    among = static.passages(["one", "rotate the signing key", "two"])[1]
    assert np.array_equal(alone, among)
    assert np.array_equal(alone, static.query("rotate the signing key"))


@pytest.mark.parametrize(
    "text", ["", "   \n", "?!", "\ud800", "\x00", "数据库", "नमस्ते", "🦙" * 50, "a" * 100_000, "é" * 9]
)
def test_any_text_has_a_finite_vector_of_unit_length(static: StaticEmbedder, text: str) -> None:
    vector = static.query(text)
    assert vector.shape == (256,)
    assert vector.dtype == np.float32
    assert abs(float(vector @ vector) - 1) < 1e-5


def test_texts_that_say_nothing_are_all_alike(static: StaticEmbedder) -> None:
    nothing = static.passages(["", " ", "--", "\n"])
    assert np.array_equal(nothing, np.repeat(nothing[:1], 4, axis=0))


def test_spaces_and_punctuation_do_not_change_what_is_said(static: StaticEmbedder) -> None:
    assert np.array_equal(static.query("restart  the (worker)!"), static.query("restart the  (worker)"))


def test_no_texts_are_no_rows(static: StaticEmbedder) -> None:
    assert static.passages([]).shape == (0, 256)


def test_fewer_numbers_are_the_first_ones_made_to_unit_length_again(static: StaticEmbedder) -> None:
    short = embedder(EmbedderSpec(dimension=64), {})
    whole = static.query("merge the two branches")[:64]
    assert np.allclose(short.query("merge the two branches"), whole / np.linalg.norm(whole), atol=1e-6)
    assert short.tag.endswith("@64")


@pytest.mark.parametrize("dimension", [-1, 257])
def test_a_dimension_the_table_does_not_have_is_refused(dimension: int) -> None:
    with pytest.raises(EmbedderError, match="256"):
        StaticEmbedder(dimension)


def test_the_tag_names_the_weights(static: StaticEmbedder) -> None:
    assert static.tag == f"wordllama-l2-{hashlib.sha256(TABLE.read_bytes()).hexdigest()[:8]}@256"


def test_a_damaged_table_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "table"
    shutil.copyfile(TABLE, copy)
    with copy.open("r+b") as file:
        file.seek(-1000, 2)
        file.write(b"\x00")
    with pytest.raises(EmbedderError, match="is damaged"):
        opened(copy, SHA256)
