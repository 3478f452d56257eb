"""The encoder that ships: its weights are the ones it is named after, and the same words are the same numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memlane import embed
from memlane.embed import EmbedderError
from memlane.embed.encoder import TunedEncoder
from memlane.embed.encoder.recall_encoder import WordPiece
from memlane.embed.models import ENCODER_WEIGHTS, TUNED

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "no", "##te", "##s", "note", "cafe", ",", "_", "日", "a"]


@pytest.fixture(scope="module")
def tuned() -> TunedEncoder:
    return TunedEncoder()


def test_words_are_cut_into_the_longest_pieces_there_are() -> None:
    cut = WordPiece(PIECES)
    assert cut.tokens("Notes, Café", 99) == [2, 7, 6, 9, 8, 3]
    assert cut.tokens("日a\u200b_\x00", 99) == [2, 11, 12, 10, 3]
    assert cut.tokens("notezzz " + "a" * 101, 99) == [2, 1, 1, 3]


def test_a_long_text_is_cut_and_still_ends() -> None:
    assert WordPiece(PIECES).tokens("a " * 50, 8) == [2, *[12] * 6, 3]


def test_a_prompt_is_nearer_to_the_note_it_needs_than_to_another(tuned: TunedEncoder) -> None:
    prompt = tuned.query("the container build cannot find the new package")
    needed, other = tuned.passages(
        [
            "Add every new workspace package to the Dockerfile COPY list",
            "The weekly newsletter goes out on Thursday at nine",
        ]
    )
    assert prompt @ needed > prompt @ other + 0.2


def test_the_same_words_are_the_same_numbers_whatever_stands_beside_them(tuned: TunedEncoder) -> None:
    alone, beside = tuned.passages(["use pnpm"])[0], tuned.passages(["something else", "use pnpm"])[1]
    assert np.array_equal(alone, beside)
    assert np.array_equal(alone, tuned.query("use pnpm"))
    assert tuned.passages([]).shape == (0, tuned.dimension)
    assert np.linalg.norm(tuned.query("")) == pytest.approx(1.0, abs=1e-6)


def test_its_tag_names_its_weights_and_it_is_fitted(tuned: TunedEncoder) -> None:
    assert tuned.tag == TUNED
    assert embed.calibration(tuned.tag) is not None
    assert embed.calibration("another@384") is None


def test_other_weights_are_never_used_under_its_name(tmp_path: Path) -> None:
    changed = bytearray(ENCODER_WEIGHTS.read_bytes())
    changed[-1] ^= 1
    (tmp_path / "w").write_bytes(changed)
    with pytest.raises(EmbedderError, match="is damaged"):
        TunedEncoder(tmp_path / "w")
    with pytest.raises(EmbedderError, match="is missing"):
        TunedEncoder(tmp_path / "gone")
