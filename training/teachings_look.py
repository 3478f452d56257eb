"""`python -m training.teachings_look ROWS BASE OUT`: a small transformer that says how likely a sentence teaches.

ROWS is what `training.teachings --rows` wrote, BASE what `training.unpack` made of the encoder that ships. Its first
layers stay as they are; the last ones go on from there. Writes OUT/teachings.safetensors for `training.pack_teachings`
and OUT/looked.npy: of each sentence what a model trained without its part says, for `training.teachings`.
"""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import safetensors.torch
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.bert import Bert, layer_names, load
from training.look import alone, cut

APART, BEGUN = 3, (3, 4, 5)  # layers of the encoder that stay; those that the new ones begin as
READ, SIZE, ROUNDS, RATE, WARM_UP, DROPPED = 64, 32, 5, 4e-4, 0.1, 0.1
SEEDS = 3  # runs from one beginning: their mean is better than any of them
PIECE = 512  # sentences of one forward pass
Places = NDArray[np.int64]


class TeachingLook(nn.Module):
    """Tokens of sentences in, log-odds out."""

    def __init__(self, body: Bert) -> None:
        super().__init__()
        self.body = [body]  # not trained, so none of its parameters are
        self.layers = nn.ModuleList(copy.deepcopy(body.layers[n]) for n in BEGUN)
        self.out = nn.Linear(body.shape.width, 1)
        nn.init.normal_(self.out.weight, std=0.02)
        self.dropped = nn.Dropout(DROPPED)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        with torch.no_grad():
            x = alone(self.body[0], ids, mask, APART)
        away = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = self._read(layer, x, away)
        return self.out(self.dropped(x[:, 0])).squeeze(-1).float()

    def _read(self, layer: nn.Module, x: Tensor, away: Tensor) -> Tensor:
        def heads(states: Tensor) -> Tensor:
            return states.view(*states.shape[:2], layer.heads, -1).transpose(1, 2)

        q, k, v = heads(layer.query(x)), heads(layer.key(x)), heads(layer.value(x))
        seen = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=away.to(q.dtype))
        x = layer.mixed(x + self.dropped(layer.mix(seen.transpose(1, 2).flatten(2))))
        return layer.done(x + self.dropped(layer.down(nn.functional.gelu(layer.up(x)))))

    def stored(self) -> dict[str, Tensor]:
        """Layers by BERT's own names, numbered from 0."""
        state, names = self.state_dict(), layer_names(range(len(BEGUN)))
        named = {theirs: state[ours] for ours, theirs in names.items()}
        kept = named | {name: state[name] for name in ("out.weight", "out.bias")}
        return {name: tensor.half().contiguous().cpu() for name, tensor in kept.items()}


class TeachingRows:
    """All sentences, on one device."""

    def __init__(self, path: Path, device: str) -> None:
        rows = [json.loads(line) for line in path.read_text().splitlines()]
        ids, mask = cut([row["tokens"] for row in rows], READ)
        self.ids, self.mask = ids.long().to(device), mask.float().to(device)
        self.taught = torch.tensor([float(row["taught"]) for row in rows], device=device)
        self.weights = torch.tensor([row["weight"] for row in rows], device=device)
        self.parts = np.asarray([row["part"] for row in rows])

    def of(self, places: Places) -> tuple[Tensor, Tensor]:
        longest = int(self.mask[places].sum(1).max())
        return self.ids[places, :longest], self.mask[places, :longest]


def trained(base: Bert, rows: TeachingRows, places: Places, seed: int) -> TeachingLook:
    torch.manual_seed(seed)
    look = TeachingLook(base).to(rows.ids.device).train()
    optimizer = torch.optim.AdamW(look.parameters(), lr=RATE, weight_decay=0.01)
    batches = list(_batches(places, seed))
    for step, some in enumerate(batches, 1):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, step / (WARM_UP * len(batches))) * (1 - step / len(batches))
        loss = _loss(look, rows, some)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(look.parameters(), 1.0)
        optimizer.step()
    return look.eval()


def _batches(places: Places, seed: int) -> Iterator[Places]:
    chance = np.random.default_rng(seed)
    for _ in range(ROUNDS):
        order = chance.permutation(places)
        yield from (order[at : at + SIZE] for at in range(0, len(order), SIZE))


def _loss(look: TeachingLook, rows: TeachingRows, some: Places) -> Tensor:
    with torch.autocast(rows.ids.device.type, torch.bfloat16, enabled=rows.ids.is_cuda):
        said = look(*rows.of(some))
    each = nn.functional.binary_cross_entropy_with_logits(said, rows.taught[some], reduction="none")
    return (each * rows.weights[some]).sum() / rows.weights[some].sum()


def mean(looks: Sequence[TeachingLook]) -> TeachingLook:
    with torch.no_grad():
        for same in zip(*(look.parameters() for look in looks), strict=True):
            same[0].copy_(sum(same[1:], same[0]) / len(same))
    return looks[0]


@torch.no_grad()
def said_of(look: TeachingLook, rows: TeachingRows, places: Places) -> NDArray[np.float32]:
    pieces = (places[at : at + PIECE] for at in range(0, len(places), PIECE))
    return np.concatenate([look(*rows.of(some)).cpu().numpy() for some in pieces])


def main() -> None:
    source, base, out = (Path(argument) for argument in sys.argv[1:4])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows, body = TeachingRows(source, device), load(base).to(device).eval()
    looked = np.full(len(rows.parts), np.nan, np.float32)
    for part in sorted({*rows.parts.tolist()}):
        places = np.flatnonzero(rows.parts != part) if part >= 0 else np.arange(len(looked))
        look = mean([trained(body, rows, places, seed) for seed in range(SEEDS)])
        if part >= 0:
            left_out = np.flatnonzero(rows.parts == part)
            looked[left_out] = said_of(look, rows, left_out)
        else:
            safetensors.torch.save_file(look.stored(), out / "teachings.safetensors")
    np.save(out / "looked.npy", looked)


if __name__ == "__main__":
    main()
