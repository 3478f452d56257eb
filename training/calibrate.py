"""`python -m training.calibrate --data DIR [--model tuned] [--cues]`: what a model's cosines mean, by the tuning side.

A logistic regression over cosine, distance behind the nearest and shared words, among the near memories of a project;
then moved so that 0.50 is the lowest similarity at which at most `--share` of the non_probes bring up their memory.
With `--cues`, the same for memories that have cues, each as near as its note and its best cue together. Writes the
model's line of `embed/calibrations.json`. Validation is not read. The fit itself is in `memlane.recall.fit`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from memlane import embed
from memlane.embed.models import FITTED
from memlane.recall.fit import SHARE, PromptRows, SampleMemory, figures, named, rows_of, weights_of
from memlane.recall.score import CUED
from training.memories import Labelled, read, with_cues
from training.split import Side, Split


def by_project(memories: Sequence[Labelled], model: embed.Embedder) -> Iterator[PromptRows]:
    banks: dict[str, list[SampleMemory]] = {}
    for one in memories:
        probes, non_probes = (tuple(prompt.text for prompt in some) for some in (one.probes, one.non_probes))
        banks.setdefault(one.project, []).append(SampleMemory(one.text, one.cues, probes, non_probes))
    for bank in banks.values():
        yield from rows_of(bank, model)


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
    seen = [*by_project(tuning, model)]
    weights = weights_of(seen, given.share)
    keep(given.out, model.tag, named(weights, CUED if given.cues else ""))
    sys.stdout.write(f"{model.tag} {weights.round(4).tolist()} {figures(seen, weights)}\n")


def keep(path: Path, name: str, weights: dict[str, float]) -> None:
    """Beside what was fitted before, with cues or without."""
    known: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    known[name] = known.get(name, {}) | weights
    path.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
