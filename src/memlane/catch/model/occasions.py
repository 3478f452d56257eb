"""The question when Memories matter, for those of which nobody has said it, and what is answered to it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from memlane.catch.checks import Finder
from memlane.catch.model.answer import Cue, Problem, inlined_schema, items_of, misshapen, rounded
from memlane.domain import LONGEST_WHEN, MOST_CUES, Memory, Occasion, cues_of
from memlane.domain.door import plain, quoted, unquoted
from memlane.domain.fence import WINDOW

MOST_ASKED = 10  # Memories in one question
_SHOWN = 600  # characters of one


class AnswerOccasion(msgspec.Struct):
    id: str
    when: Annotated[str, Meta(max_length=LONGEST_WHEN)] = ""
    always: bool = False
    cues: Annotated[list[Cue], Meta(max_length=MOST_CUES)] = []


class AnswerOccasions(msgspec.Struct):
    memories: Annotated[list[AnswerOccasion], Meta(max_length=MOST_ASKED)]


def occasions_schema() -> Mapping[str, object]:
    return inlined_schema(AnswerOccasions)


@cache
def occasions_prompt() -> str:
    return files("memlane.catch.model").joinpath("improve.md").read_text(encoding="utf-8").strip()


def asked(memories: Sequence[Memory]) -> str:
    """What they say, between marks that none of them can hold."""
    lines = [f"{memory.id} {memory.type.value}: {_line(memory)}" for memory in memories]
    nonce = hashlib.blake2b("\n".join(lines).encode("utf-8", "replace"), digest_size=6).hexdigest()
    return "\n".join([f'<{WINDOW} nonce="{nonce}">', *lines, f'</{WINDOW} nonce="{nonce}">'])


def _line(memory: Memory) -> str:
    said = memory.content if memory.title in memory.content else f"{memory.title} {memory.content}"
    return " ".join(quoted(said).split())[:_SHOWN]


@dataclass(frozen=True, slots=True)
class OccasionsAnswer:
    """By Memory, and what is wrong with the rest."""

    occasions: Mapping[str, Occasion]
    problems: Sequence[Problem] = ()


def answered(text: str, memories: Sequence[str], gate: Finder) -> OccasionsAnswer:
    items, problems = items_of(text)
    found = dict[str, Occasion]()
    for number, item in enumerate(items):
        where = f"memories[{number}]"
        if not isinstance(item, dict):
            problems.append(Problem(where, "it is not an object", "give id, when, always, cues"))
            continue
        table = cast(dict[str, object], item)
        wrong = [*misshapen(AnswerOccasion, table, where)] or [*_unfit(table, where, memories, gate)]
        problems += wrong
        if not wrong:
            given = msgspec.convert(rounded(table), AnswerOccasion)
            found[given.id.strip()] = Occasion(_plain(given.when), given.always, cues_of(map(_plain, given.cues)))
    return OccasionsAnswer(found, problems)


def _unfit(table: Mapping[str, object], where: str, memories: Sequence[str], gate: Finder) -> list[Problem]:
    given = msgspec.convert(rounded(table), AnswerOccasion)
    if given.id.strip() not in memories:
        return [Problem(f"{where}.id", f"{given.id[:40]!r} was not asked about", f"one of: {', '.join(memories)}")]
    for place, text in (("when", given.when), *(("cues", cue) for cue in given.cues)):
        if secrets := gate.findings(text):
            fix = "leave it and the text around it out"
            return [Problem(f"{where}.{place}", f"a secret ({secrets[0].rule}) is in it", fix)]
    return []


def _plain(text: str) -> str:
    return " ".join(plain(unquoted(text)).split())
