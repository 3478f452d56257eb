"""A small BERT as an encoder of texts: mean of the last layer's tokens, length one.

Written out so that it trains, exports to ONNX and loses layers without another library's shape in the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import safetensors.torch
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

SCALE = ".scale"  # beside a tensor kept as int8 by row
PIECE = 256  # texts of one forward pass


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes a checkpoint implies; heads are always 32 wide in the family used here."""

    layers: int
    width: int = 384
    inner: int = 1536
    words: int = 30522
    positions: int = 512
    head: int = 32


class Layer(nn.Module):
    """Attention and feed-forward, each added and normalised, with the checkpoint's names."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.heads = shape.width // shape.head
        self.query, self.key, self.value = (nn.Linear(shape.width, shape.width) for _ in range(3))
        self.mix = nn.Linear(shape.width, shape.width)
        self.mixed = nn.LayerNorm(shape.width, eps=1e-12)
        self.up = nn.Linear(shape.width, shape.inner)
        self.down = nn.Linear(shape.inner, shape.width)
        self.done = nn.LayerNorm(shape.width, eps=1e-12)

    def forward(self, x: Tensor, away: Tensor) -> Tensor:
        batch, length, width = x.shape
        q, k, v = (f(x).view(batch, length, self.heads, -1).transpose(1, 2) for f in (self.query, self.key, self.value))
        seen = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=away.to(q.dtype))
        x = self.mixed(x + self.mix(seen.transpose(1, 2).reshape(batch, length, width)))
        return self.done(x + self.down(nn.functional.gelu(self.up(x))))


class Bert(nn.Module):
    """Token ids, their mask and their segment in; the last layer out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.width)
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.segments = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.positions(places) + self.segments(segment))
        away = (1.0 - mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.layers:
            x = layer(x, away)
        return x


class Pooled(nn.Module):
    """What is exported: ids and mask to one vector of length one."""

    def __init__(self, bert: Bert) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        x = self.bert(ids, mask, torch.zeros_like(ids)).float()
        share = mask[:, :, None].to(x.dtype)
        return nn.functional.normalize((x * share).sum(1) / share.sum(1), dim=-1)


_NAMES = {
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "mix",
    "attention.output.LayerNorm": "mixed",
    "intermediate.dense": "up",
    "output.dense": "down",
    "output.LayerNorm": "done",
}
_WORDS = "embeddings.word_embeddings"
_OUTSIDE = {
    _WORDS: "words",
    "embeddings.position_embeddings": "positions",
    "embeddings.token_type_embeddings": "segments",
    "embeddings.LayerNorm": "norm",
}


def load(path: Path, keep: Sequence[int] | None = None) -> Bert:
    """A checkpoint with BERT's own names; `keep` names the layers that stay."""
    stored = safetensors.torch.load_file(path)
    tensors = {name: _whole(stored, name) for name in stored if not name.endswith(SCALE)}
    kept = list(keep) if keep is not None else list(range(_layers(tensors)))
    words, width = tensors[f"{_WORDS}.weight"].shape
    inner = len(tensors["encoder.layer.0.intermediate.dense.bias"])
    bert = Bert(Shape(len(kept), width, inner, words, len(tensors["embeddings.position_embeddings.weight"])))
    bert.load_state_dict({ours: tensors[theirs] for ours, theirs in _renamed(kept).items()})
    return bert


def _whole(stored: dict[str, Tensor], name: str) -> Tensor:
    tensor = stored[name].float()
    return tensor * stored[name + SCALE].float()[:, None] if name + SCALE in stored else tensor


def _layers(tensors: dict[str, Tensor]) -> int:
    return 1 + max(int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer."))


def _renamed(kept: Sequence[int]) -> dict[str, str]:
    names: dict[str, str] = {}
    for theirs, ours in _OUTSIDE.items():
        ends = ("weight", "bias") if ours == "norm" else ("weight",)
        names |= {f"{ours}.{end}": f"{theirs}.{end}" for end in ends}
    return names | layer_names(kept)


def layer_names(kept: Sequence[int]) -> dict[str, str]:
    """Ours, counted from 0, and BERT's own."""
    names: dict[str, str] = {}
    for new, old in enumerate(kept):
        for theirs, ours in _NAMES.items():
            names |= {f"layers.{new}.{ours}.{e}": f"encoder.layer.{old}.{theirs}.{e}" for e in ("weight", "bias")}
    return names


def stored(bert: Bert) -> dict[str, Tensor]:
    """Back to BERT's own names, half precision: what `load` reads again."""
    names = _renamed(range(bert.shape.layers))
    return {names[ours]: tensor.half().contiguous().cpu() for ours, tensor in bert.state_dict().items()}


class BertEncoder(nn.Module):
    """Texts to vectors of length one. Each text is tokenised once and remembered."""

    def __init__(self, bert: Bert, tokenizer: Path, longest: int = 128) -> None:
        super().__init__()
        self.pooled = Pooled(bert)
        self.longest = longest
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(512)
        self._known: dict[str, list[int]] = {}

    @property
    def device(self) -> torch.device:
        return self.pooled.bert.words.weight.device

    def encode(self, texts: Sequence[str]) -> Tensor:
        ids = self._ids(texts)
        order = sorted(range(len(ids)), key=lambda n: len(ids[n]))
        pieces = [self._forward([ids[n] for n in order[at : at + PIECE]]) for at in range(0, len(order), PIECE)]
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(pieces)[back.to(self.device)]

    def _forward(self, rows: Sequence[list[int]]) -> Tensor:
        ids, mask = padded(rows, self.device)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            return self.pooled(ids, mask)

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        for text, encoding in zip(new, self._tokenizer.encode_batch(new), strict=True):
            self._known[text] = encoding.ids
        cut = self.longest
        return [ids if len(ids) <= cut else [*ids[: cut - 1], ids[-1]] for ids in (self._known[t] for t in texts)]


def padded(rows: Sequence[list[int]], device: torch.device) -> tuple[Tensor, Tensor]:
    length = max(len(row) for row in rows)
    ids = torch.tensor([row + [0] * (length - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
    return ids.to(device), mask.to(device)
