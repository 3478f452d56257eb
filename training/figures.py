"""What recall is worth, from scores alone: hits in the project's memories, and what a floor would show.

Knows nothing of models: it is handed vectors. The rule is recall's own: at most three notes a prompt, none below the
floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_NOTES = 3
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Scored:
    """Every prompt against every memory of its own project, best first. `rank` is its own memory's, from 0."""

    top: Floats  # prompts x MOST_NOTES, -inf where a project has fewer memories
    own: Floats
    rank: NDArray[np.int64]
    projects: tuple[str, ...]


def scored(prompts: Floats, owners: Sequence[int], memories: Floats, projects: Sequence[str]) -> Scored:
    """`owners[i]` is the memory that prompt i is about; `projects` are the memories'. A tie counts against us."""
    members: dict[str, list[int]] = {}
    for n, project in enumerate(projects):
        members.setdefault(project, []).append(n)
    top = np.full((len(owners), MOST_NOTES), -np.inf, dtype=np.float32)
    own = np.zeros(len(owners), dtype=np.float32)
    rank = np.zeros(len(owners), dtype=np.int64)
    for n, owner in enumerate(owners):
        bank = members[projects[owner]]
        scores = memories[bank] @ prompts[n]
        own[n] = scores[bank.index(owner)]
        rank[n] = int((scores >= own[n]).sum()) - 1
        best = np.sort(scores)[::-1][:MOST_NOTES]
        top[n, : len(best)] = best
    return Scored(top, own, rank, tuple(projects[owner] for owner in owners))


def hits(probes: Scored) -> dict[str, float]:
    return {f"hit{k}": round(float((probes.rank < k).mean()), 4) for k in (1, 3, 5)}


def floor_at(non_probes: Scored, share: float) -> float:
    """The lowest floor at which no more than this share of the non_probes still bring their memory up."""
    brought = np.sort(non_probes.own[non_probes.rank < MOST_NOTES])[::-1]
    allowed = int(share * len(non_probes.own))
    return float(brought[allowed]) + 1e-6 if allowed < len(brought) else -1.0


def shown(scores: Scored, floor: float) -> NDArray[np.bool_]:
    """Whether each prompt is shown its own memory."""
    return (scores.rank < MOST_NOTES) & (scores.own >= floor)


def at_floor(probes: Scored, non_probes: Scored, floor: float) -> dict[str, float]:
    """As SPEC section 10 names them."""
    given = (probes.top >= floor).sum(axis=1)
    right = shown(probes, floor)
    return {
        "floor": round(floor, 4),
        "shown": round(float(right.mean()), 4),
        "right": round(float(right.sum() / max(1, given.sum())), 4),
        "notes": round(float(given.mean()), 3),
        "non_probe_shown": round(float(shown(non_probes, floor).mean()), 4),
    }


def area(yes: Floats, no: Floats) -> float:
    """AUC: how often a score that should be high is above one that should be low."""
    order = np.argsort(np.concatenate([yes, no]), kind="stable")
    ranks = np.empty(len(order))
    ranks[order] = np.arange(1, len(order) + 1)
    return float((ranks[: len(yes)].sum() - len(yes) * (len(yes) + 1) / 2) / (len(yes) * len(no)))
