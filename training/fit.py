"""The loop: steps of one objective over any encoder, with a frozen copy of where it started as its conscience."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import torch
from torch import Tensor, nn

from training import objective
from training.batches import ASTRAY, Batch
from training.memories import Prompt

WINDOW = 0.5  # weight of the mean of the messages before a prompt, beside the prompt's own one


class Encoder(Protocol):
    """Texts to vectors of length one, with gradients."""

    def encode(self, texts: Sequence[str]) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Plan:
    """Every number of a run that is not data."""

    steps: int = 600
    size: int = 128  # memories a step
    rate: float = 3e-5
    warm_up: float = 0.1  # share of the steps
    heat: float = 0.05
    recall: float = 1.0
    judge: float = 0.5
    pairs: float = 0.5
    keep: float = 5.0
    table: float = 1.0  # static only: rate of the token rows, as a multiple
    weights: float = 10.0  # static only: rate of the tokens' weights
    rarity: float = 1e-3  # static only: the weights start at rarity / (rarity + share of the token); 0: all alike
    seed: int = 11


@dataclass(frozen=True, slots=True)
class Group:
    """What is trained at one rate, a multiple of the plan's."""

    parameters: tuple[nn.Parameter, ...]
    rate: float = 1.0


def prompt_vectors(encoder: Encoder, prompts: Sequence[Prompt]) -> Tensor:
    """The prompt, and half as much of what was said just before it."""
    texts: list[str] = []
    owners: list[int] = []
    shares: list[float] = []
    for n, prompt in enumerate(prompts):
        texts += [prompt.text, *prompt.window]
        owners += [n] * (1 + len(prompt.window))
        shares += [1.0, *(WINDOW / len(prompt.window) for _message in prompt.window)]
    vectors = encoder.encode(texts).float()
    weighted = vectors * torch.tensor(shares, device=vectors.device)[:, None]
    total = torch.zeros(len(prompts), vectors.shape[1], device=vectors.device)
    return nn.functional.normalize(total.index_add(0, torch.tensor(owners, device=vectors.device), weighted), dim=-1)


def fit(encoder: Encoder, before: Encoder, groups: Sequence[Group], plan: Plan, shown: Iterator[Batch]) -> list[float]:
    """The loss of each step."""
    judge = objective.Judge()
    judge.to(groups[0].parameters[0].device)
    scaled = [{"params": list(group.parameters), "lr": plan.rate * group.rate} for group in groups]
    optimizer = torch.optim.AdamW([*scaled, {"params": list(judge.parameters()), "lr": 1e-2}], weight_decay=0.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    losses: list[float] = []
    for batch in islice(shown, plan.steps):
        optimizer.zero_grad()
        loss = _loss(encoder, before, judge, batch, plan)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
    return losses


def pace(step: int, plan: Plan) -> float:
    """Up over the first steps, then down to nothing along a cosine."""
    warm = max(1, int(plan.steps * plan.warm_up))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, plan.steps - warm)))


def _loss(encoder: Encoder, before: Encoder, judge: objective.Judge, batch: Batch, plan: Plan) -> Tensor:
    prompts = prompt_vectors(encoder, [*batch.prompts, *batch.astray])
    prompts, astray = prompts[: len(batch.prompts)], prompts[len(batch.prompts) :]
    notes = encoder.encode([*batch.memories, *batch.near])
    memories, near = notes[: len(batch.memories)], notes[len(batch.memories) :]
    loss = plan.recall * objective.recall(prompts, memories, near, astray, plan.heat)
    loss = loss + plan.judge * _judged(judge, prompts, memories, near, astray)
    if batch.pairs:
        loss = loss + _ordinary(encoder, before, batch, plan)
    return loss


def _judged(judge: objective.Judge, prompts: Tensor, memories: Tensor, near: Tensor, astray: Tensor) -> Tensor:
    others = prompts @ memories.T
    others = others[~torch.eye(len(prompts), dtype=torch.bool, device=prompts.device)]
    hardest = others.topk(min(2 * len(prompts), len(others))).values
    tempting = (astray * memories.repeat_interleave(ASTRAY, 0)).sum(-1)
    missed = (prompts * near).sum(-1)
    return judge((prompts * memories).sum(-1), torch.cat([tempting, missed, hardest]))


def _ordinary(encoder: Encoder, before: Encoder, batch: Batch, plan: Plan) -> Tensor:
    texts = [*(pair.a for pair in batch.pairs), *(pair.b for pair in batch.pairs)]
    now = encoder.encode(texts)
    half = len(batch.pairs)
    found = objective.pairs(now[:half], now[half:], [pair.key for pair in batch.pairs], plan.heat)
    with torch.no_grad():
        was = before.encode(texts)
    return plan.pairs * found + plan.keep * objective.keeping(now, was)
