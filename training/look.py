"""The second look: the layers that read a prompt and a note of which the encoder's first layers have read each alone.

What a note is to the first layers does not depend on the prompt: it is worked out once and kept. Two ways of reading:
`together`, where every token of both goes on; and `reads`, where only the prompt's tokens go on and look at their own
and at the note's, which stay as they are. Of the last layer only the first token is worked out.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.bert import Bert, Layer, layer_names

PROMPT, NOTE = 48, 64  # tokens that are read of each
DROPPED = 0.1


@dataclass(frozen=True, slots=True)
class Reading:
    """`apart`: layers of the encoder that read alone; `begun`: those of its layers that the new ones begin as."""

    way: str = "reads"
    apart: int = 3
    begun: tuple[int, ...] = (3, 4, 5)


class Look(nn.Module):
    """States of prompts and of notes in, log-odds that the note is needed out."""

    def __init__(self, body: Bert, reading: Reading) -> None:
        super().__init__()
        self.reading = reading
        self.layers = nn.ModuleList(copy.deepcopy(body.layers[n]) for n in reading.begun)
        self.sides = nn.Parameter(torch.zeros(2, body.shape.width))
        self.out = nn.Linear(body.shape.width, 1)
        nn.init.normal_(self.out.weight, std=0.02)
        nn.init.constant_(self.out.bias, -1.0)
        self.dropped = nn.Dropout(DROPPED)

    def forward(self, asked: Tensor, asked_mask: Tensor, known: Tensor, known_mask: Tensor) -> Tensor:
        """A row of each for every pair; masks are 1 where there is a token."""
        away = (1.0 - torch.cat([asked_mask, known_mask], 1)[:, None, None, :].to(asked.dtype)) * -1e4
        x, note = asked + self.sides[0], known + self.sides[1]
        if self.reading.way == "together":
            x, note = torch.cat([x, note], 1), note[:, :0]
        for n, layer in enumerate(self.layers):
            source = torch.cat([x, note], 1)
            x = self._read(layer, x if n + 1 < len(self.layers) else x[:, :1], source, away)
        return self.out(self.dropped(x[:, 0])).squeeze(-1).float()

    def _read(self, layer: Layer, x: Tensor, source: Tensor, away: Tensor) -> Tensor:
        def heads(states: Tensor) -> Tensor:
            return states.view(len(states), states.shape[1], layer.heads, -1).transpose(1, 2)

        q, k, v = heads(layer.query(x)), heads(layer.key(source)), heads(layer.value(source))
        seen = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=away.to(q.dtype))
        x = layer.mixed(x + self.dropped(layer.mix(seen.transpose(1, 2).flatten(2))))
        return layer.done(x + self.dropped(layer.down(nn.functional.gelu(layer.up(x)))))

    def stored(self) -> dict[str, Tensor]:
        """Layers by BERT's own names, numbered from 0."""
        names = layer_names(range(len(self.layers)))
        own = {name: tensor for name, tensor in self.state_dict().items() if not name.startswith("layers.")}
        return own | {theirs: self.state_dict()[ours] for ours, theirs in names.items()}


def alone(body: Bert, ids: Tensor, mask: Tensor, apart: int) -> Tensor:
    """What the encoder's first layers make of texts."""
    x = body.norm(body.words(ids) + body.positions.weight[: ids.shape[1]] + body.segments.weight[0])
    away = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
    for layer in body.layers[:apart]:
        x = layer(x, away)
    return x


def cut(rows: Sequence[list[int]], most: int) -> tuple[Tensor, Tensor]:
    """Token ids and their mask, all `most` long: what is too long keeps its last token."""
    ids, mask = (torch.zeros(len(rows), most, dtype=torch.int32) for _ in range(2))
    for n, row in enumerate(rows):
        kept = row if len(row) <= most else [*row[: most - 1], row[-1]]
        ids[n, : len(kept)] = torch.tensor(kept, dtype=torch.int32)
        mask[n, : len(kept)] = 1
    return ids, mask
