"""`python -m training.students encoder|look --data DIR --taught DIR --out DIR --name NAME`: small models from lessons.

`encoder` reads prompt and note apart, `look` is the second look on the layers of one. Measured on the tuning side,
which neither the teacher nor the writer has seen; validation is not read.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from torch import Tensor, nn

from training import bert, objective, questions
from training.bert import BertEncoder
from training.fit import Plan, pace
from training.look import NOTE, PROMPT, Look, Reading, alone
from training.look_figures import LOOKED_AT, told
from training.near import Near, nearest
from training.progress import say
from training.questions import Question
from training.school import School, Taught, lessons_of
from training.soup import packed

LIKELY = 0.5  # a note this likely is the one that its prompt should find among all of a batch
READ = 96  # tokens of a note that an encoder is trained with
PIECE = 2048  # texts of one forward pass
JUDGED = 64  # prompts of one, when measured


def shares(said: Tensor, some: Taught, *, none: bool) -> Tensor:
    """Cross entropy between how likely each note is and what was said; `none`: no note at all has log-odds 0."""
    said = said.masked_fill(~some.there, -1e4)
    wanted = some.share
    if none:
        said = torch.cat([said, torch.zeros_like(said[:, :1])], 1)
        wanted = torch.cat([wanted, some.none[:, None]], 1)
    return -(wanted * said.log_softmax(-1)).sum(-1).mean()


def each_loss(said: Tensor, some: Taught) -> Tensor:
    return nn.functional.binary_cross_entropy_with_logits(said[some.there], some.each[some.there])


class EncoderStudent(nn.Module):
    """Learns cosines: the right one nearest, among its own and among all of the batch."""

    def __init__(self, encoder: BertEncoder, school: School, heat: float) -> None:
        super().__init__()
        self.encoder, self.judge, self.heat = encoder, objective.Judge(), heat
        self._prompts, self._notes = school.tokens(PROMPT, READ)

    def groups(self, rate: float) -> list[dict[str, Any]]:
        trained = [p for p in self.encoder.parameters() if p.requires_grad]
        return [{"params": trained, "lr": rate}, {"params": list(self.judge.parameters()), "lr": 1e-2}]

    def loss(self, some: Taught) -> Tensor:
        pooled = self.encoder.pooled
        prompts = pooled(*(side[some.prompt].long() for side in self._prompts)).float()
        notes = pooled(*(side[some.notes.flatten()].long() for side in self._notes)).float()
        cosines = prompts @ notes.T
        width = some.notes.shape[1]
        rows = torch.arange(len(prompts), device=prompts.device)
        said = (prompts[:, None] * notes.view(len(prompts), width, -1)).sum(-1)
        loss = shares(said / self.heat, some, none=False)
        loss = loss + each_loss(self.judge.slope * (said - self.judge.middle), some)
        likely, best = some.each.masked_fill(~some.there, 0.0).max(1)
        wanted = rows * width + best
        same = some.notes.flatten()[None, :] == some.notes[rows, best][:, None]
        same[rows, wanted] = False
        among = nn.functional.cross_entropy((cosines / self.heat).masked_fill(same, -1e4), wanted, reduction="none")
        return loss + 0.5 * (among * (likely >= LIKELY)).mean()


class LookStudent(nn.Module):
    """Learns what cosines do not say: with `prior` it is trained on top of them, and left alone afterwards."""

    def __init__(self, look: Look, body: bert.Bert, school: School, *, prior: bool) -> None:
        super().__init__()
        self.look, self.prior = look, nn.Parameter(torch.tensor([8.0, -4.0, 4.0]))
        self._with_prior = prior
        tokens = school.tokens(PROMPT, NOTE)
        self._masks = [mask for _ids, mask in tokens]
        self._states = [states(body, ids, mask, look.reading.apart) for ids, mask in tokens]
        self._vectors = [vectors_of(body, ids, mask) for ids, mask in tokens]

    def groups(self, rate: float) -> list[dict[str, Any]]:
        return [{"params": list(self.look.parameters()), "lr": rate}, {"params": [self.prior], "lr": 1e-2}]

    def loss(self, some: Taught) -> Tensor:
        width = some.notes.shape[1]
        asked, notes = some.prompt.repeat_interleave(width), some.notes.flatten()
        said = self.look(
            self._states[0][asked], self._masks[0][asked], self._states[1][notes], self._masks[1][notes]
        ).view(-1, width)
        if self._with_prior:
            said = said + self._known(some)
        return shares(said, some, none=True) + each_loss(said, some)

    def _known(self, some: Taught) -> Tensor:
        cosines = (self._vectors[0][some.prompt][:, None] * self._vectors[1][some.notes]).sum(-1)
        behind = cosines - cosines.masked_fill(~some.there, -1.0).amax(1, keepdim=True)
        return self.prior[0] * cosines + self.prior[1] + self.prior[2] * behind


@torch.no_grad()
def states(body: bert.Bert, ids: Tensor, mask: Tensor, apart: int) -> Tensor:
    kind = torch.bfloat16 if ids.is_cuda else torch.float32
    with torch.autocast(ids.device.type, torch.bfloat16, enabled=ids.is_cuda):
        pieces = zip(ids.split(PIECE), mask.split(PIECE), strict=True)
        return torch.cat([alone(body, i.long(), m, apart).to(kind) for i, m in pieces])


@torch.no_grad()
def vectors_of(body: bert.Bert, ids: Tensor, mask: Tensor) -> Tensor:
    pooled = bert.Pooled(body)
    with torch.autocast(ids.device.type, torch.bfloat16, enabled=ids.is_cuda):
        pieces = zip(ids.split(PIECE), mask.split(PIECE), strict=True)
        return torch.cat([pooled(i.long(), m).float() for i, m in pieces])


def fit(student: EncoderStudent | LookStudent, taught: Taught, plan: Plan) -> list[float]:
    groups = student.groups(plan.rate)
    device = taught.prompt.device
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01, fused=device.type == "cuda")
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    losses: list[Tensor] = []
    student.train()
    for some in taught.batches(plan):
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            loss = student.loss(some)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(groups[0]["params"], 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.detach())
    student.eval()
    return torch.stack(losses).tolist()


@torch.no_grad()
def judged(look: Look, body: bert.Bert, school: School, asked: Sequence[Question], near: Sequence[Near]) -> list[Any]:
    """Log-odds of the nearest of each question, nearest first."""
    out: list[list[float]] = []
    for at in range(0, len(asked), JUDGED):
        some, close = asked[at : at + JUDGED], near[at : at + JUDGED]
        pairs = [(n, note) for n, one in enumerate(close) for note in one.notes[:LOOKED_AT]]
        sides = (
            school.cut([some[n].words for n, _note in pairs], PROMPT),
            school.cut([school.texts[note] for _n, note in pairs], NOTE),
        )
        read = [(states(body, ids, mask, look.reading.apart), mask) for ids, mask in sides]
        with torch.autocast(sides[0][0].device.type, torch.bfloat16, enabled=sides[0][0].is_cuda):
            said = iter(look(*read[0], *read[1]).tolist())
        out += [[next(said) for _ in one.notes[:LOOKED_AT]] for one in close]
    return out


@dataclass(frozen=True, slots=True)
class Learned:
    losses: list[float]
    after: dict[str, Any]
    tensors: dict[str, Tensor]
    said: list[Any]


def learned_encoder(encoder: BertEncoder, school: School, plan: Plan, taught: Taught) -> Learned:
    losses = fit(EncoderStudent(encoder, school, plan.heat).to(encoder.device), taught, plan)
    some, _near = school.tuning()
    after = nearest(encoder, some, school.texts, [note["project"] for note in school.notes])
    return Learned(losses, told(some, after, None), bert.stored(encoder.pooled.bert), [])


def learned_look(encoder: BertEncoder, school: School, plan: Plan, taught: Taught, given: Any) -> Learned:
    body = encoder.pooled.bert
    reading = Reading(given.way, given.apart, tuple(given.begun))
    student = LookStudent(Look(body, reading), body, school, prior=given.prior).to(encoder.device)
    losses = fit(student, taught, plan)
    some, near = school.tuning()
    said = judged(student.look, body, school, some, near)
    say("prior", student.prior.tolist())
    return Learned(losses, told(some, near, said), student.look.stored(), said)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("encoder", "look"))
    for name in ("data", "taught", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--base", type=Path, help="else the encoder of the data")
    parser.add_argument("--way", choices=("reads", "together"), default="reads")
    parser.add_argument("--apart", type=int, default=3)
    parser.add_argument("--begun", type=int, nargs="+", default=[3, 4, 5])
    parser.add_argument("--prior", action="store_true", help="train the look on top of the cosines")
    parser.add_argument("--share", type=float, default=1.0, help="of the lessons")
    parser.add_argument("--untaught", action="store_true", help="labels alone")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--rate", type=float, default=3e-5)
    parser.add_argument("--size", type=int, default=48)
    parser.add_argument("--seed", type=int, default=41)
    return parser.parse_args()


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
    school = School(asked, notes, near, tokenizer, torch.device(device))
    learned = lessons_of(school, None if given.untaught else given.taught, given.share, given.seed)
    taught = school.taught(learned)
    say("lessons", len(learned), "notes", len(school.known_notes))
    about = {"kind": given.kind, "name": given.name, "plan": asdict(plan), "lessons": len(learned)}
    about |= {"before": told(*school.tuning(), None)}
    if given.kind == "encoder":
        found = learned_encoder(encoder, school, plan, taught)
    else:
        about |= {"way": given.way, "apart": given.apart, "begun": given.begun, "prior": given.prior}
        found = learned_look(encoder, school, plan, taught, given)
    keep(given, about, found)


def keep(given: argparse.Namespace, about: dict[str, Any], found: Learned) -> None:
    losses = [round(float(np.mean(found.losses[a : a + 200])), 4) for a in range(0, len(found.losses), 200)]
    given.out.mkdir(parents=True, exist_ok=True)
    kept = packed({name: tensor.float().cpu() for name, tensor in found.tensors.items()})
    safetensors.torch.save_file({k: v.contiguous() for k, v in kept.items()}, given.out / f"{given.name}.safetensors")
    if found.said:
        rows = np.array([[*one, *[np.nan] * (LOOKED_AT - len(one))] for one in found.said], np.float32)
        np.savez_compressed(given.out / f"{given.name}-tuning.npz", said=rows)
    about |= {"after": found.after, "loss": losses}
    (given.out / f"{given.name}.json").write_text(json.dumps(about, indent=1) + "\n")
    say(json.dumps(about))


if __name__ == "__main__":
    main()
