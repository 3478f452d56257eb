"""`python -m training.unpack FILE.weights OUT`: the encoder that ships as a checkpoint with BERT's own names.

The way back from `training.pack`, for whoever trains further layers behind it: the same numbers, in half precision.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.numpy
from numpy.typing import NDArray

HEAD, ALIGNED = 32, 64
Array = NDArray[Any]


def arrays_of(path: Path) -> tuple[Mapping[str, Any], dict[str, Array]]:
    """Read without memlane, which the machine with the GPU need not have."""
    content = path.read_bytes()
    begins = content.find(b"\n") + 1
    facts = json.loads(content[:begins])
    base = -(-(begins + facts["text"]) // ALIGNED) * ALIGNED
    found = dict[str, Array]()
    for one in facts["tensors"]:
        count = int(np.prod(one["shape"]))
        found[one["name"]] = np.frombuffer(content, one["kind"], count, base + one["at"]).reshape(one["shape"])
    return facts, found


def checkpoint(path: Path) -> dict[str, Array]:
    facts, arrays = arrays_of(path)

    def whole(name: str) -> Array:
        return arrays[name] * arrays[f"{name}.scale"] if arrays[name].dtype == np.int8 else arrays[name]

    made = {
        "embeddings.word_embeddings.weight": whole("words"),
        "embeddings.position_embeddings.weight": whole("places"),  # the first segment is in it
        "embeddings.token_type_embeddings.weight": np.zeros((2, whole("places").shape[1])),
        **_norm("embeddings.LayerNorm", whole("norm")),
    }
    for n in range(facts["layers"]):
        part = {name.partition(".")[2]: whole(name) for name in arrays if name.startswith(f"{n}.")}
        made |= {f"encoder.layer.{n}.{name}": array for name, array in _layer(part)}
    return {name: np.ascontiguousarray(array, np.float16) for name, array in made.items()}


def _norm(name: str, gain_and_shift: Array) -> dict[str, Array]:
    return {f"{name}.weight": gain_and_shift[0], f"{name}.bias": gain_and_shift[1]}


def _layer(part: Mapping[str, Array]) -> Iterator[tuple[str, Array]]:
    heads = len(part["heads"]) // 3
    for n, name in enumerate(("query", "key", "value")):
        times = HEAD**0.5 if name == "query" else 1.0  # what scales the queries is in the weights
        mine = slice(n * heads, (n + 1) * heads)
        yield f"attention.self.{name}.weight", times * _side_by_side(part["heads"][mine])
        yield f"attention.self.{name}.bias", times * part["heads_bias"][mine].reshape(-1)
    yield "attention.output.dense.weight", _side_by_side(part["mix"])
    yield "attention.output.dense.bias", part["mix_bias"]
    yield "intermediate.dense.weight", _side_by_side(part["up"])
    yield "intermediate.dense.bias", part["up_bias"].reshape(-1)
    down = part["down"].transpose(1, 3, 0, 2)
    yield "output.dense.weight", down.reshape(down.shape[0] * down.shape[1], -1)
    yield "output.dense.bias", part["down_bias"]
    yield from _norm("attention.output.LayerNorm", part["mixed"]).items()
    yield from _norm("output.LayerNorm", part["done"]).items()


def _side_by_side(blocks: Array) -> Array:
    """(block, row, column) as (all columns, row), as a checkpoint has it."""
    return blocks.transpose(0, 2, 1).reshape(-1, blocks.shape[1])


def main() -> None:
    weights, out = (Path(argument) for argument in sys.argv[1:3])
    safetensors.numpy.save_file(checkpoint(weights), out)


if __name__ == "__main__":
    main()
