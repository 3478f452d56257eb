"""`python -m training.bases WEIGHTS OUT [--all]`: base weights out of a package, in the one form the trainer reads.

WEIGHTS is a BERT as safetensors or as an ONNX export. The word table (`--all`: every matrix) becomes int8 by row with
its scales, the rest is half precision, so that it is small enough to send to another machine.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import safetensors.numpy
from numpy.typing import NDArray
from onnx import numpy_helper

WORDS = "embeddings.word_embeddings.weight"
SCALE = ".scale"
Array = NDArray[Any]


def read(path: Path) -> dict[str, Array]:
    return safetensors.numpy.load_file(path) if path.suffix == ".safetensors" else from_onnx(path)


def from_onnx(path: Path) -> dict[str, Array]:
    """An export keeps names of biases and norms; a matrix is named by the node that multiplies with it, transposed."""
    graph = onnx.load(str(path)).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    named = {name: array for name, array in stored.items() if not name.startswith("onnx::") and array.size > 1}
    for node in graph.node:
        for given in node.input if node.op_type == "MatMul" else ():
            if given.startswith("onnx::") and given in stored:
                owner = node.name.strip("/").rpartition("/")[0].replace("/", ".")
                named[f"{owner}.weight"] = stored[given].T
    return named


def packed(tensors: dict[str, Array], *, tables_only: bool = True) -> dict[str, Array]:
    """The word table, or every matrix, as int8 by row with scales beside it; the rest in half precision."""
    out: dict[str, Array] = {}
    for name, array in tensors.items():
        if array.dtype.kind != "f":
            continue
        if name == WORDS or (array.ndim == 2 and not tables_only):
            rows = array.astype(np.float32)
            scale = np.abs(rows).max(axis=1) / 127 + 1e-12
            out[name] = np.ascontiguousarray(np.round(rows / scale[:, None]), dtype=np.int8)
            out[name + SCALE] = scale.astype(np.float32)
        else:
            out[name] = np.ascontiguousarray(array, dtype=np.float16)
    return out


def main() -> None:
    weights, out = (Path(argument) for argument in sys.argv[1:3])
    safetensors.numpy.save_file(packed(read(weights), tables_only="--all" not in sys.argv), out)


if __name__ == "__main__":
    main()
