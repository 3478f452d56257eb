"""The second look: a prompt and a note are read apart by the first layers of the encoder and together by the last ones.

What a note is to the first layers does not depend on the prompt: it is worked out once and kept. Only the last layers,
which see both, are trained here; the first are the encoder's own, byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.bert import Bert, padded

PROMPT, NOTE = 64, 96  # tokens that are read of each


class Joint(nn.Module):
    """Log-odds that the note is needed, from the prompt's first token after both were read together."""

    def __init__(self, body: Bert, apart: int, tokenizer: Path, *, frozen: bool = True) -> None:
        super().__init__()
        self.body, self.apart, self.frozen = body, apart, frozen
        self.sides = nn.Parameter(torch.zeros(2, body.shape.width))
        self.out = nn.Linear(body.shape.width, 1)
        nn.init.normal_(self.out.weight, std=0.02)
        nn.init.constant_(self.out.bias, -1.0)
        self.dropped = nn.Dropout(0.1)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._known: dict[str, list[int]] = {}

    def trained(self) -> list[nn.Parameter]:
        together = self.body.layers[self.apart :] if self.frozen else self.body
        return [*together.parameters(), self.sides, *self.out.parameters()]

    def judge(self, prompts: Sequence[str], notes: Sequence[str], pairs: Sequence[tuple[int, int]]) -> Tensor:
        """`pairs`: numbers of a prompt and a note."""
        device = self.out.weight.device
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
                asked, asked_mask = self._apart(prompts, PROMPT)
                known, known_mask = self._apart(notes, NOTE)
            left, right = (torch.tensor(side, device=device) for side in zip(*pairs, strict=True))
            x = torch.cat([asked[left] + self.sides[0], known[right] + self.sides[1]], 1)
            mask = torch.cat([asked_mask[left], known_mask[right]], 1)
            away = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
            for layer in self.body.layers[self.apart :]:
                x = layer(x, away)
            return self.out(self.dropped(x[:, 0])).squeeze(-1).float()

    def _apart(self, texts: Sequence[str], most: int) -> tuple[Tensor, Tensor]:
        ids, mask = padded([self._ids(text, most) for text in texts], self.out.weight.device)
        body = self.body
        x = body.norm(body.words(ids) + body.positions.weight[: ids.shape[1]] + body.segments.weight[0])
        away = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in body.layers[: self.apart]:
            x = layer(x, away)
        return x, mask

    def _ids(self, text: str, most: int) -> list[int]:
        if text not in self._known:
            self._known[text] = self._tokenizer.encode(text).ids
        ids = self._known[text]
        return ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]
