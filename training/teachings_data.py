"""Prompts whose teachings are labelled: written by people, real ones that teach nothing, and made from a grammar.

A grammar line is one prompt: `(a|b|)` picks one, `{tool}` takes a name, `[…]` is what is taught.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.teachings import Label, LabelledPrompt
from memlane.catch.teachings.find import sights
from memlane.catch.teachings.signs import SentenceSight
from tests.rooms.catch.teaching_examples import (
    ENGLISH,
    NOT_ENGLISH_TEACHINGS,
    NOT_IN_OTHER_LANGUAGES,
    OTHER_LANGUAGES,
)
from training import moments_data
from training.split import Split

REAL, ASKED, MADE, EXAMPLES = "real", "asked", "made", "examples"
GRAMMARS = Path(__file__).with_name("teachings_grammar")
REQUESTS = 3000
EACH = 3  # prompts of one line of a grammar
BESIDE = 0.35  # how often a made prompt has another sentence before it, or after it
_COVERED = 0.5  # of a label
_SHORTEST = 8  # letters of a quote that says which sentence it is from
_PICK, _NAME, _TAUGHT = re.compile(r"\(([^()]*)\)"), re.compile(r"\{(\w+)\}"), re.compile(r"\[([^\]]*)\]")


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A sentence of a prompt, who wrote it, and whether it teaches."""

    seen: SentenceSight
    writer: str
    prompt: str
    language: str
    taught: bool


def of_prompts(prompts: Sequence[LabelledPrompt], writer: str) -> Iterator[LabelledSentence]:
    for prompt in prompts:
        for seen in sights(prompt["text"]):
            taught = any(_covers(seen, label, prompt["text"]) for label in prompt["teachings"])
            yield LabelledSentence(seen, writer, prompt["id"], prompt["lang"], taught)


def _covers(seen: SentenceSight, label: Label, text: str) -> bool:
    """Half of the label, or half of the sentence is in it."""
    start = text.find(label["words"])
    shared = min(seen.one.end, start + len(label["words"])) - max(seen.one.start, start)
    return shared >= _COVERED * min(len(label["words"]), seen.one.end - seen.one.start)


def written(file: Path) -> list[LabelledPrompt]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def real(files: Sequence[Path]) -> Iterator[LabelledSentence]:
    """Taken for prompts that teach nothing, as nearly all of them do; each once. What a careful reader quoted from one
    for a Memory (`kept`) is left out: it may teach."""
    lines = (json.loads(line) for file in files for line in file.read_text().splitlines())
    texts = {line["text"]: [_bare(quote) for quote in line.get("kept", ())] for line in lines}
    for n, (text, kept) in enumerate(texts.items()):
        for one in of_prompts([_prompt(f"real-{n}", "real", text, ())], REAL):
            said = _bare(one.seen.one.text)
            if not any(len(quote) > _SHORTEST and (quote in said or said in quote) for quote in kept):
                yield one


def _bare(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def requests(memories: Path, split: Split) -> list[LabelledPrompt]:
    """What people may ask for in made-up projects, of the training side."""
    texts = sorted(set(moments_data.written(memories, None, split).requests))
    random.Random(1).shuffle(texts)
    return [_prompt(f"asked-{n}", "en", text, ()) for n, text in enumerate(texts[:REQUESTS])]


def examples() -> list[LabelledPrompt]:
    """What the tests ask for: all of a prompt is taught, or nothing."""
    taught = [_prompt(f"example-{n}", "", text, [text]) for n, text in enumerate((*ENGLISH, *OTHER_LANGUAGES))]
    other = (*NOT_ENGLISH_TEACHINGS, *NOT_IN_OTHER_LANGUAGES)
    return [*taught, *(_prompt(f"trap-{n}", "", text, ()) for n, text in enumerate(other))]


def _prompt(id_: str, language: str, text: str, taught: Sequence[str]) -> LabelledPrompt:
    labels = [Label(words=words, scope="") for words in taught]
    return LabelledPrompt(id=id_, lang=language, text=text, teachings=labels, kind="")


# -- grammars --------------------------------------------------------------------------------------------------------


def made(seed: int = 1) -> Iterator[LabelledPrompt]:
    chance = random.Random(seed)
    for file in sorted(GRAMMARS.glob("*.txt")):
        names, lines = _grammar(file)
        traps = [line for line in lines if "[" not in line]
        for line in lines:
            for _again in range(EACH):
                yield _made(line, traps, names, file.stem, chance)


def _grammar(file: Path) -> tuple[dict[str, list[str]], list[str]]:
    """`@tool=uv|pnpm` gives the names that `{tool}` stands for."""
    lines = file.read_text().splitlines()
    given = (line[1:].split("=", 1) for line in lines if line.startswith("@"))
    return {name: values.split("|") for name, values in given}, [line for line in lines if not line.startswith("@")]


def _made(
    line: str, traps: Sequence[str], names: Mapping[str, Sequence[str]], language: str, chance: random.Random
) -> LabelledPrompt:
    said = [_expanded(line, names, chance)]
    for at in (0, len(said) + 1):
        if chance.random() < BESIDE:
            said.insert(at, _expanded(chance.choice(traps), names, chance))
    end, space = ("。", "") if language in ("ja", "zh") else (".", " ")
    closed = [one if one[-1] in ".?!。？！" else one + end for one in said]
    text = space.join(closed)
    return _prompt(f"made-{language}", language, _TAUGHT.sub(r"\1", text), _TAUGHT.findall(text))


def _expanded(line: str, names: Mapping[str, Sequence[str]], chance: random.Random) -> str:
    while found := _PICK.search(line):
        line = line[: found.start()] + chance.choice(found[1].split("|")) + line[found.end() :]
    said = " ".join(_NAME.sub(lambda name: chance.choice(names[name[1]]), line).split())
    return said[:1].upper() + said[1:] if chance.random() < BESIDE else said
