"""`python -m training.writer --data DIR --parts DIR --out DIR`: more memories with prompts, in their manner.

A decoder is tuned on whole records of the fitting side (some notes of a project, then a new one with what needs it and
what does not) and then writes new ones, for the same projects and for projects nobody has. Nothing it writes is taken
for true: a teacher judges it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from training import decoder
from training.decoder import Decoder, Past, angles
from training.fit import Plan, pace
from training.memories import Labelled, read
from training.progress import say
from training.projects import projects
from training.split import Side, Split

END = "###"
LONGEST = 480  # tokens of a record with what stands before it
BEFORE = 170  # tokens of what stands before it
WRITTEN = 230  # tokens of a new one at most
HEAT, KEPT, TRIED = 0.9, 0.95, 128
BATCH = 2048
LARGE = 4  # a project of many memories is drawn as often as so many others, for each hundred
EACH = 96  # made-up projects of one piece
ROUNDS = 2  # the second sees what the first wrote


class Words:
    """Text to rows of the smaller word table and back; what it does not have is left out."""

    def __init__(self, folder: Path) -> None:
        self._cut = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._rows: list[int] = json.loads((folder / "rows.json").read_text())
        self._small = {n: row for row, n in enumerate(self._rows)}

    def ids(self, text: str) -> list[int]:
        return [self._small[n] for n in self._cut.encode(text).ids if n in self._small]

    def text(self, ids: Sequence[int]) -> str:
        return self._cut.decode([self._rows[n] for n in ids])


def before(project: str, others: Sequence[str]) -> str:
    return "".join([f"{END} {project}\n", *(f"- {_line(text)}\n" for text in others), "+ "])


def record(memory: Labelled, rng: random.Random) -> str:
    needs = [f"? {_line(p.text)}\n" for p in rng.sample(memory.probes, len(memory.probes))]
    not_so = [f"! {_line(p.text)}\n" for p in rng.sample(memory.non_probes, len(memory.non_probes))]
    return f"{memory.text}\n~ {memory.near}\n{''.join(needs + not_so)}{END}\n"


def _line(text: str) -> str:
    return " ".join(text.split())


_RECORD = re.compile(r"(?P<note>[^\n]+\n[^\n]+)\n~ (?P<near>[^\n]+\n[^\n]+)\n(?P<asked>(?:[?!] [^\n]+\n)+)")


def parsed(text: str) -> dict[str, object] | None:
    found = _RECORD.match(text)
    if found is None:
        return None
    lines = found["asked"].splitlines()
    needs, not_so = ([line[2:] for line in lines if line[0] == mark] for mark in "?!")
    return {"note": found["note"], "near": found["near"], "probes": needs, "non_probes": not_so} if needs else None


class Writer(nn.Module):
    """The decoder with its words at the end again."""

    def __init__(self, body: Decoder, said: Tensor) -> None:
        super().__init__()
        self.body = body
        self.said = nn.Parameter(said, requires_grad=False)

    def forward(self, ids: Tensor) -> Tensor:
        x = self.body.words(ids)
        turned = angles(ids.shape[1], x.device, torch.bfloat16 if x.is_cuda else torch.float32)
        for layer in self.body.layers:
            x = layer(x, turned)
        return self.body.norm(x) @ self.said.T.to(x.dtype)


def sequences(memories: Sequence[Labelled], words: Words, rng: random.Random) -> Iterator[tuple[list[int], int]]:
    """Token ids, and where the part begins that is to be learned. Without end."""
    projects = _projects(memories)
    while True:
        for memory in rng.sample(memories, len(memories)):
            others = [m for m in projects[memory.project] if m.id != memory.id]
            some = [m.text for m in rng.sample(others, min(rng.randint(0, 3), len(others)))]
            first = words.ids(before(memory.project, some))
            yield [*first, *words.ids(record(memory, rng))][:LONGEST], len(first)


def _projects(memories: Sequence[Labelled]) -> dict[str, list[Labelled]]:
    found: dict[str, list[Labelled]] = {}
    for memory in memories:
        found.setdefault(memory.project, []).append(memory)
    return found


def fit(writer: Writer, given: Iterator[tuple[list[int], int]], plan: Plan) -> list[float]:
    trained = list(writer.body.layers.parameters())
    optimizer = torch.optim.AdamW(trained, lr=plan.rate, weight_decay=0.0, fused=trained[0].is_cuda)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: pace(step, plan))
    device = trained[0].device
    losses: list[float] = []
    for _step in range(plan.steps):
        rows = [next(given) for _ in range(plan.size)]
        longest = max(len(ids) for ids, _begins in rows)
        ids = torch.tensor([[*r, *[0] * (longest - len(r))] for r, _b in rows], device=device)
        wanted = torch.tensor([[*[-100] * b, *r[b:], *[-100] * (longest - len(r))] for r, b in rows], device=device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            said = writer(ids[:, :-1])
        loss = nn.functional.cross_entropy(said.float().flatten(0, 1), wanted[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
    return losses


@torch.no_grad()
def written(writer: Writer, starts: Sequence[list[int]], most: int) -> list[list[int]]:
    """Each start goes on for `most` tokens; starts are filled up on the left."""
    body, device = writer.body, writer.said.device
    kind = writer.said.dtype
    longest = max(map(len, starts))
    ids = torch.tensor([[*[0] * (longest - len(s)), *s] for s in starts], device=device)
    filled = torch.tensor([longest - len(s) for s in starts], device=device)
    places = torch.arange(longest + most, device=device)
    shape = (len(starts), decoder.KEYS, longest + most, decoder.HEAD)
    nothing = torch.zeros(shape, device=device, dtype=kind)
    pasts = [Past(nothing.clone(), nothing.clone(), 0, places) for _ in body.layers]
    cos, sin = (t.to(kind) for t in angles(longest + most, device, torch.float32))
    out: list[Tensor] = []
    at = 0
    for _step in range(most):
        length = ids.shape[1]
        until = at + length
        seen = (places[None, None, None, :until] >= filled[:, None, None, None]) & (
            places[None, None, None, :until] <= places[None, None, at:until, None]
        )
        seen = seen | (places[None, None, at:until, None] < filled[:, None, None, None])
        x = body.words(ids).to(kind)
        for layer, past in zip(body.layers, pasts, strict=True):
            past.at, past.seen = at, seen
            x = layer(x, (cos[at:until], sin[at:until]), past)
        ids = drawn((body.norm(x[:, -1]) @ writer.said.T).float())
        out.append(ids)
        at = until
    return torch.cat(out, 1).tolist()


def drawn(said: Tensor) -> Tensor:
    likely, which = said.topk(min(TRIED, said.shape[-1]), -1)
    ordered = torch.softmax(likely / HEAT, -1)
    ordered[ordered.cumsum(-1) - ordered > KEPT] = 0.0
    return which.gather(-1, torch.multinomial(ordered, 1))


@dataclass(frozen=True, slots=True)
class Bank:
    """A project to write for: what always stands first, and notes of which some follow."""

    name: str
    about: tuple[str, ...]
    notes: list[str]

    def start(self, words: Words, rng: random.Random) -> list[int]:
        some = [*self.about, *rng.sample(self.notes, min(rng.randint(1, 3), len(self.notes)))]
        while len(ids := words.ids(before(self.name, some))) > BEFORE and some:
            some.pop()
        return ids


def labelled_banks(memories: Sequence[Labelled]) -> list[Bank]:
    """A large one more often."""
    found = [Bank(name, (), [m.text for m in some]) for name, some in _projects(memories).items()]
    return [bank for bank in found for _ in range(1 + LARGE * (len(bank.notes) // 100))]


def made_up_banks(many: int, rng: random.Random) -> list[Bank]:
    return [Bank(one.name, one.lines[:1], list(one.lines[1:])) for one in projects(many, rng)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "parts", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=28)
    parser.add_argument("--steps", type=int, default=160)
    parser.add_argument("--rate", type=float, default=1e-5)
    parser.add_argument("--pieces", type=int, default=10, help="files; the first is for the projects of the data")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--most", type=int, default=WRITTEN)
    parser.add_argument("--seconds", type=float, default=1e9, help="no new piece after so many")
    given = parser.parse_args()
    began = time.monotonic()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    plan = Plan(steps=given.steps, rate=given.rate, size=16, seed=31)
    torch.manual_seed(plan.seed)
    split = Split.load(given.data / "splits.json")
    memories = [m for m in read(given.data / "recall-train.jsonl") if split.side(m.project) is Side.FITTING]
    words, rng = Words(given.parts), random.Random(plan.seed)
    body = decoder.load(given.parts, given.layers)
    writer = Writer(body, body.words.weight.data).to(device)
    say("loaded")
    losses = fit(writer, sequences(memories, words, rng), plan)
    say("tuned", [round(x, 3) for x in losses[::20]])
    if device == "cuda":
        writer.to(torch.bfloat16)
    given.out.mkdir(parents=True, exist_ok=True)
    known = {m.text.split("\n")[0] for m in memories}
    made_up = made_up_banks(EACH * (given.pieces - 1), rng)
    for n in range(given.pieces):
        if n and time.monotonic() - began > given.seconds:
            break
        banks = made_up[(n - 1) * EACH : n * EACH] if n else labelled_banks(memories)
        piece(writer, words, banks, given.out / f"written-{n:02}.jsonl", known, rng, given)
        (given.out / f"written-{n:02}.done").touch()
    (given.out / "written.done").touch()


def piece(
    writer: Writer,
    words: Words,
    banks: Sequence[Bank],
    path: Path,
    known: set[str],
    rng: random.Random,
    given: argparse.Namespace,
) -> None:
    """What reads as a record and has a title of its own; what is kept may stand before what comes after it."""
    kept = 0
    with path.open("w") as file:
        for _round in range(ROUNDS):
            chosen = [rng.choice(banks) for _ in range(given.batch)]
            told = written(writer, [bank.start(words, rng) for bank in chosen], given.most)
            for bank, ids in zip(chosen, told, strict=True):
                made = parsed(words.text(ids))
                title = str(made["note"]).split("\n")[0] if made else ""
                if made and title not in known:
                    known.add(title)
                    kept += 1
                    bank.notes.append(str(made["note"]))
                    file.write(json.dumps({"project": bank.name, **made}, ensure_ascii=False) + "\n")
    say("written", path.name, kept, "of", ROUNDS * given.batch)


if __name__ == "__main__":
    main()
