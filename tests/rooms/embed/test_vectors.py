"""No vector is used that was not looked at."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlane.embed import EmbedderError, EmbedderSpec, embedder
from memlane.embed.static_table import SHA256, TABLE, TokenPieces, opened
from memlane.embed.vectors import unit

TOKENS = opened(TABLE, SHA256).tokens
NUMBERS = st.floats(allow_nan=True, allow_infinity=True, width=64)


@pytest.mark.fault("C16")
@given(st.lists(st.lists(NUMBERS, min_size=3, max_size=3), max_size=5), st.integers(0, 5), st.integers(1, 4))
def test_whatever_comes_it_is_unit_vectors_or_an_error(rows: list[list[float]], count: int, dimension: int) -> None:
    try:
        found = unit(rows, count, dimension, "it")
    except EmbedderError:
        good = len(rows) == count and dimension <= 3 and all(math.isfinite(x) for row in rows for x in row)
        assert not good or any(not 1e-30 < math.hypot(*row[:dimension]) < 1e150 for row in rows)
        return
    assert found.shape == (count, dimension)
    assert found.dtype == np.float32
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


def test_numbers_too_big_for_a_single_are_still_a_direction() -> None:
    assert np.allclose(unit([[3e60, 4e60]], 1, 2, "it"), [[0.6, 0.8]])


def test_one_bad_row_spoils_its_batch() -> None:
    with pytest.raises(EmbedderError, match="zeros"):
        unit([[1.0, 0.0], [0.0, 0.0]], 2, 2, "it")


def test_cutting_comes_before_the_unit_length() -> None:
    assert np.allclose(unit([[3.0, 4.0, 100.0]], 1, 2, "it"), [[0.6, 0.8]])


def test_a_spec_is_the_same_after_it_was_written_down() -> None:
    spec = EmbedderSpec("openai", name="m", url="http://127.0.0.1:1/v1", dimension=12, key_variable="A_KEY")
    assert msgspec.json.decode(msgspec.json.encode(spec), type=EmbedderSpec) == spec
    assert len({spec, msgspec.json.decode(msgspec.json.encode(spec), type=EmbedderSpec)}) == 1


def test_a_model_nobody_knows_is_told_with_those_there_are() -> None:
    with pytest.raises(EmbedderError, match="no model 'word2vec'") as caught:
        embedder(EmbedderSpec("word2vec"), {})
    assert "static" in caught.value.hint


@pytest.fixture(scope="module")
def pieces() -> TokenPieces:
    return TokenPieces(TOKENS)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("hello world", ["▁hello", "▁world"]),
        ("unbelievable", ["▁un", "bel", "iev", "able"]),
        ("getUserName(42)", ["▁get", "UserName", "4", "2"]),
        ("foo_bar\n  baz", ["▁foo", "bar", "▁baz"]),
        ("Größe", ["▁Gr", "ö", "ße"]),
        ("日本語", ["▁", "日", "本", "語"]),
        ("𓀀", ["▁", "<0xF0>", "<0x93>", "<0x80>", "<0x80>"]),
    ],
)
def test_words_are_cut_as_the_tokenizer_of_the_tables_makers_cuts_them(
    pieces: TokenPieces, text: str, cut: list[str]
) -> None:
    """But for spaces and ASCII punctuation."""
    tokens = list(TOKENS)
    assert [tokens[number] for number in pieces.tokens(text)] == cut


@given(st.text(max_size=200))
def test_cutting_never_fails_and_never_changes(text: str) -> None:
    cut, again = TokenPieces(TOKENS).tokens(text), TokenPieces(TOKENS)
    again.tokens("other words before it")
    assert cut == again.tokens(text)
    assert all(0 <= token < len(TOKENS) for token in cut)
