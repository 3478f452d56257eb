"""`python -m training.students KIND --data DIR --taught DIR --out DIR`: the small models, from labels and a teacher.

KIND is `encoder` (prompt and note apart) or `joint` (the second look). Measured on the tuning side, which neither the
teacher nor the writer has seen; validation is not read.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from torch import Tensor, nn

from training import bert, figures, lessons, objective, questions
from training.bert import BertEncoder
from training.fit import Plan, pace
from training.joint import Joint
from training.lessons import Lesson
from training.near import Near, nearest
from training.questions import Question
from training.saying import say
from training.soup import packed

LOOKED_AT = 5
LIKELY = 0.5  # a note this likely is the one that its prompt should find among all of a batch
PIECE = 256


def batches(taught: Sequence[Lesson], size: int, seed: int) -> Iterator[list[Lesson]]:
    rng = random.Random(seed)
    order = list(taught)
    while True:
        rng.shuffle(order)
        yield from (order[at : at + size] for at in range(0, len(order) - size + 1, size))


def numbered(batch: Sequence[Lesson]) -> tuple[list[str], list[tuple[int, int]]]:
    """Each note of a batch once, and which prompt goes with which."""
    notes = list(dict.fromkeys(note for lesson in batch for note in lesson.notes))
    number = {note: n for n, note in enumerate(notes)}
    return notes, [(p, number[note]) for p, lesson in enumerate(batch) for note in lesson.notes]


def shares(batch: Sequence[Lesson], said: Tensor, *, none: bool) -> Tensor:
    """Cross entropy between how likely each note is and what was said; `none`: no note at all has log-odds 0."""
    longest = max(len(lesson.notes) for lesson in batch)
    rows, wanted = said.new_full((len(batch), longest + 1), -1e4), said.new_zeros(len(batch), longest + 1)
    at = 0
    for r, lesson in enumerate(batch):
        many = len(lesson.notes)
        rows[r, 1 : 1 + many] = said[at : at + many]
        wanted[r, 1 : 1 + many] = torch.tensor(lesson.share, device=said.device)
        wanted[r, 0] = lesson.none if none else 0.0
        at += many
    if none:
        rows[:, 0] = 0.0
    return -(wanted * rows.log_softmax(-1)).sum(-1).mean()


def joint_loss(model: Joint, batch: Sequence[Lesson]) -> Tensor:
    notes, pairs = numbered(batch)
    said = model.judge([lesson.words for lesson in batch], notes, pairs)
    each = said.new_tensor([one for lesson in batch for one in lesson.each])
    return shares(batch, said, none=True) + nn.functional.binary_cross_entropy_with_logits(said, each)


def encoder_loss(model: BertEncoder, judge: objective.Judge, batch: Sequence[Lesson], heat: float) -> Tensor:
    notes, pairs = numbered(batch)
    prompts, known = model.encode([lesson.words for lesson in batch]), model.encode(notes)
    cosines = prompts.float() @ known.float().T
    left, right = torch.tensor(pairs, device=cosines.device).T
    said = cosines[left, right]
    each = said.new_tensor([one for lesson in batch for one in lesson.each])
    loss = shares(batch, said / heat, none=False)
    loss = loss + nn.functional.binary_cross_entropy_with_logits(judge.slope * (said - judge.middle), each)
    sure = [(p, n) for (p, n), one in zip(pairs, each.tolist(), strict=True) if one >= LIKELY]
    if sure:
        rows, wanted = torch.tensor(sure, device=said.device).T
        loss = loss + 0.5 * nn.functional.cross_entropy(cosines[rows] / heat, wanted)
    return loss


def fit(model: Any, parameters: Sequence[nn.Parameter], taught: Sequence[Lesson], plan: Plan) -> list[float]:
    judge = objective.Judge()
    judge.to(parameters[0].device)
    groups = [{"params": list(parameters), "lr": plan.rate}, {"params": list(judge.parameters()), "lr": 1e-2}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    losses: list[float] = []
    model.train()
    for step, batch in enumerate(batches(taught, plan.size, plan.seed)):
        if step >= plan.steps:
            break
        is_joint = isinstance(model, Joint)
        loss = joint_loss(model, batch) if is_joint else encoder_loss(model, judge, batch, plan.heat)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(list(parameters), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
    model.eval()
    return losses


def judged(model: Joint, asked: Sequence[Question], near: Sequence[Near], texts: Sequence[str]) -> list[list[float]]:
    out: list[list[float]] = []
    with torch.no_grad():
        for at in range(0, len(asked), PIECE):
            some = range(at, min(at + PIECE, len(asked)))
            pairs = [(n - at, note) for n in some for note in near[n].notes[:LOOKED_AT]]
            used = sorted({note for _n, note in pairs})
            place = {note: p for p, note in enumerate(used)}
            placed = [(n, place[note]) for n, note in pairs]
            said = iter(model.judge([asked[n].words for n in some], [texts[u] for u in used], placed).tolist())
            out += [[next(said) for _ in near[n].notes[:LOOKED_AT]] for n in some]
    return out


def told(asked: Sequence[Question], near: Sequence[Near], said: Sequence[Sequence[float]] | None) -> dict[str, Any]:
    """Only the best of five is shown, above a floor that lets a share of the non_probes bring up their memory."""
    hits, best, own = {1: 0, 5: 0}, list[tuple[float, bool, bool]](), {True: list[float](), False: list[float]()}
    for n, one in enumerate(asked):
        five = near[n].notes[:LOOKED_AT]
        scores = list(said[n]) if said is not None else near[n].cosines[:LOOKED_AT].tolist()
        order = sorted(range(len(five)), key=lambda k: -scores[k])
        if one.needs:
            hits[1] += five[order[0]] == one.own
            hits[5] += one.own in five
        if one.own in five:
            own[bool(one.needs)].append(scores[five.index(one.own)])
        best.append((scores[order[0]], five[order[0]] == one.own, bool(one.needs)))
    probes, others = sum(b[2] for b in best), sum(not b[2] for b in best)
    out: dict[str, Any] = {f"hit{k}": round(v / probes, 4) for k, v in hits.items()}
    out["auc"] = round(figures.area(*(np.array(own[k], np.float32) for k in (True, False))), 4)
    for share in (0.05, 0.10, 0.20):
        astray = sorted((score for score, is_own, probe in best if is_own and not probe), reverse=True)
        floor = astray[int(share * others)] if int(share * others) < len(astray) else -1e9
        notes = [b for b in best if b[0] > floor and b[2]]
        right = sum(b[1] for b in notes)
        out[f"{share:.2f}"] = {"shown": round(right / probes, 4), "right": round(right / max(1, len(notes)), 4)}
    return out


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("encoder", "joint"))
    for name in ("data", "taught", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--base", type=Path, help="else the encoder of the data")
    parser.add_argument("--apart", type=int, default=4)
    parser.add_argument("--whole", action="store_true", help="train the first layers too")
    parser.add_argument("--written", type=float, default=1.0, help="share of what was written")
    parser.add_argument("--untaught", action="store_true", help="labels alone")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--seed", type=int, default=41)
    return parser.parse_args()


@dataclass(frozen=True, slots=True)
class World:
    """What there is to learn from and to be measured by."""

    asked: list[Question]
    notes: list[dict[str, str]]
    near: list[Near]

    @property
    def texts(self) -> list[str]:
        return [note["text"] for note in self.notes]

    def tuning(self) -> tuple[list[Question], list[Near]]:
        chosen = [n for n, one in enumerate(self.asked) if one.fold == -1]
        return [self.asked[n] for n in chosen], [self.near[n] for n in chosen]

    def lessons(self, given: argparse.Namespace) -> list[Lesson]:
        taught: lessons.Said = {}
        for path in () if given.untaught else sorted(given.taught.glob("teacher-*[0-9].npz")):
            taught |= lessons.said_in(path)
        learned = list(lessons.labelled(self.asked, self.notes, self.near, taught))
        if given.written and not given.untaught:
            more = list(lessons.written(given.taught, self.notes))
            learned += random.Random(given.seed).sample(more, round(len(more) * given.written))
        return learned


def learned_encoder(encoder: BertEncoder, world: World, plan: Plan, taught: Sequence[Lesson]) -> Learned:
    losses = fit(encoder, [p for p in encoder.parameters() if p.requires_grad], taught, plan)
    some, _near = world.tuning()
    after = nearest(encoder, some, world.texts, [note["project"] for note in world.notes])
    return Learned(losses, told(some, after, None), bert.stored(encoder.pooled.bert))


def learned_joint(model: Joint, world: World, plan: Plan, taught: Sequence[Lesson]) -> Learned:
    losses = fit(model, model.trained(), taught, plan)
    some, near = world.tuning()
    stored = bert.stored(model.body)
    last = {k: v for k, v in stored.items() if k.startswith("encoder.layer.") and int(k.split(".")[2]) >= model.apart}
    kept = last if model.frozen else stored
    own = {"sides": model.sides.data, "out.weight": model.out.weight.data, "out.bias": model.out.bias.data}
    return Learned(losses, told(some, near, judged(model, some, near, world.texts)), {**kept, **own})


@dataclass(frozen=True, slots=True)
class Learned:
    losses: list[float]
    after: dict[str, Any]
    tensors: dict[str, Tensor]


def main() -> None:
    given = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    plan = Plan(steps=given.steps, rate=given.rate, size=given.size, seed=given.seed)
    torch.manual_seed(plan.seed)
    tokenizer, base = given.data / "tokenizer.json", given.base or given.data / "encoder.safetensors"
    encoder = BertEncoder(bert.load(base), tokenizer, 128).to(device)
    asked = questions.read(given.data / "questions.jsonl")
    notes: list[dict[str, str]] = json.loads((given.data / "notes.json").read_text())
    near = nearest(encoder, asked, [n["text"] for n in notes], [n["project"] for n in notes])
    world = World(asked, notes, near)
    taught = world.lessons(given)
    about = {"kind": given.kind, "name": given.name, "plan": asdict(plan), "lessons": len(taught)}
    about |= {"apart": given.apart, "whole": given.whole, "before": told(*world.tuning(), None)}
    if given.kind == "encoder":
        found = learned_encoder(encoder, world, plan, taught)
    else:
        joint = Joint(bert.load(base), given.apart, tokenizer, frozen=not given.whole).to(device)
        found = learned_joint(joint, world, plan, taught)
    losses = [round(float(np.mean(found.losses[a : a + 200])), 4) for a in range(0, len(found.losses), 200)]
    given.out.mkdir(parents=True, exist_ok=True)
    kept = packed({name: tensor.float().cpu() for name, tensor in found.tensors.items()})
    safetensors.torch.save_file({k: v.contiguous() for k, v in kept.items()}, given.out / f"{given.name}.safetensors")
    about |= {"after": found.after, "loss": losses}
    (given.out / f"{given.name}.json").write_text(json.dumps(about, indent=1) + "\n")
    say(json.dumps(about))


if __name__ == "__main__":
    main()
