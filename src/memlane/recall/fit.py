"""What do a model's cosines mean? Weights of `score.Calibration`, fitted on notes and the prompts that need them.

Only who fits loads it, for it needs numpy. A model that ships is fitted by `training.calibrate` on the tuning side; any
other one by the home that uses it, on the twenty sample notes beside this file and prompts in nine languages.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from memlane.recall.gather import NEAR
from memlane.recall.score import CUED, nearness, shared_words
from memlane.recall.weights import WEIGHTS
from memlane.recall.words import content_terms, is_technical

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Vector = NDArray[np.float32]

SAMPLES = Path(__file__).with_name("samples")
LANGUAGES: Mapping[str, str] = {
    "en": "English", "ja": "Japanese", "zh": "Chinese", "ko": "Korean", "de": "German", "es": "Spanish",
    "fr": "French", "pt": "Portuguese", "ru": "Russian",
}  # fmt: skip
READS = 0.65  # of the prompts of a language have to find their note first: more than words that languages share do
SHARE = 0.10  # of non_probes: where a second look is left out; more is shown than the encoder before showed at 0.15
LOOKED_AT = 8  # nearest memories of each prompt that the regression sees
MOST = 3  # notes on a prompt
ALONE = 2.0  # one note, unless the next is nearly as sure: more shown for as many notes, on the tuning side
STEP, LEAST, HIGHEST = 0.01, -1.5, 4.0
NAMES = ("cosine", "behind", "shared", "bias")
RIDGE = 1.0


class TextModel(Protocol):
    """As an Embedder gives vectors."""

    def passages(self, texts: Sequence[str]) -> Vector: ...

    def query(self, text: str) -> Vector: ...


@dataclass(frozen=True, slots=True)
class SampleMemory:
    """A note, and prompts of which it is known whether they need it."""

    text: str
    cues: tuple[str, ...]
    probes: tuple[str, ...]
    non_probes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PromptRows:
    """One prompt against the near notes of its project, nearest first: a row of features for each."""

    rows: Floats
    own: int  # which of them is its own; -1: it is not among them
    probe: bool
    technical: bool


@dataclass(frozen=True, slots=True)
class ModelMeaning:
    """`weights` as `Calibration.of` takes them; `reads`: the languages of which it finds notes."""

    weights: Mapping[str, float]
    reads: tuple[str, ...]


def on_samples(model: TextModel) -> ModelMeaning:
    """Fitted in the languages it reads, which may be none: then nothing was fitted."""
    seen = {code: rows_of([*samples(code, cues=False)], model) for code in LANGUAGES}
    reads = [code for code, some in seen.items() if first_share(some) >= READS]
    if not reads:
        return ModelMeaning({}, ())
    cued = [one for code in reads for one in rows_of([*samples(code, cues=True)], model)]
    plain = [one for code in reads for one in seen[code]]
    weights = named(weights_of(plain, SHARE), "") | named(weights_of(cued, SHARE), CUED)
    return ModelMeaning(weights, tuple(LANGUAGES[code] for code in reads))


def named(weights: Floats, prefix: str) -> dict[str, float]:
    return dict(zip([f"{prefix}{name}" for name in NAMES], weights.round(4).tolist(), strict=True))


def samples(code: str, *, cues: bool) -> Iterator[SampleMemory]:
    notes = {line["id"]: line for line in sample_lines("notes")}
    for line in sample_lines(code):
        note = notes[line["id"]]
        written = (*note["cues"], *line["cues"]) if cues else ()
        yield SampleMemory(f"{note['title']}\n{note['content']}", written, (line["probe"],), (line["non_probe"],))


def sample_lines(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (SAMPLES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def first_share(seen: Sequence[PromptRows]) -> float:
    """Of the prompts that need a note, those that are nearest to theirs."""
    probes = [one for one in seen if one.probe]
    return sum(one.own == 0 for one in probes) / len(probes)


def rows_of(notes: Sequence[SampleMemory], model: TextModel) -> list[PromptRows]:
    """`notes`: all of one project."""
    vectors, words = model.passages([note.text for note in notes]), [content_terms(note.text) for note in notes]
    cues = [model.passages(note.cues) if note.cues else np.zeros((0, 1), np.float32) for note in notes]

    def row(own: int, text: str, *, probe: bool) -> PromptRows:
        asked = model.query(text)
        each = [nearness_to(asked, vector, some) for vector, some in zip(vectors, cues, strict=True)]
        near: list[int] = np.argsort(-np.array(each), kind="stable")[:NEAR].tolist()
        cosines = np.array([each[n] for n in near])
        shared = np.array(shared_words([words[n] for n in near], content_terms(text)))
        features = np.stack([cosines, cosines - cosines[0], shared], axis=1)
        return PromptRows(features, near.index(own) if own in near else -1, probe, is_technical(text))

    asked = [(n, text, True) for n, note in enumerate(notes) for text in note.probes]
    asked += [(n, text, False) for n, note in enumerate(notes) for text in note.non_probes]
    return [row(n, text, probe=probe) for n, text, probe in asked]


def nearness_to(asked: Vector, note: Vector, cues: Vector) -> float:
    return nearness(float(note @ asked), float((cues @ asked).max()) if len(cues) else None)


def weights_of(seen: Sequence[PromptRows], share: float) -> Floats:
    """Moved so that 0.50 is the lowest similarity at which at most `share` of the non_probes bring up their note."""
    begun = regression(seen) * np.array([1, ALONE, 1, 1])
    return moved(begun, share, lambda tried: figures(seen, tried)["non_probe_shown"], LEAST)


def regression(seen: Sequence[PromptRows]) -> Floats:
    """Weights of the features, then the bias; Newton's method with a little ridge."""
    rows, wanted = list["Floats"](), list[float]()
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


def figures(seen: Sequence[PromptRows], weights: Floats) -> dict[str, float]:
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
    steps = [weights + np.array([0, 0, 0, step]) for step in np.arange(least, HIGHEST, STEP)]
    first = bisect_right(steps, share, key=astray)  # the surer of each, the more are told
    return steps[max(0, first - 1)]
