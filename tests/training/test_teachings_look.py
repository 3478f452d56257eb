"""Toy sentences that teach are told from others, and the packed layers say what the trained ones say."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import safetensors.torch
import torch

from memlane.embed.encoder.layers import layers_of, through
from memlane.embed.encoder.weights import opened
from training.bert import Bert, Shape
from training.look import alone
from training.pack import Stored
from training.pack_teachings import pack
from training.teachings_look import APART, TeachingRows, mean, said_of, trained

SHAPE = Shape(layers=6, width=384, inner=1536, words=40, positions=64)


def _rows(folder: Path) -> TeachingRows:
    made = [
        {"tokens": [1, 5 + n % 2, 7 + n % 9, 2], "taught": n % 2 == 0, "weight": 1.0, "part": -1} for n in range(64)
    ]
    (folder / "rows").write_text("".join(json.dumps(row) + "\n" for row in made))
    return TeachingRows(folder / "rows", "cpu")


def test_it_learns_and_runs_packed_as_trained(tmp_path: Path) -> None:
    torch.manual_seed(3)
    body, rows = Bert(SHAPE).eval(), _rows(tmp_path)
    look = mean([trained(body, rows, np.arange(64), seed) for seed in range(2)])
    said = said_of(look, rows, np.arange(64))
    assert said[::2].min() > said[1::2].max()
    safetensors.torch.save_file(look.stored(), tmp_path / "trained")
    packed = pack(Stored(tmp_path / "trained"), "tried", "0" * 64, apart=APART, asked=64)
    (tmp_path / "packed").write_bytes(packed)
    weights = opened(tmp_path / "packed", hashlib.sha256(packed).hexdigest())
    with torch.no_grad():
        x = alone(body, rows.ids[:1, :4], rows.mask[:1, :4], APART)[0].numpy()
    again = through(layers_of(weights), x)[0] @ weights.arrays["out"] + weights.arrays["bias"][0]
    assert abs(float(again) - float(said[0])) < 0.1
