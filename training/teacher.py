"""`python -m training.teacher --data DIR --parts DIR --out DIR [--fold N]`: a decoder learns whether a note is needed.

It is taught the labels of the fitting side (not of its own fold) and then says what it thinks of the tuning side, of
its own fold, of what nobody has labelled, and of what `training.writer` wrote. Small models learn from its log-odds;
the teacher itself is thrown away.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training import bert, decoder, figures, questions
from training.bert import BertEncoder
from training.decoder import Decoder
from training.figures import Floats
from training.fit import Plan, pace
from training.judge import judged
from training.near import Near, nearest
from training.progress import say
from training.questions import AFTER, BEFORE, BETWEEN, Question
from training.writer import Words

GROUP = 6  # notes beside each other for one prompt
BESIDE = 5  # nearest notes that are judged for a written prompt
HARD = 9  # nearest neighbours they are drawn from
EVERYTHING = 99  # no fold: taught all labels
PROMPTS, NOT_PROMPTS = 3, 2  # of each written record
MOST = 128  # tokens of a note or a prompt
SHORT = Path(__file__).with_name("short.txt")  # prompts that may need a memory or none
SHORTS = 6  # of them for each project of what was written


@dataclass(frozen=True, slots=True)
class Shown:
    """One prompt with a few notes; `right` is which of them is needed, -1: none."""

    question: int
    notes: tuple[tuple[int, bool], ...]  # number, and whether its near miss is meant
    right: int


class Texts:
    """As token ids: a note and a prompt become one row."""

    def __init__(self, words: Words, asked: Sequence[Question], notes: Sequence[Mapping[str, str]]) -> None:
        self._notes, self._near = (
            [words.ids(BEFORE + note[kind])[:MOST] for note in notes] for kind in ("text", "near")
        )
        mid, end = words.ids(BETWEEN), words.ids(AFTER)
        self._behind = [[*mid, *words.ids(one.words)[:MOST], *end] for one in asked]

    def row(self, question: int, note: int, *, near: bool = False) -> list[int]:
        return [*(self._near if near else self._notes)[note], *self._behind[question]]

    def pair(self, row: tuple[int, int, bool]) -> tuple[object, list[int], list[int]]:
        question, note, near = row
        return (note, near), (self._near if near else self._notes)[note], self._behind[question]


def shown(
    asked: Sequence[Question], near: Sequence[Near], which: Sequence[int], size: int, seed: int
) -> Iterator[list[Shown]]:
    """Without end, every question once before any comes again."""
    rng = random.Random(seed)
    order = list(which)
    while True:
        rng.shuffle(order)
        for at in range(0, len(order) - size + 1, size):
            yield [_shown(n, asked[n], near[n], rng) for n in order[at : at + size]]


def _shown(n: int, one: Question, near: Near, rng: random.Random) -> Shown:
    others = [note for note in near.notes[:HARD] if note != one.own]
    if one.own < 0:
        return Shown(n, tuple((note, False) for note in rng.sample(others, min(GROUP, len(others)))), -1)
    first = [(one.own, False), (one.own, True)] if one.needs else [(one.own, False)]
    rest = rng.sample(others, min(GROUP - len(first), len(others)))
    return Shown(n, (*first, *((note, False) for note in rest)), 0 if one.needs else -1)


def loss_of(said: Tensor, batch: Sequence[Shown]) -> Tensor:
    """Which of them, or none of them: none has log-odds 0. And each by itself."""
    longest = max(len(one.notes) for one in batch)
    rows = said.new_full((len(batch), longest + 1), -1e4)
    rows[:, 0] = 0.0
    at, each = 0, torch.zeros_like(said)
    for r, one in enumerate(batch):
        rows[r, 1 : 1 + len(one.notes)] = said[at : at + len(one.notes)]
        if one.right >= 0:
            each[at + one.right] = 1.0
        at += len(one.notes)
    wanted = torch.tensor([one.right + 1 for one in batch], device=said.device)
    return nn.functional.cross_entropy(rows, wanted) + nn.functional.binary_cross_entropy_with_logits(said, each)


def fit(model: Decoder, texts: Texts, batches: Iterator[list[Shown]], plan: Plan) -> list[float]:
    trained = [p for p in model.parameters() if p.requires_grad]
    head = {id(p) for p in model.out.parameters()}
    groups = [
        {"params": [p for p in trained if id(p) not in head], "lr": plan.rate},
        {"params": [p for p in trained if id(p) in head], "lr": plan.rate * 10},
    ]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=model.out.weight.is_cuda)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    losses: list[float] = []
    for step, batch in enumerate(batches):
        if step >= plan.steps:
            break
        said = model.judge([texts.row(one.question, note, near=near) for one in batch for note, near in one.notes])
        loss = loss_of(said, batch)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
    return losses


def asked_of(asked: Sequence[Question], near: Sequence[Near], wanted: set[int]) -> list[tuple[int, int, bool]]:
    """What the teacher is asked afterwards: every near note, its own one if it is not near, and the near miss."""
    found: list[tuple[int, int, bool]] = []
    for n, one in enumerate(asked):
        if n in wanted:
            notes = list(dict.fromkeys([*near[n].notes, *([one.own] if one.own >= 0 else [])]))
            found += [(n, note, False) for note in notes] + ([(n, one.own, True)] if one.needs else [])
    return found


def told(asked: Sequence[Question], near: Sequence[Near], said: dict[tuple[int, int], float]) -> dict[str, float]:
    """On the tuning side: does it put a probe's own note first, and probes above non_probes?"""
    first = nearer = many = 0
    yes, no = list[float](), list[float]()
    for n, one in enumerate(asked):
        if one.fold != -1 or one.own < 0:
            continue
        (yes if one.needs else no).append(said[n, one.own])
        if one.needs:
            many += 1
            first += max(near[n].notes, key=lambda note: said[n, note]) == one.own
            nearer += near[n].notes[0] == one.own
    area = figures.area(np.array(yes, np.float32), np.array(no, np.float32))
    return {"hit1": round(first / many, 4), "hit1_encoder": round(nearer / many, 4), "auc": round(area, 4)}


def from_written(path: Path, first: int) -> tuple[list[Question], list[dict[str, str]]]:
    """Questions about what was written, and the notes themselves, numbered from `first`."""
    asked, notes = list[Question](), list[dict[str, str]]()
    for n, record in enumerate(json.loads(line) for line in path.read_text().splitlines()):
        own, project = first + n, record["project"]
        notes.append({"text": record["note"], "near": record["near"], "project": project})
        asked += [Question(words, project, own, needs=True, fold=0) for words in record["probes"][:PROMPTS]]
        asked += [Question(words, project, own, needs=False, fold=0) for words in record["non_probes"][:NOT_PROMPTS]]
    return asked, notes


def shorts(notes: Sequence[Mapping[str, str]], rng: random.Random) -> Iterator[Question]:
    """What is typed without a subject, in each project."""
    known = SHORT.read_text().splitlines()
    for project in sorted({note["project"] for note in notes}):
        yield from (Question(words, project, -1, needs=None, fold=0) for words in rng.sample(known, SHORTS))


def keep(out: Path, name: str, rows: Sequence[tuple[int, int, bool]], said: Floats) -> None:
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / f"{name}.npz", rows=np.array(rows, np.int32), said=said.astype(np.float16))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "parts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--fold", type=int, default=EVERYTHING)
    parser.add_argument("--written", type=Path, help="a folder: its pieces are judged too, as they come")
    parser.add_argument("--layers", type=int, default=18)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--rate", type=float, default=1e-5)
    parser.add_argument("--size", type=int, default=16)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    plan = Plan(steps=given.steps, rate=given.rate, size=given.size, seed=21)
    torch.manual_seed(plan.seed)
    asked = questions.read(given.data / "questions.jsonl")
    notes: list[dict[str, str]] = json.loads((given.data / "notes.json").read_text())
    encoder = BertEncoder(bert.load(given.data / "encoder.safetensors"), given.data / "tokenizer.json", 256).to(device)
    near = nearest(encoder, asked, [n["text"] for n in notes], [n["project"] for n in notes])
    texts = Texts(Words(given.parts), asked, notes)
    model = decoder.load(given.parts, given.layers).to(device)
    say("loaded")
    which = [n for n, one in enumerate(asked) if one.fold not in (given.fold, -1) and one.needs is not None]
    losses = fit(model, texts, shown(asked, near, which, plan.size, plan.seed), plan)
    wanted = {n for n, one in enumerate(asked) if one.fold in (given.fold, -1) or one.needs is None}
    rows = asked_of(asked, near, wanted)
    said = judged(model, [texts.pair(row) for row in rows])
    keep(given.out, f"teacher-{given.fold}", rows, said)
    known = {(n, note): float(s) for (n, note, miss), s in zip(rows, said, strict=True) if not miss}
    parts = [round(float(np.mean(losses[a : a + 50])), 3) for a in range(0, len(losses), 50)]
    about = {"steps": plan.steps, "rate": plan.rate, "labelled": len(which), "loss": parts, **told(asked, near, known)}
    (given.out / f"teacher-{given.fold}.json").write_text(json.dumps(about) + "\n")
    say(about)
    if given.written:
        model.to(torch.bfloat16 if device == "cuda" else torch.float32)
        judge_written(model, encoder, notes, given)


def judge_written(
    model: Decoder, encoder: BertEncoder, notes: Sequence[dict[str, str]], given: argparse.Namespace
) -> None:
    """Piece by piece, until the writer has stopped."""
    n = 0
    while True:
        path = given.written / f"written-{n:02}.jsonl"
        if path.with_suffix(".done").exists():
            judge_piece(model, encoder, notes, path, given)
            n += 1
        elif (given.written / "written.done").exists():
            break
        else:
            time.sleep(0.5)


def judge_piece(
    model: Decoder, encoder: BertEncoder, notes: Sequence[dict[str, str]], path: Path, given: argparse.Namespace
) -> None:
    asked, made = from_written(path, len(notes))
    asked += shorts(made, random.Random(path.stem))
    bank = [*notes, *made]
    near = nearest(encoder, asked, [n["text"] for n in bank], [n["project"] for n in bank])
    near = [Near(one.notes[:BESIDE], one.cosines) for one in near]
    texts = Texts(Words(given.parts), asked, bank)
    rows = asked_of(asked, near, set(range(len(asked))))
    keep(given.out, f"teacher-{path.stem}", rows, judged(model, [texts.pair(row) for row in rows]))
    questions.write(given.out / f"{path.stem}-questions.jsonl", asked)
    (given.out / f"{path.stem}-notes.json").write_text(json.dumps(made))
    (given.out / f"teacher-{path.stem}.done").touch()
    say("judged", path.stem, len(made), len(rows))


if __name__ == "__main__":
    main()
