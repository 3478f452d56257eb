"""What is trained is what runs: the second look in torch and its packed file in numpy say the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import safetensors.torch
import torch

from memlane.embed.encoder.cross_attention import cross_attention
from memlane.embed.encoder.weights import opened
from training.bert import Bert, Shape
from training.look import Look, Reading
from training.pack import Stored
from training.pack_look import pack

ROWS = (5, 9, 3)  # of a prompt and of two notes
CUT = {"apart": 1, "asked": 48, "noted": 64}


def test_the_packed_layers_say_what_the_trained_ones_say(tmp_path: Path) -> None:
    torch.manual_seed(3)
    look = Look(Bert(Shape(3, width=64, inner=128, words=9, positions=9)), Reading(apart=1, begun=(1, 2, 2))).eval()
    with torch.no_grad():
        look.sides.normal_(std=0.5)
        look.out.weight.normal_(std=1.0)
    prompt, *notes = (torch.randn(rows, 64) for rows in ROWS)
    wanted = [_said(look, prompt, note) for note in notes]
    safetensors.torch.save_file({name: one.contiguous() for name, one in look.stored().items()}, tmp_path / "trained")
    packed = pack(Stored(tmp_path / "trained"), "tried", "0" * 64, **CUT)
    (tmp_path / "packed").write_bytes(packed)
    weights = opened(tmp_path / "packed", hashlib.sha256(packed).hexdigest())
    assert (weights.layers, weights.facts.apart, weights.facts.noted) == (3, 1, 64)
    found = cross_attention(weights).log_odds(prompt.numpy(), [note.numpy() for note in notes])
    assert abs(wanted[0] - wanted[1]) > 0.2
    assert np.allclose(found, wanted, atol=0.05)


def _said(look: Look, prompt: torch.Tensor, note: torch.Tensor) -> float:
    masks = torch.ones(1, len(prompt)), torch.ones(1, len(note))
    with torch.no_grad():
        return float(look(prompt[None], masks[0], note[None], masks[1]))
