"""The static sibling: one vector and one weight per token; a text is the weighted mean of its tokens, length one.

The weight is folded into the vector when it is saved, so whoever reads the table needs only a plain mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

import safetensors.torch
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

NAME = "embedding.weight"


class StaticTable(nn.Module):
    """A token table that can be tuned: `change` is added to the base rows, `weight` is the log of a token's weight."""

    base: Tensor

    def __init__(self, rows: Tensor, tokenizer: Path) -> None:
        super().__init__()
        self.register_buffer("base", rows.float())
        self.change = nn.Parameter(torch.zeros_like(rows, dtype=torch.float32))
        self.weight = nn.Parameter(torch.zeros(len(rows)))
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._known: dict[str, list[int]] = {}

    @property
    def device(self) -> torch.device:
        return self.base.device

    def encode(self, texts: Sequence[str]) -> Tensor:
        rows = self.ids(texts)
        flat = torch.tensor(list(chain.from_iterable(rows)), device=self.device)
        owner = torch.repeat_interleave(
            torch.arange(len(rows), device=self.device), torch.tensor([len(r) for r in rows], device=self.device)
        )
        vectors = (self.base[flat] + self.change[flat]) * self.weight[flat].exp()[:, None]
        total = torch.zeros(len(rows), vectors.shape[1], device=self.device).index_add(0, owner, vectors)
        return nn.functional.normalize(total, dim=-1)

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, encoding in zip(new, self._tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
            self._known[text] = encoding.ids
        return [self._known[text] for text in texts]

    def weigh_by_rarity(self, texts: Iterable[str], a: float) -> None:
        """Start from a / (a + p(token)), as smooth inverse frequency has it; a token never seen weighs one."""
        counts = torch.zeros(len(self.base))
        for row in self.ids(list(texts)):
            counts.index_add_(0, torch.tensor(row, dtype=torch.long), torch.ones(len(row)))
        share = counts / counts.sum()
        self.weight.data = (a / (a + share)).log().to(self.device)

    def folded(self) -> Tensor:
        return ((self.base + self.change) * self.weight.exp()[:, None]).detach()


def load(path: Path, tokenizer: Path) -> StaticTable:
    (rows,) = safetensors.torch.load_file(path).values()
    return StaticTable(rows, tokenizer)


def save(table: StaticTable, path: Path) -> None:
    """Half precision, scaled so that the mean row has the length it had."""
    folded = table.folded()
    rows = folded * float(_length(table.base) / _length(folded))
    safetensors.torch.save_file({NAME: rows.half().contiguous().cpu()}, path)


def _length(rows: Tensor) -> Tensor:
    return rows.square().sum(1).sqrt().mean()
