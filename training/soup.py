"""`python -m training.soup OUT WEIGHTS…`: the mean of several encoders tuned from one base, matrices as int8 by row.

Runs that differ by their seed end in one valley; its middle is better than any of them and costs nothing more to run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

from training.bert import SCALE


def mean(paths: Sequence[Path]) -> dict[str, Tensor]:
    total: dict[str, Tensor] = {}
    for path in paths:
        for name, tensor in safetensors.torch.load_file(path).items():
            total[name] = total.get(name, torch.zeros_like(tensor, dtype=torch.float32)) + tensor.float() / len(paths)
    return total


def packed(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    out: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        if tensor.ndim == 2:
            scale = tensor.abs().amax(dim=1) / 127 + 1e-12
            out[name] = (tensor / scale[:, None]).round().to(torch.int8)
            out[name + SCALE] = scale
        else:
            out[name] = tensor.half()
    return out


def main() -> None:
    out, *weights = (Path(argument) for argument in sys.argv[1:])
    safetensors.torch.save_file(packed(mean(weights)), out)


if __name__ == "__main__":
    main()
