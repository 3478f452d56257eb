"""A folder with a sentence transformer in it: which files, and how its makers want it used.

`model.onnx` and `tokenizer.json`, as many publish them and fastembed keeps them; `embed.json` may say the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from memlane.embed.embedder import EmbedderError
from memlane.embed.known import known

_MODELS = ("model.onnx", "model_optimized.onnx", "model_quantized.onnx", "onnx/model.onnx", "onnx/model_quantized.onnx")
_SNAPSHOTS = ("", "snapshots/*", "*/snapshots/*")  # as they are kept by what downloads them
_FIRST_TOKEN = ("bge", "mxbai-", "snowflake-arctic")  # families that speak through their first token
_PIECE = 1 << 20
_Kind = TypeVar("_Kind", bound=msgspec.Struct)


class Told(msgspec.Struct, frozen=True):
    """`embed.json`: what the folder's owner says about it."""

    name: str = ""
    pooling: Literal["cls", "mean", ""] = ""
    query: str | None = None  # what stands before a question
    passage: str | None = None
    max_length: int = 512  # tokens


class _Pooling(msgspec.Struct, frozen=True):
    pooling_mode_cls_token: bool = False


@dataclass(frozen=True, slots=True)
class Folder:
    model: Path
    tokenizer: Path
    name: str
    pooling: str
    query: str
    passage: str
    max_length: int


def found(folder: Path) -> Folder:
    place = next((place for pattern in _SNAPSHOTS for place in _places(folder, pattern) if _model(place)), None)
    model = place and _model(place)
    if place is None or model is None or not (place / "tokenizer.json").is_file():
        raise EmbedderError(
            f"there is no model in {folder}",
            "it should hold model.onnx and tokenizer.json: lane config set embed.folder",
        )
    told = _read(place / "embed.json", Told) or Told()
    name = told.name or _named(folder)
    facts = known(name)
    return Folder(
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
            raise EmbedderError(f"{path} is not the file it should be", "install its package again")


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
