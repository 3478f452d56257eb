"""A token classifier that is read from its folder: real onnxruntime, real tokens, a model of a few bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from memlane.embed import EmbedderError
from memlane.embed.labels import PIECE, TokenLabels
from tests.rooms.embed import tiny_onnx

PEOPLE = {"Maria": "B-private_person", "Silva": "E-private_person", "Lisbon": "S-private_address"}


def found(folder: Path, text: str) -> list[tuple[str, str]]:
    model = TokenLabels(tiny_onnx.classifier(folder, PEOPLE), "donate.model")
    return [(text[start:end], label) for start, end, label in model.find(text)]


def test_neighbours_of_one_kind_are_one_name(tmp_path: Path) -> None:
    text = "ask Maria Silva in Lisbon, or Maria"
    assert found(tmp_path, text) == [
        ("Maria Silva", "private-person"),
        ("Lisbon", "private-address"),
        ("Maria", "private-person"),
    ]


@pytest.mark.parametrize("filler", ["pier ", "pier", "🚢 "])
def test_a_long_text_is_read_to_its_end(tmp_path: Path, filler: str) -> None:
    text = f"{filler * PIECE} Maria {filler * PIECE} Lisbon"
    assert found(tmp_path, text) == [("Maria", "private-person"), ("Lisbon", "private-address")]


def test_a_folder_without_labels_is_named(tmp_path: Path) -> None:
    tiny_onnx.write(tmp_path)
    with pytest.raises(EmbedderError, match=r"config\.json"):
        TokenLabels(tmp_path, "donate.model")
    with pytest.raises(EmbedderError, match="there is no model") as error:
        TokenLabels(tmp_path / "nowhere", "donate.model")
    assert "donate.model" in error.value.hint
