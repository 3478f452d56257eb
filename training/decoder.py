"""A small decoder of the Qwen2 kind that reads a note and a prompt and says whether the note matters: the teacher.

Written out, like `bert`, so that it needs torch alone. Only as many layers as are there are run; nothing of it ships.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

HEAD, KEYS = 128, 2  # width of a head; heads of keys and values
TURN = 1_000_000.0  # base of the rotary positions
GROUP, SUPER = 32, 256  # weights that share a scale, and weights of a Q4_K block


class Norm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        wide = x.float()
        return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)).to(x.dtype) * self.weight.to(x.dtype)


class Layer(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.heads = width // HEAD
        self.attn_norm, self.ffn_norm = Norm(width), Norm(width)
        self.attn_q = nn.Linear(width, width)
        self.attn_k, self.attn_v = (nn.Linear(width, KEYS * HEAD) for _ in range(2))
        self.attn_output = nn.Linear(width, width, bias=False)
        self.ffn_gate, self.ffn_up = (nn.Linear(width, inner, bias=False) for _ in range(2))
        self.ffn_down = nn.Linear(inner, width, bias=False)

    def forward(
        self, x: Tensor, turned: tuple[Tensor, Tensor], past: Past | None = None, seen: Tensor | None = None
    ) -> Tensor:
        batch, length, width = x.shape
        read = self.attn_norm(x)
        q = _turn(self.attn_q(read).view(batch, length, self.heads, HEAD).transpose(1, 2), turned)
        k = _turn(self.attn_k(read).view(batch, length, KEYS, HEAD).transpose(1, 2), turned).to(q.dtype)
        v = self.attn_v(read).view(batch, length, KEYS, HEAD).transpose(1, 2).to(q.dtype)
        if past is not None:
            k, v, seen = past.taken(k, v), past.values[:, :, : past.at + length], past.seen
        taken = self._attend(q, k, v, seen)
        x = x + self.attn_output(taken.transpose(1, 2).reshape(batch, length, width))
        read = self.ffn_norm(x)
        return x + self.ffn_down(nn.functional.silu(self.ffn_gate(read)) * self.ffn_up(read))

    def _attend(self, q: Tensor, k: Tensor, v: Tensor, seen: Tensor | None) -> Tensor:
        """Heads that share keys are rows beside each other where there is one token, else keys are repeated."""
        attend = nn.functional.scaled_dot_product_attention
        if seen is None:
            return attend(q, k, v, is_causal=True, enable_gqa=True)
        many = self.heads // KEYS
        if q.shape[2] == 1:
            return attend(q.reshape(len(q), KEYS, many, HEAD), k, v, attn_mask=seen).reshape(q.shape)
        return attend(q, k.repeat_interleave(many, 1), v.repeat_interleave(many, 1), attn_mask=seen)


@dataclass(slots=True)
class Past:
    """What a layer has read of each row, where the next token goes, and which tokens may be looked at."""

    keys: Tensor
    values: Tensor
    at: int
    seen: Tensor

    def taken(self, k: Tensor, v: Tensor) -> Tensor:
        until = self.at + k.shape[2]
        self.keys[:, :, self.at : until], self.values[:, :, self.at : until] = k, v
        return self.keys[:, :, :until]


def _turn(x: Tensor, turned: tuple[Tensor, Tensor]) -> Tensor:
    cos, sin = turned
    half = x.shape[-1] // 2
    return x * cos + torch.cat([-x[..., half:], x[..., :half]], -1) * sin


class Decoder(nn.Module):
    """Token ids and their number in; one log-odds for each row out."""

    def __init__(self, words: Tensor, layers: int, inner: int) -> None:
        super().__init__()
        width = words.shape[1]
        self.words = nn.Embedding.from_pretrained(words, freeze=True)
        self.layers = nn.ModuleList(Layer(width, inner) for _ in range(layers))
        self.norm = Norm(width)
        self.out = nn.Linear(width, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.constant_(self.out.bias, -1.0)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        x = self.words(ids)
        turned = angles(ids.shape[1], x.device, torch.bfloat16 if x.is_cuda else torch.float32)
        for layer in self.layers:
            x = layer(x, turned)
        last = x[torch.arange(len(ids), device=ids.device), lengths - 1]
        return self.out(self.norm(last.float())).squeeze(-1)

    def judge(self, rows: Sequence[Sequence[int]]) -> Tensor:
        device = self.out.weight.device
        longest = max(len(row) for row in rows)
        ids = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], device=device)
        lengths = torch.tensor([len(row) for row in rows], device=device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            return self(ids, lengths).float()


def angles(length: int, device: torch.device, kind: torch.dtype) -> tuple[Tensor, Tensor]:
    rates = TURN ** (-torch.arange(0, HEAD, 2, device=device, dtype=torch.float32) / HEAD)
    angles = torch.outer(torch.arange(length, device=device, dtype=torch.float32), rates)
    both = torch.cat([angles, angles], -1)
    return both.cos().to(kind), both.sin().to(kind)


# -- weights as they travel: the blocks of a GGUF file -----------------------------------------------------------------


def load(folder: Path, layers: int) -> Decoder:
    """`words-0.npz`, `words-1.npz` and `layer-00.npz` … of `training.decoder_parts`."""
    words = _rows(folder, "words")
    first = np.load(folder / "layer-00.npz")
    decoder = Decoder(words, layers, int(first["ffn_gate.shape"][0]))
    decoder.norm.weight.data = torch.from_numpy(np.load(folder / "words-0.npz")["norm"])
    for n, layer in enumerate(decoder.layers):
        part = np.load(folder / f"layer-{n:02}.npz")
        named = {name: _tensor(part, name) for name in part.files if not name.endswith((".shape", ".kind"))}
        layer.load_state_dict({_ours(name): tensor for name, tensor in named.items()})
    return decoder


def _rows(folder: Path, name: str) -> Tensor:
    halves = [np.load(folder / f"{name}-{n}.npz") for n in (0, 1)]
    return torch.from_numpy(
        np.concatenate([h["numbers"].astype(np.float32) * h["scale"].astype(np.float32)[:, None] for h in halves])
    )


def _ours(name: str) -> str:
    return name if name.endswith(".bias") else f"{name}.weight"


def _tensor(part: np.lib.npyio.NpzFile, name: str) -> Tensor:
    array: NDArray[np.generic] = part[name]
    if array.dtype != np.uint8:
        return torch.from_numpy(array.astype(np.float32))
    shape = tuple(int(n) for n in part[f"{name}.shape"])
    blocks = torch.from_numpy(np.ascontiguousarray(array))
    whole = of_q4_k(blocks) if str(part[f"{name}.kind"]) == "Q4_K" else of_q4_0(blocks)
    return whole.reshape(shape)


def of_q4_k(data: Tensor) -> Tensor:
    """256 weights in 144 bytes: two halves, eight scales and eight minima of 6 bits, 256 numbers of 4 bits."""
    blocks = data.reshape(-1, 144)
    d, least = (blocks[:, a : a + 2].contiguous().view(torch.float16).float() for a in (0, 2))
    packed = blocks[:, 4:16].int()
    low, high, both = packed[:, 0:4], packed[:, 4:8], packed[:, 8:12]
    scales = torch.cat([low & 63, (both & 15) | ((low >> 6) << 4)], 1).float() * d
    minima = torch.cat([high & 63, (both >> 4) | ((high >> 6) << 4)], 1).float() * least
    numbers = blocks[:, 16:].reshape(-1, 4, 1, GROUP)
    numbers = torch.cat([numbers & 15, numbers >> 4], 2).reshape(-1, 8, GROUP).float()
    return (numbers * scales[:, :, None] - minima[:, :, None]).reshape(-1)


def of_q4_0(data: Tensor) -> Tensor:
    """32 weights in 18 bytes: half of a scale, 32 numbers of 4 bits around eight."""
    blocks = data.reshape(-1, 18)
    d = blocks[:, 0:2].contiguous().view(torch.float16).float()
    numbers = torch.cat([blocks[:, 2:] & 15, blocks[:, 2:] >> 4], 1).float() - 8
    return (numbers * d).reshape(-1)
