"""`python -m training.pack WEIGHTS TOKENIZER NAME OUT`: a tuned encoder as the one file that memlane ships and runs.

WEIGHTS is what `training.run` or `training.bases --all` wrote; matrices become int8 by output column, laid out in the
blocks that the running code multiplies with. Prints the digest that belongs into `embed/shipped.py`.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

from memlane.embed.encoder.weights import aligned

HEAD, BLOCK, ROWS = 32, 64, 384  # columns of a head and of a block; rows of a block of the last matrix
SCALE = ".scale"
Array = NDArray[Any]


class Stored:
    """A checkpoint with BERT's own names, in single precision."""

    def __init__(self, path: Path) -> None:
        self._tensors = safetensors.numpy.load_file(path)

    def __getitem__(self, name: str) -> Array:
        array = self._tensors[name].astype(np.float32)
        return array * self._tensors[name + SCALE][:, None] if name + SCALE in self._tensors else array

    def numbers(self, name: str) -> tuple[Array, Array]:
        """As int8 by row; the same ones again where they already are."""
        if name + SCALE in self._tensors:
            return self._tensors[name], self._tensors[name + SCALE].astype(np.float32)
        rows = self[name]
        scale = (np.abs(rows).max(axis=1) / 127 + 1e-12).astype(np.float32)
        return np.round(rows / scale[:, None]).astype(np.int8), scale

    @property
    def layers(self) -> int:
        return 1 + self.numbered[-1]

    @property
    def numbered(self) -> list[int]:
        """Which layers it has: a second look has only the last ones."""
        return sorted({int(name.split(".")[2]) for name in self._tensors if name.startswith("encoder.layer.")})


def arrays(stored: Stored) -> Iterator[tuple[str, Array]]:
    words, scale = stored.numbers("embeddings.word_embeddings.weight")
    yield from (("words", words), ("words.scale", scale[:, None]))
    yield (
        "places",
        stored["embeddings.position_embeddings.weight"] + stored["embeddings.token_type_embeddings.weight"][0],
    )
    yield "norm", norm(stored, "embeddings.LayerNorm")
    for n in range(stored.layers):
        yield from ((f"{n}.{name}", array) for name, array in layer(stored, f"encoder.layer.{n}"))


def layer(stored: Stored, place: str) -> Iterator[tuple[str, Array]]:
    each = [stored.numbers(f"{place}.attention.self.{part}.weight") for part in ("query", "key", "value")]
    biases = [stored[f"{place}.attention.self.{part}.bias"] for part in ("query", "key", "value")]
    root = np.float32(HEAD**-0.5)
    scale = np.concatenate([each[0][1] * root, each[1][1], each[2][1]])
    yield from _blocks("heads", np.concatenate([numbers for numbers, _scale in each]), scale, HEAD)
    yield "heads_bias", np.concatenate([biases[0] * root, *biases[1:]]).reshape(-1, 1, HEAD)
    yield from _blocks("mix", *stored.numbers(f"{place}.attention.output.dense.weight"), BLOCK)
    yield "mix_bias", stored[f"{place}.attention.output.dense.bias"]
    yield "mixed", norm(stored, f"{place}.attention.output.LayerNorm")
    yield from _blocks("up", *stored.numbers(f"{place}.intermediate.dense.weight"), BLOCK)
    yield "up_bias", stored[f"{place}.intermediate.dense.bias"].reshape(-1, 1, BLOCK)
    numbers, scale = stored.numbers(f"{place}.output.dense.weight")
    columns, rows = numbers.shape
    cut = numbers.T.reshape(rows // ROWS, ROWS, columns // BLOCK, BLOCK).transpose(0, 2, 1, 3)
    yield from (("down", cut), ("down.scale", scale.reshape(1, columns // BLOCK, 1, BLOCK)))
    yield "down_bias", stored[f"{place}.output.dense.bias"]
    yield "done", norm(stored, f"{place}.output.LayerNorm")


def _blocks(name: str, numbers: Array, scale: Array, width: int) -> Iterator[tuple[str, Array]]:
    columns, rows = numbers.shape
    yield name, numbers.T.reshape(rows, columns // width, width).transpose(1, 0, 2)
    yield f"{name}.scale", scale.reshape(columns // width, 1, width)


def norm(stored: Stored, place: str) -> Array:
    return np.stack([stored[f"{place}.weight"], stored[f"{place}.bias"]])


def pack(stored: Stored, pieces: list[str], name: str) -> bytes:
    return packed(arrays(stored), pieces, name=name, layers=stored.layers)


def packed(named: Iterable[tuple[str, Array]], pieces: list[str], **facts: str | int) -> bytes:
    text, tensors, body = "\n".join(pieces).encode(), list[dict[str, Any]](), bytearray()
    for called, array in named:
        kept = np.ascontiguousarray(array, array.dtype if array.dtype == np.int8 else np.float32)
        body += bytes(aligned(len(body)) - len(body))
        tensors.append({"name": called, "kind": kept.dtype.str, "shape": kept.shape, "at": len(body)})
        body += kept.tobytes()
    head = json.dumps({**facts, "text": len(text), "tensors": tensors}).encode() + b"\n" + text
    return head + bytes(aligned(len(head)) - len(head)) + bytes(body)


def main() -> None:
    weights, tokenizer, name, out = sys.argv[1:5]
    numbered = json.loads(Path(tokenizer).read_text())["model"]["vocab"]
    packed = pack(Stored(Path(weights)), sorted(numbered, key=numbered.__getitem__), name)
    Path(out).write_bytes(packed)
    sys.stdout.write(f"{len(packed):,} bytes, sha256 {hashlib.sha256(packed).hexdigest()}\n")


if __name__ == "__main__":
    main()
