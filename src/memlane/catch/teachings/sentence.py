"""A prompt cut into sentences: where each stands, and whether it is an item of a list under a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.catch.teachings.own_text import FILLER, own_text

LONGEST_SENTENCE = 600  # characters: more is no sentence anybody teaches with
_END = re.compile(
    r"(?<=[.!?…])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bz\.B\.)(?<!\bvs\.)(?<!\betc\.)[\"')\]]*\s+(?=\S)|(?<=[。！？])\s*(?=\S)"
)
_ITEM = re.compile(r"^\s*(?:[-*•・]|\d+[.)、]|[a-h]\))\s*")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class PromptSentence:
    """`text` has a filler where something was pasted or quoted; `start` and `end` are places in the prompt."""

    text: str
    start: int
    end: int
    item: bool = False  # of a list
    heading: str = ""  # the line above that list
    first: bool = False  # of its line


def sentences(prompt: str) -> list[PromptSentence]:
    return list(_cut(own_text(prompt)))


def _cut(text: str) -> Iterator[PromptSentence]:
    place, heading = 0, ""
    for line in text.split("\n"):
        mark = _ITEM.match(line)
        item = mark is not None
        if not item and line.strip():
            heading = line.strip()
        yield from _of_line(line, place, mark.end() if mark else 0, heading if item else "")
        place += len(line) + 1


def _of_line(line: str, place: int, begin: int, heading: str) -> Iterator[PromptSentence]:
    ends = [found for found in _END.finditer(line) if found.start() > begin]
    starts = [begin, *(found.end() for found in ends)]
    stops = [*(found.start() for found in ends), len(line)]
    first = True
    for start, stop in zip(starts, stops, strict=True):
        text = line[start:stop]
        lead = len(text) - len(text.lstrip())
        text = text.strip()
        if _WORD.search(text.replace(FILLER, "")) and len(text) <= LONGEST_SENTENCE:
            yield PromptSentence(
                text, place + start + lead, place + start + lead + len(text), begin > 0, heading, first
            )
            first = False
