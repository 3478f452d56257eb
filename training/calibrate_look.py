"""`python -m training.calibrate_look --data DIR [--look FILE] [--share 0.05] [--cues]`: what its log-odds mean.

A logistic regression over what it says, how far that is behind the best, and the similarity the encoder found a note
by, among the nearest five of a project; then moved so that at 0.50 at most `--share` of the non_probes bring up their
memory. With `--cues`, the same of memories that have cues, of which it reads the title and the best cue. Writes the
line of the pair into `embed/calibrations.json`. From the tuning side; validation is not read.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memlane import embed
from memlane.embed.encoder import SecondLook, TunedEncoder
from memlane.embed.models import FITTED, LOOK_SHA256, LOOK_WEIGHTS
from memlane.recall import WEIGHTS, Calibration
from memlane.recall.fit import MOST, moved, nearness_to
from memlane.recall.gather import NEAR
from memlane.recall.score import CUED, odds, shared_words
from memlane.recall.second_look import FROM, LOOKED_AT, title_and_cue
from memlane.recall.words import content_terms
from training.calibrate import keep
from training.memories import Labelled, read, with_cues
from training.split import Side, Split

SHARE = 0.06  # of non_probes: the most at which real repositories of the tuning side stay below 0.05
LEAST = -3.0
RIDGE = 1.0
NAMES = ("look", "behind", "near", "bias")
Floats = NDArray[np.float64]
Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Five:
    """One prompt: a row of features for each of the nearest of its project."""

    rows: Floats
    own: int  # which of them is its own; -1: none
    probe: bool


def fives(memories: Sequence[Labelled], encoder: TunedEncoder, look: SecondLook) -> list[Five]:
    banks: dict[str, list[Labelled]] = {}
    for memory in memories:
        banks.setdefault(memory.project, []).append(memory)
    known = Calibration.of(embed.calibration(encoder.tag) or {})
    found = list[Five]()
    for bank in (Bank.of(some, encoder) for some in banks.values()):
        for n, memory in enumerate(bank.memories):
            for probe, prompts in ((True, memory.probes), (False, memory.non_probes)):
                for text in (prompt.text for prompt in prompts):
                    asked = encoder.query(text)
                    near = _nearest(text, asked, bank, known)
                    said = np.array(look.log_odds(text, [bank.read(m, asked) for m, _similar in near]), np.float64)
                    sure = np.clip(np.array([similar for _m, similar in near]), 0.001, 0.999)
                    rows = np.stack([said, said - said.max(initial=-np.inf), np.log(sure / (1 - sure))], axis=1)
                    ids = [m for m, _similar in near]
                    found.append(Five(rows, ids.index(n) if n in ids else -1, probe))
    return found


@dataclass(frozen=True, slots=True)
class Bank:
    """The memories of one project, as the encoder understands them."""

    memories: Sequence[Labelled]
    notes: Vector
    cues: Sequence[Vector]
    words: Sequence[frozenset[str]]

    @classmethod
    def of(cls, memories: Sequence[Labelled], encoder: TunedEncoder) -> Bank:
        notes = encoder.passages([memory.text for memory in memories])
        cues = [encoder.passages(memory.cues) for memory in memories]
        return cls(memories, notes, cues, [content_terms(memory.text) for memory in memories])

    def read(self, number: int, asked: Vector) -> str:
        """What a second look reads of it."""
        memory, cues = self.memories[number], self.cues[number]
        return title_and_cue(memory.title, memory.cues[int((cues @ asked).argmax())]) if len(cues) else memory.text


def _nearest(text: str, asked: Vector, bank: Bank, known: Calibration) -> list[tuple[int, float]]:
    cosines = np.array([nearness_to(asked, *vectors) for vectors in zip(bank.notes, bank.cues, strict=True)])
    order = np.argsort(-cosines, kind="stable")[:NEAR].tolist()
    shared = shared_words([bank.words[m] for m in order], content_terms(text))
    best = float(cosines[order[0]])
    means = [(known.cued if len(bank.cues[m]) else None) or known for m in order]
    similar = [
        (m, round(odds(meaning, float(cosines[m]), float(cosines[m]) - best, share), 3))
        for m, meaning, share in zip(order, means, shared, strict=True)
    ]
    return sorted((one for one in similar if one[1] >= FROM), key=lambda one: -one[1])[:LOOKED_AT]


def fitted(seen: Sequence[Five]) -> Floats:
    """Weights of the features, then the bias; Newton's method with a little ridge."""
    rows = np.concatenate([one.rows for one in seen])
    target = np.concatenate([np.arange(len(one.rows)) == (one.own if one.probe else -1) for one in seen])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    given = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    ridge, weights = np.diag([RIDGE, RIDGE, RIDGE, 0.0]), np.zeros(4)
    for _step in range(50):
        likely = 1 / (1 + np.exp(-given @ weights))
        slope = given.T @ (likely - target) + ridge @ weights
        weights -= np.linalg.solve((given * (likely * (1 - likely))[:, None]).T @ given + ridge, slope)
    plain = weights[:3] / spread
    return np.append(plain, weights[3] - plain @ mean)


def figures(seen: Sequence[Five], weights: Floats) -> dict[str, float]:
    hits = notes = on_probes = probes = others = wrong = 0
    for one in seen:
        likely = 1 / (1 + np.exp(-(one.rows @ weights[:3] + weights[3])))
        told = [n for n in np.argsort(-likely, kind="stable")[:MOST] if likely[n] >= WEIGHTS.needed]
        notes += len(told)
        if one.probe:
            probes, hits, on_probes = probes + 1, hits + (one.own in told), on_probes + len(told)
        else:
            others, wrong = others + 1, wrong + (one.own in told)
    return {
        "shown": round(hits / probes, 4),
        "right": round(hits / max(1, on_probes), 4),
        "notes": round(notes / len(seen), 4),
        "non_probe_shown": round(wrong / others, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a folder with recall-train.jsonl and splits.json")
    parser.add_argument("--look", type=Path, help="a packed second look, if not the one that ships")
    parser.add_argument("--share", type=float, default=SHARE)
    parser.add_argument("--cues", action="store_true", help="with recall-cues.jsonl, which is beside the memories")
    parser.add_argument("--out", type=Path, default=FITTED)
    given = parser.parse_args()
    split = Split.load(given.data / "splits.json")
    tuning = [m for m in read(given.data / "recall-train.jsonl") if split.side(m.project) is Side.TUNING]
    tuning = [*with_cues(tuning, given.data / "recall-cues.jsonl")] if given.cues else tuning
    encoder = TunedEncoder()
    digest = hashlib.sha256(given.look.read_bytes()).hexdigest() if given.look else LOOK_SHA256
    look = SecondLook(encoder, given.look or LOOK_WEIGHTS, digest)
    seen = fives(tuning, encoder, look)
    weights = moved(fitted(seen), given.share, lambda tried: figures(seen, tried)["non_probe_shown"], LEAST)
    names = [f"{CUED}{name}" if given.cues else name for name in NAMES]
    keep(given.out, f"{encoder.tag}+{look.tag}", dict(zip(names, weights.round(4).tolist(), strict=True)))
    sys.stdout.write(f"{look.tag} {dict(zip(NAMES, weights.round(4), strict=True))} {figures(seen, weights)}\n")


if __name__ == "__main__":
    main()
