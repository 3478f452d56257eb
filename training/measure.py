"""An encoder's figures: recall on one side of the split, and ordinary search on LongMemEval (only a check)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training import figures
from training.figures import Floats, Scored
from training.fit import Encoder, prompt_vectors
from training.memories import Labelled

SHARES = (0.05, 0.10, 0.25)  # of non_probes that may still bring their memory up
PIECE = 2048


@dataclass(frozen=True, slots=True)
class Recalled:
    """One encoder on one set of memories."""

    probes: Scored
    non_probes: Scored

    def floors(self) -> dict[float, float]:
        return {share: figures.floor_at(self.non_probes, share) for share in SHARES}


def vectors(encoder: Encoder, texts: Sequence[str]) -> Floats:
    with torch.no_grad():
        pieces = [encoder.encode(texts[at : at + PIECE]).float().cpu() for at in range(0, len(texts), PIECE)]
    return np.asarray(torch.cat(pieces).numpy(), dtype=np.float32)


def recalled(encoder: Encoder, labelled: Sequence[Labelled]) -> Recalled:
    memories = vectors(encoder, [memory.text for memory in labelled])
    projects = [memory.project for memory in labelled]
    sides: list[Scored] = []
    for prompts in ([m.probes for m in labelled], [m.non_probes for m in labelled]):
        owners = [n for n, group in enumerate(prompts) for _prompt in group]
        with torch.no_grad():
            found = prompt_vectors(encoder, [p for group in prompts for p in group]).float().cpu().numpy()
        sides.append(figures.scored(np.asarray(found, dtype=np.float32), owners, memories, projects))
    return Recalled(*sides)


def recall_figures(result: Recalled, floors: dict[float, float]) -> dict[str, Any]:
    """Hits, the area, and both floors for each share: the one handed in (fitted elsewhere) and this set's own."""
    own = result.floors()
    return {
        "probes": len(result.probes.own),
        **figures.hits(result.probes),
        "auc": round(figures.area(result.probes.own, result.non_probes.own), 4),
        "fitted_floor": {f"{s:.2f}": figures.at_floor(result.probes, result.non_probes, floors[s]) for s in SHARES},
        "own_floor": {f"{s:.2f}": figures.at_floor(result.probes, result.non_probes, own[s]) for s in SHARES},
    }


# -- LongMemEval ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Haystack:
    """Sessions as turns, and questions with the sessions that answer them."""

    turns: tuple[str, ...]
    session: NDArray[np.int64]  # of each turn
    questions: tuple[dict[str, Any], ...]
    number: dict[str, int]  # of a session, by id


def haystack(sessions: Path, questions: Path) -> Haystack:
    turns: list[str] = []
    owners: list[int] = []
    number: dict[str, int] = {}
    with sessions.open() as lines:
        for n, line in enumerate(lines):
            record = json.loads(line)
            number[record["id"]] = n
            turns += [turn["content"] for turn in record["turns"]]
            owners += [n] * len(record["turns"])
    asked = tuple(q for q in json.loads(questions.read_text()) if not q["abstention"])
    return Haystack(tuple(turns), np.asarray(owners), asked, number)


def search_figures(encoder: Encoder, hay: Haystack) -> dict[str, Any]:
    """Vectors alone, best turn of a session: r1, all5, ndcg10 on MIX and POOL, and which questions r1 gets right."""
    turns = vectors(encoder, hay.turns)
    asked = vectors(encoder, [q["question"] for q in hay.questions])
    out: dict[str, Any] = {}
    for name in ("mix", "pool"):
        rows = list(_ranked(turns, asked, hay, name))
        means = np.asarray(rows, dtype=float).mean(0)
        out[name] = dict(zip(("r1", "all5", "ndcg10"), (round(float(m), 4) for m in means), strict=True))
        out[name]["first"] = "".join("1" if row[0] else "0" for row in rows)
    return out


def _ranked(turns: Floats, asked: Floats, hay: Haystack, name: str) -> Iterator[tuple[bool, bool, float]]:
    for question, vector in zip(hay.questions, asked, strict=True):
        best = np.full(len(hay.number), -np.inf)
        np.maximum.at(best, hay.session, turns @ vector)
        among = _among(question, hay, name)
        order = among[np.argsort(-best[among], kind="stable")]
        gold = {hay.number[s] for s in question["gold_sessions"]}
        yield order[0] in gold, gold <= set(order[:5].tolist()), _ndcg(order[:10].tolist(), gold)


def _among(question: dict[str, Any], hay: Haystack, name: str) -> NDArray[np.int64]:
    if name == "mix":
        return np.asarray([hay.number[s] for s in question["mix_haystack"]])
    out = {hay.number[s] for s in question["pool_excluded"]}
    return np.asarray([n for n in range(len(hay.number)) if n not in out])


def _ndcg(order: Sequence[int], gold: set[int]) -> float:
    gain = sum(1 / math.log2(at + 2) for at, session in enumerate(order) if session in gold)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(10, len(gold))))
