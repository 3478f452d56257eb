"""Which standing rules does a start give? `python -m benchmarks.standing --memories F --cues F [--split S]`.

Every repository's memories are a bank of one project, standing where `--cues` labels them `always`. A start is asked
for in each, and what it gives is compared with the labels. It also counts whose `when` is for an Activity.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.bank import bank
from benchmarks.recall import SIDES, Labelled, chosen
from campaigns.report import machine
from memlane.app import Lane
from memlane.app.recall import Here
from memlane.app.recall.start_rules import StandingRules
from memlane.domain import Project, Query, RecallMoment
from memlane.domain.activity import activities_of

COMMAND = "python -m benchmarks.standing --memories recall-train.jsonl.xz --cues recall-cues.jsonl.xz"
Labels = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class StartBlock:
    """What a start gave in one repository, beside the rules there by label."""

    rules: frozenset[str]
    given: frozenset[str]
    characters: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=Path, required=True)
    parser.add_argument("--cues", type=Path, required=True, help="`id`, `always` and `when` of each memory")
    parser.add_argument("--splits", type=Path, help="else splits.json beside the memories")
    parser.add_argument("--split", choices=SIDES, default="validation")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    splits = asked.splits or asked.memories.with_name("splits.json")
    labels = labels_of(asked.cues)
    labelled = [one for one in chosen(asked.memories, splits, asked.split) if one.note.id in labels]
    real = {one.note.repo for one in labelled if one.real}
    blocks, tied = measured(labelled, labels)
    kept = {
        "command": COMMAND,
        "benchmark": "standing",
        "split": asked.split,
        "machine": machine(),
        "memories": len(labelled),
        "tied_to_an_activity": tied,
        "all": figures(list(blocks.values())),
        "real": figures([block for repo, block in blocks.items() if repo in real]),
    }
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept))


def labels_of(path: Path) -> Labels:
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        return {str(line["id"]): line for line in map(json.loads, lines)}


def measured(labelled: Sequence[Labelled], labels: Labels) -> tuple[dict[str, StartBlock], int]:
    """By repository; and how many memories have a `when` that is for an Activity."""
    with bank([one.note for one in labelled]) as lane:
        lane.memories.make_standing([one.note.id for one in labelled if labels[one.note.id]["always"]], on=True)
        repos = dict.fromkeys(one.note.repo for one in labelled)
        blocks = {repo: _start(lane, repo, labelled, labels) for repo in repos}
        made = [replace(lane.memories.get(one.note.id), when=str(labels[one.note.id]["when"])) for one in labelled]
    return blocks, sum(any(True for _ in activities_of(memory)) for memory in made)


def _start(lane: Lane, repo: str, labelled: Sequence[Labelled], labels: Labels) -> StartBlock:
    query = Query("", Project(repo, repo), "", "claude-code", "", "", RecallMoment.START)
    text, given = StandingRules(lane.home, Here(lane.home, lane.projects)).block(query, "benchmark")
    rules = frozenset(one.note.id for one in labelled if one.note.repo == repo and labels[one.note.id]["always"])
    return StartBlock(rules, frozenset(match.memory.id for match in given), len(text))


def figures(blocks: Sequence[StartBlock]) -> dict[str, float]:
    rules, given = sum(len(one.rules) for one in blocks), sum(len(one.given) for one in blocks)
    right, begun = sum(len(one.rules & one.given) for one in blocks), [one for one in blocks if one.given]
    return {
        "repositories": len(blocks),
        "with_rules": sum(bool(one.rules) for one in blocks),
        "rules": rules,
        "present_at_start": round(right / rules, 4) if rules else 0.0,
        "lines": given,
        "lines_that_are_rules": round(right / given, 4) if given else 0.0,
        "most_lines": max((len(one.given) for one in blocks), default=0),
        "mean_characters": round(mean(one.characters for one in begun)) if begun else 0,
        "most_characters": max((one.characters for one in blocks), default=0),
    }


if __name__ == "__main__":
    main()
