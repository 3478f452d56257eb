"""A second look of small random weights behind the encoder that ships, in a file of the true format."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlane.embed.encoder.weights import aligned
from memlane.embed.models import ENCODER_SHA256

Arrays = dict[str, NDArray[Any]]
WIDTH, INNER, APART = 384, 128, 2
FACTS = {"name": "tried", "layers": 2, "apart": APART, "behind": ENCODER_SHA256, "asked": 24, "noted": 32}


def some_arrays(seed: int = 5, layers: int = 2) -> Arrays:
    dice = np.random.default_rng(seed)

    def some(*shape: int, much: float = 0.05) -> NDArray[np.float32]:
        return (dice.standard_normal(shape) * much).astype(np.float32)

    made: Arrays = {"sides": some(2, WIDTH), "out": some(WIDTH, much=0.5), "bias": some(1)}
    for n in range(layers):
        for name, shape in (
            *(("heads", (WIDTH, 3 * WIDTH)), ("mix", (WIDTH, WIDTH))),
            *(("up", (WIDTH, INNER)), ("down", (INNER, WIDTH))),
        ):
            made[f"{n}.{name}"] = dice.integers(-127, 128, shape, np.int8)
            made[f"{n}.{name}.scale"] = np.full(shape[1], 0.001, np.float32)
            made[f"{n}.{name}_bias"] = some(shape[1])
        for name in ("mixed", "done"):
            made[f"{n}.{name}"] = np.stack([1 + some(WIDTH), some(WIDTH)])
    return made


def written(path: Path, arrays: Arrays, **facts: object) -> str:
    """The file, and its digest."""
    tensors, body = list[dict[str, Any]](), bytearray()
    for name, array in arrays.items():
        body += bytes(aligned(len(body)) - len(body))
        tensors.append({"name": name, "kind": array.dtype.str, "shape": array.shape, "at": len(body)})
        body += array.tobytes()
    head = json.dumps({**FACTS, **facts, "text": 0, "tensors": tensors}).encode() + b"\n"
    path.write_bytes(head + bytes(aligned(len(head)) - len(head)) + bytes(body))
    return hashlib.sha256(path.read_bytes()).hexdigest()
