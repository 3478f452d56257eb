"""What a step is shown: memories of a few projects at a time, so that neighbours are told apart, and random pairs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from training.memories import Labelled, Prompt
from training.pairs import Pair

NEIGHBOURS = 8  # memories of one project that stand in a batch together
ASTRAY = 2  # non_probes of each memory in a step


@dataclass(frozen=True, slots=True)
class Batch:
    """Row i of each of the first three belongs together; `astray` holds ASTRAY prompts per memory, in order."""

    prompts: tuple[Prompt, ...]
    memories: tuple[str, ...]
    near: tuple[str, ...]
    astray: tuple[Prompt, ...]
    pairs: tuple[Pair, ...]


def batches(labelled: Sequence[Labelled], pairs: Sequence[Pair], size: int, seed: int) -> Iterator[Batch]:
    """Without end; the same for the same seed."""
    rng = random.Random(seed)
    chosen: list[Labelled] = []
    while True:
        for group in _groups(labelled, rng):
            chosen += group
            if len(chosen) >= size:
                yield _batch(chosen, rng.sample(pairs, min(size, len(pairs))), rng)
                chosen = []


def _groups(labelled: Sequence[Labelled], rng: random.Random) -> list[list[Labelled]]:
    projects: dict[str, list[Labelled]] = {}
    for memory in labelled:
        projects.setdefault(memory.project, []).append(memory)
    groups: list[list[Labelled]] = []
    for members in projects.values():
        rng.shuffle(members)
        groups += [members[at : at + NEIGHBOURS] for at in range(0, len(members), NEIGHBOURS)]
    rng.shuffle(groups)
    return groups


def _batch(chosen: Sequence[Labelled], pairs: Sequence[Pair], rng: random.Random) -> Batch:
    return Batch(
        prompts=tuple(rng.choice(memory.probes) for memory in chosen),
        memories=tuple(memory.text for memory in chosen),
        near=tuple(memory.near for memory in chosen),
        astray=tuple(prompt for memory in chosen for prompt in rng.choices(memory.non_probes, k=ASTRAY)),
        pairs=tuple(pairs),
    )
