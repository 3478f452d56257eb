"""A note is read once and then each prompt behind it: what a decoder thinks of many pairs, for half of the work.

Prompts of one row do not see each other, and each takes its places right after the note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.decoder import Decoder, angles

MOST = 8  # prompts behind one note
PIECE = 40_000  # tokens of one forward pass
NOTE = -1  # part of a row that all of it sees; -2: nothing


@dataclass(frozen=True, slots=True)
class Pack:
    """One note with prompts behind it, and which pair each of them is."""

    note: Sequence[int]
    behind: list[Sequence[int]]
    pairs: list[int]

    def __len__(self) -> int:
        return len(self.note) + sum(map(len, self.behind))


def packs(pairs: Sequence[tuple[object, Sequence[int], Sequence[int]]]) -> list[Pack]:
    """Of (name of a note, its tokens, tokens behind it)."""
    found: list[Pack] = []
    at: dict[object, Pack] = {}
    for n, (name, note, behind) in enumerate(pairs):
        pack = at.get(name)
        if pack is None or len(pack.pairs) >= MOST:
            pack = at[name] = Pack(note, [], [])
            found.append(pack)
        pack.behind.append(behind)
        pack.pairs.append(n)
    return sorted(found, key=len)


@torch.no_grad()
def judged(model: Decoder, pairs: Sequence[tuple[object, Sequence[int], Sequence[int]]]) -> NDArray[np.float32]:
    """Log-odds of each pair."""
    order, device = packs(pairs), model.out.weight.device
    said: list[tuple[list[int], Tensor]] = []
    at = 0
    while at < len(order):
        many = max(1, PIECE // len(order[min(at + PIECE // len(order[at]), len(order) - 1)]))
        some = order[at : at + many]
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            said.append(([n for pack in some for n in pack.pairs], _forward(model, some).float()))
        at += many
    out = np.zeros(len(pairs), np.float32)
    for which, values in said:
        out[which] = values.cpu().numpy()
    return out


def _forward(model: Decoder, some: Sequence[Pack]) -> Tensor:
    longest, device = max(map(len, some)), model.out.weight.device
    ids, places = (np.zeros((len(some), longest), np.int64) for _ in range(2))
    part = np.full((len(some), longest), -2, np.int64)
    ends: list[tuple[int, int]] = []
    for row, pack in enumerate(some):
        begins = until = len(pack.note)
        ids[row, :begins], places[row, :begins], part[row, :begins] = pack.note, np.arange(begins), NOTE
        for n, behind in enumerate(pack.behind):
            where = slice(until, until + len(behind))
            ids[row, where], part[row, where] = behind, n
            places[row, where] = np.arange(begins, begins + len(behind))
            until += len(behind)
            ends.append((row, until - 1))
    x = model.words(torch.from_numpy(ids).to(device))
    cos, sin = angles(int(places.max()) + 1, device, torch.bfloat16 if x.is_cuda else torch.float32)
    where = torch.from_numpy(places).to(device)
    turned = cos[where][:, None], sin[where][:, None]
    seen = _seen(torch.from_numpy(part).to(device))
    for layer in model.layers:
        x = layer(x, turned, None, seen)
    rows, last = (torch.tensor(side, device=device) for side in zip(*ends, strict=True))
    return model.out(model.norm(x[rows, last].float())).squeeze(-1)


def _seen(part: Tensor) -> Tensor:
    """What is before it of the note and of its own part; what fills up sees itself."""
    before = torch.ones(part.shape[1], part.shape[1], dtype=torch.bool, device=part.device).tril()
    same = (part[:, :, None] == part[:, None, :]) | (part[:, None, :] == NOTE)
    return (same & before)[:, None]
