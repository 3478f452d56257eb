"""Which words of a text a token classifier on this computer marks, and as what: names, addresses, dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np

from memlane.embed.embedder import EmbedderError
from memlane.embed.onnx import model_folder, model_inputs, opened

PIECE = 1500  # characters that are looked at together
_PART = re.compile(r"^[BIESLU]-")  # where in its span a token stands
_OUTSIDE = "O"
Label = tuple[int, int, str]  # where it begins and ends, and what it is


class _Labels(msgspec.Struct, frozen=True):
    """Of `config.json`: what each number of the model means."""

    id2label: dict[str, str]


class TokenLabels:
    """Any token classifier in a folder, with `tokenizer.json` and `config.json` beside it."""

    def __init__(self, folder: Path, setting: str) -> None:
        found = model_folder(folder, setting)
        self.name = found.name
        self._labels = _labels(found.tokenizer.with_name("config.json"))
        self._tokenizer, self._model = opened(found)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(found.max_length)
        self._inputs = model_inputs(self._model, self.name)

    def find(self, text: str) -> Sequence[Label]:
        found = ((begin, one) for begin, piece in _pieces(text) for one in self._in(piece))
        return [(start + begin, end + begin, label) for begin, (start, end, label) in found]

    def _in(self, piece: str) -> Iterator[Label]:
        tokens = self._tokenizer.encode(piece.encode("utf-8", "replace").decode())
        if tokens.overflowing and len(piece) > 1:
            half = len(piece) // 2
            yield from self._in(piece[:half])
            yield from ((start + half, end + half, label) for start, end, label in self._in(piece[half:]))
            return
        ids = np.array([tokens.ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        scores = np.asarray(self._model.run(None, {name: given[name] for name in self._inputs})[0])[0]
        named = [self._labels.get(int(number), _OUTSIDE) for number in scores.argmax(axis=-1)]
        inside = (
            (start, end, label)
            for (start, end), label, special in zip(tokens.offsets, named, tokens.special_tokens_mask, strict=True)
            if label != _OUTSIDE and end > start and not special
        )
        yield from _joined(inside, piece)


def _joined(tokens: Iterator[Label], text: str) -> Iterator[Label]:
    """Neighbours of one kind are one span; the space before a word is no part of it."""
    last: Label | None = None
    for start, end, label in tokens:
        if last is not None and last[2] == label and not text[last[1] : start].strip():
            last = (last[0], end, label)
            continue
        if last is not None:
            yield _stripped(last, text)
        last = (start, end, label)
    if last is not None:
        yield _stripped(last, text)


def _stripped(found: Label, text: str) -> Label:
    start, end, label = found
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip()), label


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """Cut between words where there are some."""
    start = 0
    while start < len(text):
        end = start + PIECE
        if end < len(text):
            space = max(text.rfind(mark, start, end) for mark in (" ", "\n"))
            end = space + 1 if space > start else end
        yield start, text[start:end]
        start = end


def _labels(config: Path) -> dict[int, str]:
    try:
        told = msgspec.json.decode(config.read_bytes(), type=_Labels).id2label
        return {
            int(number): _OUTSIDE if name == _OUTSIDE else _PART.sub("", name).lower().replace("_", "-")
            for number, name in told.items()
        }
    except (OSError, ValueError, msgspec.DecodeError) as error:
        raise EmbedderError(f"{config} does not say what the model's labels are ({error})") from error
