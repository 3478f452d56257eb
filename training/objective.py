"""What training asks for, over vectors of length one; whose vectors they are does not matter here."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn


def recall(prompts: Tensor, memories: Tensor, near: Tensor, astray: Tensor, heat: float) -> Tensor:
    """Prompt i needs memory i, not another one nor its near miss; memory i is needed by prompt i, not by any that
    leads astray."""
    wanted = torch.arange(len(prompts), device=prompts.device)
    by_prompt = nn.functional.cross_entropy(prompts @ torch.cat([memories, near]).T / heat, wanted)
    by_memory = nn.functional.cross_entropy(memories @ torch.cat([prompts, astray]).T / heat, wanted)
    return (by_prompt + by_memory) / 2


class Judge(nn.Module):
    """A line from similarity to log-odds: what makes one floor mean the same for every prompt."""

    def __init__(self) -> None:
        super().__init__()
        self.slope = nn.Parameter(torch.tensor(10.0))
        self.middle = nn.Parameter(torch.tensor(0.5))

    def forward(self, yes: Tensor, no: Tensor) -> Tensor:
        """Both sides weigh the same, however many there are of each."""
        logits = (self.slope * (side - self.middle) for side in (yes, no))
        up, down = logits
        return (nn.functional.softplus(-up).mean() + nn.functional.softplus(down).mean()) / 2


def pairs(left: Tensor, right: Tensor, keys: Sequence[str], heat: float) -> Tensor:
    """Each text finds its other half among the batch's; texts of the same moment are no negatives."""
    logits = left @ right.T / heat
    names = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    moment = torch.tensor([names[key] for key in keys], device=left.device)
    same = (moment[:, None] == moment[None, :]) & ~torch.eye(len(keys), dtype=torch.bool, device=left.device)
    logits = logits.masked_fill(same, -1e4)
    wanted = torch.arange(len(keys), device=left.device)
    return (nn.functional.cross_entropy(logits, wanted) + nn.functional.cross_entropy(logits.T, wanted)) / 2


def keeping(now: Tensor, before: Tensor) -> Tensor:
    """How far the likenesses among a batch of ordinary texts have moved from what they were."""
    return nn.functional.mse_loss(now @ now.T, before @ before.T)
