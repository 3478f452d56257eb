"""Labelled moments, and sentences written for recall that serve as examples of lessons and of plain requests."""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlane.catch.moment import Moment, from_line
from memlane.domain import Type
from training.split import Side, Split

POSITIVE = 2  # worth from which a memory should have been caught; worth 1 counts as no, and weighs little in training
TYPES = (
    Type.CORRECTION,
    Type.DECISION,
    Type.COMMITMENT,
    Type.LEARNING,
    Type.INSIGHT,
    Type.WORKFLOW_NOTE,
    Type.PATTERN_SEED,
)
_NEAREST = {"gap": Type.LEARNING, "confidence": Type.COMMITMENT, "cross_agent": Type.WORKFLOW_NOTE}  # too rare to learn
_HOME = re.compile(r"/(?:Users|home)/([\w.-]+)")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A Moment and what careful readers kept of it."""

    moment: Moment
    run: str
    repository: str
    worth: int
    type: Type | None
    record: dict[str, Any]

    @property
    def positive(self) -> bool:
        return self.worth >= POSITIVE


@dataclass(frozen=True, slots=True)
class Written:
    """Made-up projects: what people said when a lesson was learnt, and what they just asked for."""

    lessons: tuple[str, ...]
    requests: tuple[str, ...]


def records(path: Path) -> Iterator[dict[str, Any]]:
    with lzma.open(path, "rt") if path.suffix == ".xz" else path.open() as lines:
        for line in lines:
            yield json.loads(line)


def labelled(path: Path) -> list[Labelled]:
    return [_labelled(record) for record in records(path)]


def _labelled(record: dict[str, Any]) -> Labelled:
    best = max(record["memories"], key=lambda memory: memory["worth"], default=None)
    return Labelled(
        from_line(record),  # pyright: ignore[reportArgumentType]
        record["run"],
        record["repo"],
        best["worth"] if best else 0,
        (_NEAREST.get(best["type"]) or Type(best["type"])) if best else None,
        record,
    )


def sides(found: Sequence[Labelled], split: Split) -> tuple[list[Labelled], list[Labelled]]:
    """Training and validation."""
    is_validation = [split.side(each.repository) is Side.VALIDATION for each in found]
    training = [each for each, held in zip(found, is_validation, strict=True) if not held]
    return training, [each for each, held in zip(found, is_validation, strict=True) if held]


def written(memories: Path, trivial: Path | None, split: Split) -> Written:
    """Of the written training projects only; probes ask for something, they teach nothing."""
    kept = [r for r in records(memories) if r["source"] == "written"]
    kept = [r for r in kept if split.side(r["repo"]) is not Side.VALIDATION]
    requests = [text for r in kept for text in (*r["probes"], *r["non_probes"])]
    requests += [r["prompt"] for r in records(trivial)] if trivial else []
    return Written(tuple(r["quote"] for r in kept), tuple(requests))


def people(found: Sequence[Labelled]) -> list[str]:
    """Who typed in each run, by the home folder that its calls name: to leave a whole person out."""
    by_run: dict[str, Counter[str]] = {}
    for each in found:
        m = each.moment
        text = " ".join((*m.before_tools, *m.next_tools, *m.before_errors, m.person, m.before_agent, m.next))
        by_run.setdefault(each.run, Counter()).update(_HOME.findall(text))
    names = {run: (seen.most_common(1)[0][0] if seen else "?") for run, seen in by_run.items()}
    return [f"{each.repository}:{names[each.run]}" for each in found]
