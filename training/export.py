"""`python -m training.export WEIGHTS OUT.onnx`: an encoder as int8 ONNX, which needs no torch to run.

Inputs `ids` and `mask`, output one vector of length one per text.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import torch
from onnxruntime import quantization

from training import bert

OPSET = 17


def export(weights: Path, out: Path) -> None:
    model = bert.Pooled(bert.load(weights)).eval()
    ids = torch.tensor([[101, 2023, 102], [101, 102, 0]])
    axes = {0: "texts", 1: "tokens"}
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            model,
            (ids, (ids != 0).long()),
            str(whole),
            input_names=["ids", "mask"],
            output_names=["vectors"],
            dynamic_axes={"ids": axes, "mask": axes, "vectors": {0: "texts"}},
            opset_version=OPSET,
            dynamo=False,
        )
        quantization.quantize_dynamic(whole, out, weight_type=quantization.QuantType.QInt8, per_channel=True)


def main() -> None:
    export(Path(sys.argv[1]), Path(sys.argv[2]))


if __name__ == "__main__":
    main()
