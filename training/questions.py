"""`python -m training.questions --data DIR`: every prompt with the project it is asked in, its memory and its fold.

DATA holds recall-train.jsonl, recall-windows.jsonl, pairs.jsonl and splits.json; writes questions.jsonl, notes.json and
texts.json (what `training.decoder_parts` cuts into tokens) beside them.
Beside labelled probes and non_probes: what people really typed in these projects and elsewhere, and prompts that need
nothing. Those have no label; a teacher says what it thinks of them. Validation is left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from training import pairs as pairs_of
from training.memories import Labelled, Prompt
from training.memories import read as labelled
from training.pairs import Pair
from training.split import Side, Split

FOLDS = 3
LARGE = 100  # memories: a project of more is cut by memory
LONGEST = 600  # characters of what somebody typed
ELSEWHERE = 600  # prompts of other projects, asked in a large one
# what a teacher reads around a note and a prompt
BEFORE, BETWEEN, AFTER = (
    "A note kept from earlier work:\n",
    "\n\nWhat the user types now:\n",
    "\n\nDoes the agent need the note for this?",
)
NOTHING = Path(__file__).with_name("nothing.txt")  # prompts that need no memory
TALK = 3  # messages before a prompt that are kept of a window


@dataclass(frozen=True, slots=True)
class Question:
    """`own`: the memory's number, -1 for none; `needs`: True for a probe, False for a non_probe or what needs nothing,
    None where nobody has said."""

    words: str
    project: str
    own: int
    needs: bool | None
    fold: int  # -1: the tuning side


def fold_of(memory: Labelled, split: Split, sizes: dict[str, int]) -> int:
    if split.side(memory.project) is Side.TUNING:
        return -1
    name = memory.id if sizes[memory.project] > LARGE else memory.project
    return hashlib.sha256(name.encode()).digest()[1] % FOLDS


def sizes(memories: Sequence[Labelled]) -> dict[str, int]:
    counted: dict[str, int] = {}
    for memory in memories:
        counted[memory.project] = counted.get(memory.project, 0) + 1
    return counted


def questions(
    memories: Sequence[Labelled], split: Split, pairs: Sequence[Pair], nothing: Sequence[str]
) -> Iterator[Question]:
    """`memories` of the training side; `nothing`: prompts that need no memory."""
    counted = sizes(memories)
    for n, memory in enumerate(memories):
        fold = fold_of(memory, split, counted)
        for needs, prompts in ((True, memory.probes), (False, memory.non_probes)):
            yield from (Question(said(prompt), memory.project, n, needs, fold) for prompt in prompts)
    yield from _typed(memories, split, pairs, nothing)


def said(prompt: Prompt) -> str:
    """The prompt, behind the last of what was said before it."""
    return "\n".join([*prompt.window[-TALK:], prompt.text])


def _typed(
    memories: Sequence[Labelled], split: Split, pairs: Sequence[Pair], nothing: Sequence[str]
) -> Iterator[Question]:
    rng = random.Random(7)
    fitting = {m.project for m in memories if split.side(m.project) is Side.FITTING}
    large = [project for project, many in sizes(memories).items() if many > LARGE and project in fitting]
    typed = {(p.a[:LONGEST], p.project) for p in pairs if p.kind != "title" and split.side(p.project) is Side.FITTING}
    here = sorted(one for one in typed if one[1] in fitting)
    yield from (Question(words, project, -1, None, rng.randrange(FOLDS)) for words, project in here)
    away = rng.sample(sorted(one for one in typed if one[1] not in fitting), k=min(ELSEWHERE, len(typed) - len(here)))
    yield from (Question(words, rng.choice(large), -1, None, rng.randrange(FOLDS)) for words, _project in away)
    everywhere = sorted(fitting)
    for words in nothing:
        asked = [rng.choice(large), rng.choice(everywhere), rng.choice(everywhere)]
        yield from (Question(words, project, -1, needs=False, fold=rng.randrange(FOLDS)) for project in asked)


def write(path: Path, asked: Sequence[Question]) -> None:
    path.write_text("\n".join(json.dumps(asdict(one), ensure_ascii=False) for one in asked) + "\n")


def read(path: Path) -> list[Question]:
    return [Question(**json.loads(line)) for line in path.read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    folder: Path = parser.parse_args().data
    split = Split.load(folder / "splits.json")
    every = [m for name in ("recall-train", "recall-windows") for m in labelled(folder / f"{name}.jsonl")]
    memories = [m for m in every if split.side(m.project) is not Side.VALIDATION]
    asked = [*questions(memories, split, [*pairs_of.read(folder / "pairs.jsonl")], NOTHING.read_text().splitlines())]
    write(folder / "questions.jsonl", asked)
    notes = [{"id": m.id, "project": m.project, "text": m.text, "near": m.near} for m in memories]
    (folder / "notes.json").write_text(json.dumps(notes))
    texts = [text for note in notes for text in (f"+ {note['text']}\n~ {note['near']}\n",)]
    marks = [f"### {m.project}\n- {m.text}\n? x\n! x\n###\n" for m in memories]
    (folder / "texts.json").write_text(
        json.dumps({"asked": [one.words for one in asked], "notes": texts + marks, "around": [BEFORE, BETWEEN, AFTER]})
    )


if __name__ == "__main__":
    main()
