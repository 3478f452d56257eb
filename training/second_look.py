"""`python -m training.second_look --base DIR --gather FILE --data DIR --out DIR`: would this note change anything?

A cross-encoder reads a prompt and a note together. A deep one learns from the labels, a shallow one from both. It is
measured behind a bi-encoder (`--gather`): that one brings five notes, this one decides which are shown.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from training import bert, figures
from training.bert import Bert, BertEncoder
from training.figures import Floats, Scored
from training.fit import Plan, pace
from training.measure import Recalled, recall_figures, vectors
from training.memories import Labelled
from training.run import Data
from training.split import Side

LOOKED_AT = 5
PIECE = 1024
SHALLOW = (0, 2, 5)


@dataclass(frozen=True, slots=True)
class Example:
    """A prompt, a note, and whether the note is needed."""

    prompt: str
    note: str
    needed: float


class CrossEncoder(nn.Module):
    """Log-odds that the note is needed, from the first token of both texts read together."""

    def __init__(self, body: Bert, tokenizer: Path, longest: int = 128) -> None:
        super().__init__()
        self.body = body
        self.out = nn.Linear(body.shape.width, 1)
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(longest)

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> Tensor:
        return self.out(self.body(ids, mask, segment)[:, 0]).squeeze(-1)

    def judge(self, pairs: Sequence[tuple[str, str]]) -> Tensor:
        device = self.out.weight.device
        encoded = self._tokenizer.encode_batch(list(pairs))
        ids, mask = bert.padded([e.ids for e in encoded], device)
        segment, _mask = bert.padded([e.type_ids for e in encoded], device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            return self(ids, mask, segment).float()


def examples(labelled: Sequence[Labelled], size: int, seed: int) -> Iterator[list[Example]]:
    """Of each memory: a probe, two that lead astray, its near miss, and a neighbour's note. Windows are left out."""
    rng = random.Random(seed)
    plain = [memory for memory in labelled if not memory.probes[0].window]
    projects: dict[str, list[Labelled]] = {}
    for memory in plain:
        projects.setdefault(memory.project, []).append(memory)
    while True:
        rng.shuffle(plain)
        for at in range(0, len(plain) - size + 1, size):
            chosen = plain[at : at + size]
            yield [e for memory in chosen for e in _of(memory, projects[memory.project], rng)]


def _of(memory: Labelled, neighbours: Sequence[Labelled], rng: random.Random) -> Iterator[Example]:
    probe = rng.choice(memory.probes).text
    yield Example(probe, memory.text, 1.0)
    for astray in rng.sample(memory.non_probes, k=min(2, len(memory.non_probes))):
        yield Example(astray.text, memory.text, 0.0)
    yield Example(probe, memory.near, 0.0)
    other = rng.choice(neighbours)
    if other.id != memory.id:
        yield Example(probe, other.text, 0.0)


def fit(model: CrossEncoder, teacher: CrossEncoder | None, shown: Iterator[list[Example]], plan: Plan) -> None:
    """With a teacher, its log-odds count as much as the labels."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=plan.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    for batch in islice(shown, plan.steps):
        pairs = [(example.prompt, example.note) for example in batch]
        needed = torch.tensor([example.needed for example in batch], device=model.out.weight.device)
        said = model.judge(pairs)
        loss = nn.functional.binary_cross_entropy_with_logits(said, needed, pos_weight=needed.new_tensor(3.0))
        if teacher is not None:
            with torch.no_grad():
                taught = teacher.judge(pairs)
            loss = loss + 0.2 * nn.functional.mse_loss(said, taught)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()


def looked_at(
    model: CrossEncoder, prompts: Sequence[tuple[str, int]], notes: Sequence[Labelled], near: Floats
) -> Scored:
    """As `figures.scored`, but only the five nearest are judged, and the judgement is the score."""
    members: dict[str, list[int]] = {}
    for n, memory in enumerate(notes):
        members.setdefault(memory.project, []).append(n)
    chosen = [_nearest(near[n], members[notes[owner].project]) for n, (_text, owner) in enumerate(prompts)]
    asked = [(text, notes[m].text) for (text, _owner), five in zip(prompts, chosen, strict=True) for m in five]
    said = iter(judged(model, asked))
    top = np.full((len(prompts), figures.MOST_NOTES), -np.inf, dtype=np.float32)
    own = np.full(len(prompts), -np.inf, dtype=np.float32)
    rank = np.full(len(prompts), LOOKED_AT, dtype=np.int64)
    for n, ((_text, owner), five) in enumerate(zip(prompts, chosen, strict=True)):
        scores = np.asarray([next(said) for _ in five], dtype=np.float32)
        best = np.sort(scores)[::-1][: figures.MOST_NOTES]
        top[n, : len(best)] = best
        if owner in five:
            own[n] = scores[five.index(owner)]
            rank[n] = int((scores >= own[n]).sum()) - 1
    return Scored(top, own, rank, tuple(notes[owner].project for _text, owner in prompts))


def _nearest(scores: Floats, bank: Sequence[int]) -> list[int]:
    return sorted(bank, key=lambda m: -scores[m])[:LOOKED_AT]


def judged(model: CrossEncoder, pairs: Sequence[tuple[str, str]]) -> list[float]:
    out: list[float] = []
    with torch.no_grad():
        for at in range(0, len(pairs), PIECE):
            out += model.judge(pairs[at : at + PIECE]).cpu().tolist()
    return out


def directly(model: CrossEncoder, notes: Sequence[Labelled]) -> dict[str, float]:
    """Own note only: the area, and how often a probe is above the non_probe beside it."""
    yes = [judged(model, [(p.text, m.text) for p in m.probes]) for m in notes]
    no = [judged(model, [(p.text, m.text) for p in m.non_probes]) for m in notes]
    pairs = [(a > b) for ys, ns in zip(yes, no, strict=True) for a in ys for b in ns]
    area = figures.area(*(np.asarray([x for side in sides for x in side], dtype=np.float32) for sides in (yes, no)))
    return {"auc": round(area, 4), "probe_over_non_probe": round(float(np.mean(pairs)), 4)}


def measured(model: CrossEncoder, gather: BertEncoder, data: Data) -> dict[str, Any]:
    out: dict[str, Any] = {}
    floors: dict[float, float] = {}
    validation = data.by_side[Side.VALIDATION]
    sides = {
        "tuning": [m for m in data.by_side[Side.TUNING] if not m.probes[0].window],
        "validation": validation,
        "validation_real": [m for m in validation if m.real],
    }
    for name, notes in sides.items():
        stored = vectors(gather, [memory.text for memory in notes])
        looks: list[Scored] = []
        for kind in ([m.probes for m in notes], [m.non_probes for m in notes]):
            prompts = [(prompt.text, n) for n, group in enumerate(kind) for prompt in group]
            near = vectors(gather, [text for text, _owner in prompts]) @ stored.T
            looks.append(looked_at(model, prompts, notes, near))
        result = Recalled(*looks)
        floors = floors or result.floors()
        out[name] = recall_figures(result, floors) | {"directly": directly(model, notes)}
    return out


def cross_encoder(base: Path, keep: Sequence[int] | None) -> CrossEncoder:
    body = bert.load(next(base.glob("*.safetensors")), keep)
    return CrossEncoder(body, next(base.glob("tokenizer*.json"))).to("cuda" if torch.cuda.is_available() else "cpu")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("base", "gather", "data", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--rate", type=float, default=5e-5)
    given = parser.parse_args()
    began = time.monotonic()
    plan = Plan(steps=given.steps, rate=given.rate, size=64)
    torch.manual_seed(plan.seed)
    data = Data.load(given.data)
    fitting = data.by_side[Side.FITTING]
    gather = BertEncoder(bert.load(given.gather), next(given.base.glob("tokenizer*.json")), 256)
    gather.to("cuda" if torch.cuda.is_available() else "cpu")
    deep, shallow = cross_encoder(given.base, None), cross_encoder(given.base, SHALLOW)
    fit(deep, None, examples(fitting, plan.size, plan.seed), plan)
    fit(shallow, deep, examples(fitting, plan.size, plan.seed + 1), plan)
    given.out.mkdir(parents=True, exist_ok=True)
    about = {"kind": "second look", "plan": asdict(plan), "memories": len(fitting), "gather": given.gather.stem}
    about |= {name: measured(model, gather, data) for name, model in (("deep", deep), ("shallow", shallow))}
    about["seconds"] = round(time.monotonic() - began, 1)
    (given.out / "second-look.json").write_text(json.dumps(about, indent=1) + "\n")
    head = {f"out.{name}": tensor.cpu() for name, tensor in shallow.out.state_dict().items()}
    safetensors.torch.save_file(bert.stored(shallow.body) | head, given.out / "second-look.safetensors")


if __name__ == "__main__":
    main()
