"""Lessons as numbers on the device: every text once as tokens, and which prompt goes with which notes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from training import lessons
from training.fit import Plan
from training.lessons import NOTES, Lesson
from training.look import cut
from training.near import Near
from training.questions import Question

Tokens = tuple[Tensor, Tensor]


@dataclass(frozen=True, slots=True)
class Taught:
    """Numbers of a prompt and of its notes, and what is to be said of them; `there`: where there is a note."""

    prompt: Tensor
    notes: Tensor
    there: Tensor
    each: Tensor
    share: Tensor
    none: Tensor

    def __len__(self) -> int:
        return len(self.prompt)

    def taken(self, which: Tensor) -> Taught:
        return Taught(*(getattr(self, name)[which] for name in self.__slots__))

    def batches(self, plan: Plan) -> Iterator[Taught]:
        """Every lesson once before any comes again."""
        chance = torch.Generator().manual_seed(plan.seed)
        size, step = min(plan.size, len(self)), 0
        while True:
            order = torch.randperm(len(self), generator=chance).to(self.prompt.device)
            for at in range(0, len(order) - size + 1, size):
                if step == plan.steps:
                    return
                yield self.taken(order[at : at + size])
                step += 1


class School:
    """What there is to learn from and to be measured by."""

    def __init__(
        self,
        asked: list[Question],
        notes: list[dict[str, str]],
        near: list[Near],
        tokenizer: Path,
        device: torch.device,
    ) -> None:
        self.asked, self.notes, self.near, self.device = asked, notes, near, device
        self.known_prompts: dict[str, int] = {}
        self.known_notes: dict[str, int] = {}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @property
    def texts(self) -> list[str]:
        return [note["text"] for note in self.notes]

    def tuning(self) -> tuple[list[Question], list[Near]]:
        chosen = [n for n, one in enumerate(self.asked) if one.fold == -1]
        return [self.asked[n] for n in chosen], [self.near[n] for n in chosen]

    def taught(self, learned: Sequence[Lesson]) -> Taught:
        def number(known: dict[str, int], text: str) -> int:
            return known.setdefault(text, len(known))

        prompt = torch.tensor([number(self.known_prompts, one.words) for one in learned])
        notes, there = torch.zeros(len(learned), NOTES, dtype=torch.long), torch.zeros(len(learned), NOTES)
        each, share = torch.zeros_like(there), torch.zeros_like(there)
        for n, one in enumerate(learned):
            many = len(one.notes)
            notes[n, :many] = torch.tensor([number(self.known_notes, text) for text in one.notes])
            there[n, :many] = 1.0
            each[n, :many], share[n, :many] = torch.tensor(one.each), torch.tensor(one.share)
        none = torch.tensor([one.none for one in learned])
        return Taught(*(x.to(self.device) for x in (prompt, notes, there.bool(), each, share, none)))

    def tokens(self, prompt: int, note: int) -> tuple[Tokens, Tokens]:
        """Of all that `taught` has numbered: prompts, and notes."""
        return self.cut(list(self.known_prompts), prompt), self.cut(list(self.known_notes), note)

    def cut(self, texts: Sequence[str], most: int) -> Tokens:
        ids, mask = cut([one.ids for one in self._tokenizer.encode_batch(list(texts))], most)
        return ids.to(self.device), mask.to(self.device)


def lessons_of(school: School, taught: Path | None, share: float, seed: int) -> list[Lesson]:
    """Labels, and a share of what the teacher said of more; `taught`: where that is."""
    said: lessons.Said = {}
    for path in sorted(taught.glob("teacher-[0-9]*.npz")) if taught else ():
        said |= lessons.said_in(path)
    learned = list(lessons.labelled(school.asked, school.notes, school.near, said))
    more = list(lessons.written(taught, school.notes)) if taught else []
    return learned + random.Random(seed).sample(more, round(len(more) * share))
