"""`python -m training.calibrate --data DIR [--model tuned] [--cues]`: what a model's cosines mean, by the tuning side.

A logistic regression over cosine, distance behind the nearest and shared words, among the near memories of a project;
then moved so that 0.50 is the lowest similarity at which at most `--share` of the non_probes bring up their memory.
With `--cues`, the same for memories that have cues, each as near as its note and its best cue together. Writes the
model's line of `embed/calibrations.json`. Validation is not read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memlane import embed
from memlane.embed.models import FITTED
from memlane.recall import WEIGHTS
from memlane.recall.gather import NEAR
from memlane.recall.score import CUED, nearness, shared_words
from memlane.recall.words import content_terms, is_technical
from training.memories import Labelled, read, with_cues
from training.split import Side, Split

SHARE = 0.10  # of non_probes: where a second look is left out; more is shown than the encoder before showed at 0.15
LOOKED_AT = 8  # nearest memories of each prompt that the regression sees
MOST = 3  # notes on a prompt
ALONE = 2.0  # one note, unless the next is nearly as sure: more shown for as many notes, on the tuning side
STEP = 0.01
LEAST = -1.5
NAMES = ("cosine", "behind", "shared", "bias")
RIDGE = 1.0
Floats = NDArray[np.float64]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Looked:
    """One prompt against the near memories of its project, nearest first: a row of features for each."""

    rows: Floats
    own: int  # which of them is its own; -1: it is not among them
    probe: bool
    technical: bool


def looked(memories: Sequence[Labelled], model: embed.Embedder) -> list[Looked]:
    vectors = model.passages([memory.text for memory in memories])
    cues = [model.passages(memory.cues) for memory in memories]
    words = [content_terms(memory.text) for memory in memories]
    banks: dict[str, list[int]] = {}
    for n, memory in enumerate(memories):
        banks.setdefault(memory.project, []).append(n)
    found: list[Looked] = []
    for n, memory in enumerate(memories):
        for probe, prompts in ((True, memory.probes), (False, memory.non_probes)):
            for text in (prompt.text for prompt in prompts):
                bank, asked = np.array(banks[memory.project]), model.query(text)
                cosines = np.array([nearness_to(asked, vectors[m], cues[m]) for m in bank])
                order = np.argsort(-cosines, kind="stable")[:NEAR]
                near, cosines = bank[order].tolist(), cosines[order]
                shared = shared_words([words[m] for m in near], content_terms(text))
                rows = np.stack([cosines, cosines - cosines[0], np.array(shared)], axis=1)
                found.append(Looked(rows, near.index(n) if n in near else -1, probe, is_technical(text)))
    return found


def nearness_to(asked: Vector, note: Vector, cues: Vector) -> float:
    return nearness(float(note @ asked), float((cues @ asked).max()) if len(cues) else None)


def fitted(seen: Sequence[Looked]) -> Floats:
    """Weights of the features, then the bias; Newton's method with a little ridge."""
    rows, wanted = list[Floats](), list[float]()
    for one in seen:
        chosen = {*range(min(LOOKED_AT, len(one.rows))), *([one.own] if one.own >= 0 else [])}
        rows += [one.rows[n] for n in sorted(chosen)]
        wanted += [float(one.probe and n == one.own) for n in sorted(chosen)]
    given, target = np.array(rows), np.array(wanted)
    mean, spread = given.mean(axis=0), given.std(axis=0) + 1e-9
    standard = np.column_stack([(given - mean) / spread, np.ones(len(given))])
    ridge = np.diag([RIDGE, RIDGE, RIDGE, 0.0])
    weights = np.zeros(4)
    for _step in range(50):
        likely = 1 / (1 + np.exp(-standard @ weights))
        slope = standard.T @ (likely - target) + ridge @ weights
        bend = (standard * (likely * (1 - likely))[:, None]).T @ standard + ridge
        weights -= np.linalg.solve(bend, slope)
    plain = weights[:3] / spread
    return np.append(plain, weights[3] - plain @ mean)


def figures(seen: Sequence[Looked], weights: Floats) -> dict[str, float]:
    """At the default floors, with the bias as it is."""
    hits = notes = probes = others = wrong = 0
    for one in seen:
        floor = WEIGHTS.technical_floor if one.technical else WEIGHTS.floor
        likely = 1 / (1 + np.exp(-(one.rows @ weights[:3] + weights[3])))
        best = [n for n in np.argsort(-likely, kind="stable")[:MOST] if round(float(likely[n]), 3) >= floor]
        notes += len(best)
        if one.probe:
            probes, hits = probes + 1, hits + (one.own in best)
        else:
            others, wrong = others + 1, wrong + (one.own in best)
    return {
        "shown": round(hits / probes, 4),
        "notes": round(notes / len(seen), 4),
        "non_probe_shown": round(wrong / others, 4),
    }


def moved(weights: Floats, share: float, astray: Callable[[Floats], float], least: float) -> Floats:
    """By the most, from `least` on, that keeps below the share what `astray` counts: non_probes told their memory."""
    best = weights + np.array([0, 0, 0, least])
    for step in np.arange(least, 4.0, STEP):
        tried = weights + np.array([0, 0, 0, step])
        if astray(tried) > share:
            break
        best = tried
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with recall-train.jsonl and splits.json")
    parser.add_argument("--model", default="tuned", help="as embed.model")
    parser.add_argument("--share", type=float, default=SHARE)
    parser.add_argument("--cues", action="store_true", help="with recall-cues.jsonl, which is beside the memories")
    parser.add_argument("--out", type=Path, default=FITTED)
    given = parser.parse_args()
    split = Split.load(given.data / "splits.json")
    tuning = [m for m in read(given.data / "recall-train.jsonl") if split.side(m.project) is Side.TUNING]
    tuning = [*with_cues(tuning, given.data / "recall-cues.jsonl")] if given.cues else tuning
    model = embed.embedder(embed.EmbedderSpec(model=given.model), {})
    seen = looked(tuning, model)
    begun = fitted(seen) * np.array([1, ALONE, 1, 1])
    weights = moved(begun, given.share, lambda tried: figures(seen, tried)["non_probe_shown"], LEAST)
    names = [f"{CUED}{name}" if given.cues else name for name in NAMES]
    keep(given.out, model.tag, dict(zip(names, weights.round(4).tolist(), strict=True)))
    sys.stdout.write(f"{model.tag} {weights.round(4).tolist()} {figures(seen, weights)}\n")


def keep(path: Path, name: str, weights: dict[str, float]) -> None:
    """Beside what was fitted before, with cues or without."""
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    known[name] = known.get(name, {}) | weights
    path.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
