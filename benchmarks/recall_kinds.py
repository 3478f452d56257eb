"""Would weights for each kind of work help recall? `python -m benchmarks.recall_kinds --memories F [--sample 500]`.

The training side only. What the second look says of the notes near each prompt is corrected by a logistic line, fitted
in folds by repository: alone, with the kind of work that the prompt names, with the type of the note, with both. It
helps if the folds' log loss falls, or if more right notes are told where as many look-alikes are.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.bank import bank
from benchmarks.labelled import Labelled, chosen
from campaigns.report import machine
from memlane.app import Lane
from memlane.domain import Project, Query

COMMAND = "python -m benchmarks.recall_kinds --memories recall-train.jsonl.xz"
FOLDS, PENALTY, STEPS = 5, 3.0, 30
SHARES = (0.03, 0.05, 0.07)  # of look-alikes that bring their note
PROBES = 3  # of each memory
NO_FLOOR = {"LANE_RECALL_NEEDED": "0", "LANE_RECALL_PER_PROMPT": "5", "LANE_RECALL_TOKENS_PER_RUN": "1000000"}
KINDS: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for kind, words in (
        (
            "fixing",
            r"fix|bug|crash|fail\w*|broken|breaks?|error|wrong|doesn'?t|does not|won'?t|can'?t|stuck|hangs?|flaky",
        ),
        ("reviewing", r"review|approve|PR|pull request|feedback|merge|comment\w*|check (?:if|whether|this|that|the)"),
        ("deploying", r"deploy\w*|release\w*|ship|publish|push|tag|version|rollout|roll ?back|upload|changelog"),
        ("testing", r"tests?|coverage|spec|e2e|fixture"),
        ("writing", r"write|draft|docs?|readme|document\w*|mail|text|blog|letter|newsletter|post|translate|summar\w+"),
        ("building", r"add|implement|create|build|make|support|introduce|new|set ?up|generate|scaffold"),
        ("changing", r"rename|move|refactor|clean|remove|delete|drop|replace|change|update|upgrade|switch|migrate"),
    )
}
_ASKS = re.compile(r"\W*(?:what|which|how|why|when|where|who|is|are|do|does|did|can|could|should)\b", re.IGNORECASE)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class JudgedNote:
    """A note near a prompt: what the second look says of it, and what it is."""

    repo: str
    kind: str
    type: str
    log_odds: float
    right: bool
    own_look_alike: bool  # the prompt only looks as if it needed this note
    on_probe: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=Path, required=True)
    parser.add_argument("--splits", type=Path, help="else splits.json beside the memories")
    parser.add_argument("--sample", type=int, default=500, help="memories, half of them real")
    parser.add_argument("--save", type=Path, help="keep the figures in this file")
    asked = parser.parse_args()
    splits = asked.splits or asked.memories.with_name("splits.json")
    labelled = [*chosen(asked.memories, splits, "training")]
    kept: dict[str, Any] = {"command": COMMAND, "benchmark": "recall_kinds", "machine": machine()}
    for which, those in (("with cues", labelled), ("without cues", [one.bare for one in labelled])):
        kept[which] = measured(those, sampled(those, asked.sample))
    if asked.save:
        asked.save.write_text(json.dumps(kept, indent=2) + "\n")
    print(json.dumps(kept))


def kind_of(prompt: str) -> str:
    """By the first word that names one; a question is one of its own."""
    if _ASKS.match(prompt) and prompt.rstrip().endswith("?"):
        return "asking"
    found = [(match.start(), kind) for kind, words in KINDS.items() if (match := words.search(prompt))]
    return min(found)[1] if found else "other"


def sampled(labelled: Sequence[Labelled], many: int) -> list[Labelled]:
    dice, half = random.Random(5), many // 2
    sides = ([one for one in labelled if one.real], [one for one in labelled if not one.real])
    return [one for side in sides for one in dice.sample(side, min(half, len(side)))]


def measured(labelled: Sequence[Labelled], asked: Sequence[Labelled]) -> dict[str, Any]:
    with bank([one.note for one in labelled], **NO_FLOOR) as lane:
        notes = [note for one in asked for note in judged(lane, one)]
    probes, others = len(asked) * PROBES, sum(len(one.non_probes) for one in asked)
    lines = {name: folded(notes, made(notes)) for name, made in DESIGNS.items()}
    return {"notes": len(notes)} | {name: figures(notes, sure, probes, others) for name, sure in lines.items()}


def judged(lane: Lane, one: Labelled) -> list[JudgedNote]:
    found = list[JudgedNote]()
    repo, own = one.note.repo, one.note.id
    for on_probe, prompts in ((True, one.probes[:PROBES]), (False, one.non_probes)):
        for words in prompts:
            for match in lane.recall.recall(Query(words, Project(repo, repo), "", "claude-code", "", "")).shown:
                if match.needed is not None:
                    mine, sure = match.memory.id == own, min(max(match.needed, 0.001), 0.999)
                    odds = math.log(sure / (1 - sure))
                    kinds = kind_of(words), match.memory.type.value
                    found.append(JudgedNote(repo, *kinds, odds, on_probe and mine, mine and not on_probe, on_probe))
    return found


def _flags(values: Sequence[str]) -> list[Floats]:
    return [np.array([value == name for value in values], np.float64) for name in sorted(set(values))[1:]]


def _alone(notes: Sequence[JudgedNote]) -> list[Floats]:
    return [np.ones(len(notes)), np.array([one.log_odds for one in notes])]


DESIGNS: Mapping[str, Callable[[Sequence[JudgedNote]], list[Floats]]] = {
    "alone": _alone,
    "kind": lambda notes: [*_alone(notes), *_flags([one.kind for one in notes])],
    "type": lambda notes: [*_alone(notes), *_flags([one.type for one in notes])],
    "kind and type": lambda notes: [
        *_alone(notes),
        *_flags([one.kind for one in notes]),
        *_flags([one.type for one in notes]),
        *_flags([f"{one.kind} {one.type}" for one in notes]),
    ],
}


def folded(notes: Sequence[JudgedNote], columns: Sequence[Floats]) -> Floats:
    """How likely each is right, by a line that did not see its repository."""
    rows, right = np.column_stack(columns), np.array([one.right for one in notes], np.float64)
    repos = sorted({one.repo for one in notes})
    random.Random(1).shuffle(repos)
    fold = {repo: n % FOLDS for n, repo in enumerate(repos)}
    folds, sure = np.array([fold[one.repo] for one in notes]), np.zeros(len(notes))
    for n in range(FOLDS):
        sure[folds == n] = 1 / (1 + np.exp(-rows[folds == n] @ fitted(rows[folds != n], right[folds != n])))
    return sure


def fitted(rows: Floats, right: Floats) -> Floats:
    line, penalty = np.zeros(rows.shape[1]), np.full(rows.shape[1], PENALTY)
    penalty[:2] = 0.01
    for _ in range(STEPS):
        sure = 1 / (1 + np.exp(-rows @ line))
        slope = rows.T @ (right - sure) - penalty * line
        line = line + np.linalg.solve((rows * (sure * (1 - sure))[:, None]).T @ rows + np.diag(penalty), slope)
    return line


def figures(notes: Sequence[JudgedNote], sure: Floats, probes: int, others: int) -> dict[str, Any]:
    right = np.array([one.right for one in notes])
    loss = -float(np.log(np.where(right, sure, 1 - sure)).mean())
    look_alikes = sorted((how for one, how in zip(notes, sure, strict=True) if one.own_look_alike), reverse=True)
    found: dict[str, Any] = {"log_loss": round(loss, 4)}
    for share in SHARES:
        most = int(share * others)
        least = look_alikes[most] if most < len(look_alikes) else 0.0
        told = [one for one, how in zip(notes, sure, strict=True) if how > least and one.on_probe]
        shown = sum(one.right for one in told)
        found[f"{share:.2f}"] = {"shown": round(shown / probes, 4), "right": round(shown / max(1, len(told)), 4)}
    return found


if __name__ == "__main__":
    main()
