"""What the small models learn from: a prompt, a few notes, and how likely each of them is needed.

Labels where there are labels; else what the teacher said. Where it said something about a labelled question without
having been taught it, both count the same.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training import questions
from training.near import Near
from training.questions import Question

NOTES = 6  # beside each other
SURE = 0.95  # how much of a label is believed


@dataclass(frozen=True, slots=True)
class Lesson:
    """`each`: how likely each note is needed; `none`: how likely none of them is the one."""

    words: str
    notes: tuple[str, ...]
    each: tuple[float, ...]
    share: tuple[float, ...]
    none: float
    project: str


def of_label(words: str, project: str, notes: Sequence[str], right: int) -> Lesson:
    """`right`: which note is needed, -1: none."""
    rest = (1 - SURE) / len(notes)
    share = tuple(SURE if n == right else rest for n in range(len(notes)))
    none = rest if right >= 0 else SURE
    whole = sum(share) + none
    each = tuple(0.9 if n == right else 0.03 for n in range(len(notes)))
    return Lesson(words, tuple(notes), each, tuple(s / whole for s in share), none / whole, project)


def of_teacher(words: str, project: str, notes: Sequence[str], said: Sequence[float]) -> Lesson:
    """The likeliest of them where there are more than fit."""
    kept = sorted(sorted(range(len(said)), key=lambda n: -said[n])[:NOTES])
    notes, said = [notes[n] for n in kept], [said[n] for n in kept]
    odds = [math.exp(min(20.0, one)) for one in said]
    whole = 1 + sum(odds)
    each = tuple(one / (1 + one) for one in odds)
    return Lesson(words, tuple(notes), each, tuple(one / whole for one in odds), 1 / whole, project)


def both(a: Lesson, b: Lesson) -> Lesson:
    def mean(x: Sequence[float], y: Sequence[float]) -> tuple[float, ...]:
        return tuple((p + q) / 2 for p, q in zip(x, y, strict=True))

    return Lesson(a.words, a.notes, mean(a.each, b.each), mean(a.share, b.share), (a.none + b.none) / 2, a.project)


Said = dict[int, dict[tuple[int, bool], float]]  # question → (note, near miss) → log-odds


def said_in(path: Path) -> Said:
    found: Said = {}
    stored = np.load(path)
    for (question, note, near), said in zip(stored["rows"].tolist(), stored["said"].tolist(), strict=True):
        found.setdefault(question, {})[note, bool(near)] = said
    return found


def labelled(
    asked: Sequence[Question], notes: Sequence[dict[str, str]], near: Sequence[Near], taught: Said
) -> Iterator[Lesson]:
    """Of the fitting side: labels, the teacher where it knows the question only from its fold, and what was typed."""
    for n, one in enumerate(asked):
        if one.fold == -1:
            continue
        heard = taught.get(n, {})
        close = [note for note, miss in heard if not miss] or near[n].notes
        chosen = [(note, False) for note in close if note != one.own][: NOTES - 2]
        if one.own >= 0:
            chosen = [(one.own, False), *([(one.own, True)] if one.needs else []), *chosen]
        texts = [notes[note]["near" if miss else "text"] for note, miss in chosen]
        known = all(one in heard for one in chosen)
        by_teacher = of_teacher(one.words, one.project, texts, [heard[c] for c in chosen]) if known else None
        by_label = of_label(one.words, one.project, texts, 0 if one.needs else -1) if one.needs is not None else None
        if by_label and by_teacher:
            yield both(by_label, by_teacher)
        elif one_of := by_label or by_teacher:
            yield one_of


def written(folder: Path, notes: Sequence[dict[str, str]]) -> Iterator[Lesson]:
    """What the writer wrote, piece by piece, as the teacher judged it."""
    for path in sorted(folder.glob("teacher-written*.npz")):
        name = path.stem.removeprefix("teacher-")
        asked = questions.read(folder / f"{name}-questions.jsonl")
        bank = [*notes, *json.loads((folder / f"{name}-notes.json").read_text())]
        for n, heard in said_in(path).items():
            texts = [bank[note]["near" if miss else "text"] for note, miss in heard]
            yield of_teacher(asked[n].words, asked[n].project, texts, list(heard.values()))
