"""Does a file say what a sentence claims? Every word of it, in one place, with the same denials. No disk."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import cast

from memlane.claims.agreement import Claim, claim
from memlane.claims.words import claimed

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_MARKS = re.compile(r"[`*_>#]+(?=\s|\w|$)|(?<=\w)[`*]+")
# How it came about is no part of the claim.
_STORY = re.compile(
    r"^(?:the |an? )?(?:person|user|human|agent|assistant|they|he|she|we|i)\b(?: had| has| was| were)?"
    r" \w+(?:ed|id|ote|ent|old)\b",
    re.IGNORECASE,
)
FEWEST = 2  # words: less is found in every file


def says(text: str, name: str, title: str, content: str) -> bool:
    places = list(_places(text, name))
    if len(claim(title).words) < FEWEST or not _stands(title, places):
        return False
    said = (sentence for sentence in _SENTENCE.split(claimed(content)) if re.search(r"\w", sentence))
    return all(_STORY.match(sentence.strip()) or _stands(sentence, places) for sentence in said)


def _stands(sentence: str, places: list[Claim]) -> bool:
    here = claim(_plain(sentence))
    return any(
        here.words <= there.words and here.denied == there.denied & here.words and _times(here, there)
        for there in places
    )


def _times(here: Claim, there: Claim) -> bool:
    return here.timed <= there.timed and not any(word in here.words for _when, word in there.timed - here.timed)


def _places(text: str, name: str) -> Iterator[Claim]:
    """Each sentence, and each with the one after it: a file says "never commit them" of what it just named."""
    if name.endswith(".json"):
        yield from map(claim, _scripts(text))
        return
    lines = [plain for line in _SENTENCE.split(text) if (plain := _plain(line))]
    yield from map(claim, lines)
    yield from (claim(f"{one} {two}") for one, two in pairwise(lines))


def _scripts(text: str) -> Iterator[str]:
    """What `npm run` knows, in words."""
    try:
        read: object = json.loads(text)
    except ValueError:
        return
    scripts = cast("dict[str, object]", read).get("scripts") if isinstance(read, dict) else None
    for name, body in cast("dict[str, object]", scripts).items() if isinstance(scripts, dict) else ():
        parts = " ".join(re.split(r"[:_-]", name))
        yield f"the command, script, task {parts}: npm, pnpm, yarn {name}: {body}"


def _plain(line: str) -> str:
    return _MARKS.sub("", line).strip(" \t-*#>|")
