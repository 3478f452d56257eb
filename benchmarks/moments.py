"""What does the embedded extractor keep? `python -m benchmarks.moments --moments F [--splits F] [--save F] [--json]`.

On the validation repositories of the split, which nothing was trained or tuned on. A moment is worth catching from
worth 2; one of worth 1 that is kept counts as wrong (`or_worth_one` says how it looks if it does not). Active and held
is what passes every check and stands on enough, as in the product. `with_teachings` is what a person has without a
reader: the extractor, and what they taught in plain words (benchmarks/teachings.py measures that alone).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.journey import EXTRACTORS, SIDES, of_side
from memlane.catch.activation import standing_of
from memlane.catch.checks import check
from memlane.catch.embedded import EmbeddedExtractor, worth_a_look
from memlane.catch.embedded.classifier import classifier
from memlane.catch.moment import Moment, from_line
from memlane.catch.record import ExtractorRecord
from memlane.catch.teachings import taught_in
from memlane.catch.trust import trust_of
from memlane.domain import Author, Draft, Kind, Project, Spot, Step, Turn, Window
from memlane.gate import Gate

COMMAND = "python -m benchmarks.moments --moments moments-dev.jsonl.xz"
POSITIVE = 2
BASELINES = {  # as given with the data
    "tfidf_logistic_regression": {"average_precision": 0.44, "recall_at_0.60": 0.035},
    "correction_regex": "ranks at the base rate",
    "two_careful_readers": {"f1": 0.79},
}


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled moment, and what became of it."""

    repository: str
    run: str
    worth: int
    type: str
    trigger: str  # what the reader saw: correction, recovery, …, none
    score: float
    draft: Draft | None
    held_because: str
    taught: bool  # something in it is a plain teaching

    @property
    def positive(self) -> bool:
        return self.worth >= POSITIVE

    @property
    def active(self) -> bool:
        return self.draft is not None and not self.held_because

    @property
    def held(self) -> bool:
        return self.draft is not None and not self.active


def placed(moment: Moment) -> tuple[Moment, Window]:
    """A labelled line as if it stood in a Run: what the agent said, what the person typed, what came back."""
    before = Step(1, Author.AGENT, Kind.TEXT, 1, moment.before_agent or "…")
    typed = Step(1, Author.PERSON, Kind.PROMPT, 2, moment.person)
    reply = Step(2, Author.AGENT, Kind.TEXT, 3, moment.next or "…")
    turns = (Turn(1, Author.PERSON, (before,)), Turn(2, Author.PERSON, (typed, reply)))
    window = Window("r", "reader", "any", 1, Project("", ""), Spot(2, 1), Spot(2, 2), turns)
    return replace(moment, spot=Spot(2, 1), steps=tuple(window.steps())), window


def judged(record: Mapping[str, Any], extractor: EmbeddedExtractor, gate: Gate) -> Judged:
    moment, window = placed(from_line(record))  # pyright: ignore[reportArgumentType]
    best = max(record["memories"], key=lambda memory: memory["worth"], default={"worth": 0, "type": "", "trigger": ""})
    checked = [check(draft, window, gate) for draft in extractor.drafts(moment)]
    kept = next((draft for draft in checked if isinstance(draft, Draft)), None)
    score = classifier().judge(moment).score if worth_a_look(moment) else -99.0
    because = _held_because(kept, window) if kept else ""
    trigger = best.get("trigger", "")
    taught = any(True for _draft in taught_in(window))
    return Judged(record["repo"], record["run"], best["worth"], best["type"], trigger, score, kept, because, taught)


def _held_because(draft: Draft, window: Window) -> str:
    return standing_of(draft, window, trust_of(draft, window), ExtractorRecord(EmbeddedExtractor.name)).held_because


def share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0


def average_precision(found: Sequence[Judged]) -> float:
    ranked = [each.positive for each in sorted(found, key=lambda each: -each.score)]
    hits = [sum(ranked[: n + 1]) / (n + 1) for n, right in enumerate(ranked) if right]
    return round(sum(hits) / len(hits), 4) if hits else 0.0


def recall_at(found: Sequence[Judged], precision: float) -> float:
    """The most that can be reached at this precision, wherever the bar: the ranking alone."""
    ranked = [each.positive for each in sorted(found, key=lambda each: -each.score)]
    reached = [sum(ranked[:n]) for n in range(1, len(ranked) + 1) if sum(ranked[:n]) >= precision * n]
    return share(max(reached, default=0), sum(ranked))


def figures(found: Sequence[Judged]) -> dict[str, Any]:
    active, held = [each for each in found if each.active], [each for each in found if each.held]
    positives = sum(each.positive for each in found)
    right = [each for each in active if each.positive]
    return {
        "moments": len(found),
        "runs": len({each.run for each in found}),
        "base_rate": share(positives, len(found)),
        "average_precision": average_precision(found),
        "recall_at_0.60": recall_at(found, 0.60),
        "recall_at_0.75": recall_at(found, 0.75),
        "active": len(active),
        "active_precision": share(len(right), len(active)),
        "active_recall": share(len(right), positives),
        "active_precision_or_worth_one": share(sum(each.worth > 0 for each in active), len(active)),
        "active_type_right": share(sum(each.draft.type == each.type for each in right if each.draft), len(right)),
        "with_teachings": _with_teachings(found),
        "held": len(held),
        "held_precision": share(sum(each.positive for each in held), len(held)),
        "held_recall": share(sum(each.positive for each in held), positives),
    }


def _with_teachings(found: Sequence[Judged]) -> dict[str, float]:
    active = [each for each in found if each.active or each.taught]
    right = sum(each.positive for each in active)
    positives = sum(each.positive for each in found)
    return {"active": len(active), "precision": share(right, len(active)), "recall": share(right, positives)}


def bands(found: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """How often each confidence was right."""
    table: dict[str, dict[str, float]] = {}
    for low in (40, 50, 60, 70, 80, 90):
        there = [each for each in found if each.draft and low <= each.draft.confidence < low + 10]
        table[f"{low}-{low + 9}"] = {"n": len(there), "right": share(sum(each.positive for each in there), len(there))}
    return table


def by_trigger(found: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """Of what was worth catching, by what made the reader look: how much became active."""
    worth = [each for each in found if each.positive]
    table: dict[str, dict[str, float]] = {}
    for trigger in sorted({each.trigger for each in worth}):
        there = [each for each in worth if each.trigger == trigger]
        table[trigger] = {"n": len(there), "recall": share(sum(each.active for each in there), len(there))}
    return table


def summed_up(found: Sequence[Judged]) -> dict[str, Any]:
    """What a program asks for first."""
    whole = figures(found)
    precision, recall = whole["active_precision"], whole["active_recall"]
    f1 = round(2 * precision * recall / (precision + recall), 4) if precision + recall else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "ap": whole["average_precision"]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.moments", description=__doc__)
    parser.add_argument("--moments", type=Path, required=True)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the moments; without one, all of them")
    parser.add_argument("--split", choices=SIDES, default="validation")
    parser.add_argument("--extractor", choices=EXTRACTORS, default="embedded")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    side, records = of_side(asked.moments, asked.splits, asked.split)
    repositories = sorted({record["repo"] for record in records})
    extractor, gate = EmbeddedExtractor(), Gate()
    began = time.process_time()
    found = [judged(record, extractor, gate) for record in records]
    took = 1000 * (time.process_time() - began) / max(1, len(found))
    kept = {
        "command": COMMAND,
        "benchmark": "moments",
        "extractor": f"{extractor.name}@{extractor.version}",
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load": round(os.getloadavg()[0], 2)},
        "split": side,
        **summed_up(found),
        "by_trigger": by_trigger(found),
        side: figures(found),
        "repositories": {name: figures([each for each in found if each.repository == name]) for name in repositories},
        "confidence": bands(found),
        "baselines": BASELINES,
        "milliseconds_per_moment": round(took, 2),
    }
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    if not asked.json:
        table(kept)
    print(json.dumps(kept))


def table(kept: Mapping[str, Any]) -> None:
    whole = kept[kept["split"]]
    print(f"{whole['moments']} moments, {whole['base_rate']:.0%} worth catching ({kept['split']})")
    print(f"active   {whole['active']:>4}   precision {kept['precision']:.3f}   recall {kept['recall']:.3f}")
    print(f"held     {whole['held']:>4}   precision {whole['held_precision']:.3f}   recall {whole['held_recall']:.3f}")
    print(f"ranking         average precision {kept['ap']:.3f}; recall {whole['recall_at_0.60']:.3f} at precision 0.60")
    for trigger, row in kept["by_trigger"].items():
        print(f"  {trigger:<12}{row['n']:>4}   recall {row['recall']:.3f}")


if __name__ == "__main__":
    main()
