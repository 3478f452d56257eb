"""Which part of a sentence would be taught: past padding and announcements, without an order that follows.

Says where it stands and whether it was announced; whether it is a Teaching, others decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.rules import CompiledRules
from memlane.catch.teachings.sentence import PromptSentence

FAR = 15  # characters before a rule that may be something else
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_FEWEST_WORDS, _FEWEST_CJK = 2, 4
_TOLD = re.compile(r"(?:[:：]|\s-)\s*[^\s:)(-]\S*\s*\S")  # behind a colon
_SUBORDINATE = re.compile(
    r"(?:that|which|who|where|saying|dass|die|der|das|que|qu'|qui|dizendo|diciendo)\b", re.IGNORECASE
)
_ADDRESS = re.compile(r"https?:\S+|//\S+")


@dataclass(frozen=True, slots=True)
class TaughtClause:
    """The part of a sentence that would be taught."""

    text: str
    offset: int  # in the sentence
    opened: bool  # it was announced
    alone: bool  # what stands before it in the sentence says nothing about it


def clause_of(one: PromptSentence, rules: CompiledRules) -> TaughtClause | None:
    """None: the sentence says nothing itself."""
    if points_back(one, rules) or one.text.endswith((":", "：")) or only_announces(one, rules):
        return None
    offset, opened = _past_announcements(one, rules)
    alone = opened
    if not opened and (cut := _after_an_order(one.text, rules) or _second_clause(one.text, offset, rules)):
        alone = one.text[cut - 2] == ";"
        offset = past_padding(one.text, cut, rules)
    text = one.text[offset:]
    if (tail := rules.tail.search(text)) and _says_something(text[: tail.start()]):
        text = text[: tail.start()]
    return TaughtClause(text, offset, opened, alone) if _says_something(text) else None


def _past_announcements(one: PromptSentence, rules: CompiledRules) -> tuple[int, bool]:
    offset, opened = past_padding(one.text, 0, rules), False
    for _again in range(3):
        rest = one.text[offset:]
        found = rules.opener.search(rest)
        if found is None or not found.end() or not _says_something(rest[found.end() :]):
            break
        ahead = rest[: found.start()]
        if rules.foreign.search(ahead) or rules.question.search(ahead):
            break
        opened = True
        if _CJK.search(rest) and found.start() > len(rest) - found.end():
            break  # the verb comes last: what is taught stands before the announcement
        offset = past_padding(one.text, offset + found.end(), rules)
    return offset, opened


def only_announces(one: PromptSentence, rules: CompiledRules) -> bool:
    """ "How many times do I have to say it?": the sentence after it is meant."""
    found = None if _TOLD.search(one.text) else rules.carries.search(one.text)
    if found is None or len(_WORDS.findall(one.text[found.end() :])) > _FEWEST_WORDS:
        return False
    return found.start() < FAR * 2  # "tabs here, I told you twice" says something itself


def points_back(one: PromptSentence, rules: CompiledRules) -> bool:
    """ "Keep that in your notes, please.": the sentence before it is meant."""
    return _TOLD.search(one.text) is None and rules.points_back.search(one.text) is not None


def past_padding(text: str, offset: int, rules: CompiledRules) -> int:
    for _again in range(5):
        found = rules.padding.match(text[offset:])
        if found is None or not found.end() or not _says_something(text[offset + found.end() :]):
            break
        offset += found.end()
    return offset


def _second_clause(text: str, offset: int, rules: CompiledRules) -> int:
    """Where a plain rule begins behind an order or a story: "fix the test, and never commit for me"; 0 if nowhere."""
    text = text[offset:]
    found = rules.strong.search(text)
    if found is None or found.start() < (FAR / 2 if _CJK.search(text) else FAR):
        return 0
    ahead = text[: found.start()]
    if not rules.order.search(text) and not rules.decision.search(found[0]):
        return 0
    borders = [cut.end() for cut in rules.cut.finditer(text) if cut.start() <= found.start() + 1]
    if not borders or ": " in text[: borders[-1]] or rules.foreign.search(ahead):
        return 0
    if _SUBORDINATE.match(text[borders[-1] :]):
        return 0
    return offset + borders[-1]


def _after_an_order(text: str, rules: CompiledRules) -> int:
    """Behind the semicolon of "when you are done, tell me; I always want short summaries"; 0 if there is none."""
    cut = text.find("; ")
    return cut + 2 if cut > 0 and rules.once.search(text[:cut]) and not rules.once.search(text[cut:]) else 0


def _says_something(text: str) -> bool:
    text = _ADDRESS.sub("", text.replace(FILLER, ""))
    return len(_WORDS.findall(text)) >= _FEWEST_WORDS or len(_CJK.findall(text)) >= _FEWEST_CJK


def parts(clause: TaughtClause, one: PromptSentence, rules: CompiledRules) -> Iterator[TaughtClause]:
    """ "Two things to remember: tests run in Docker, and main is protected.": each of them alone."""
    if not clause.opened or not rules.several.search(one.text[: clause.offset]):
        yield clause
        return
    place = 0
    for cut in [*rules.between.finditer(clause.text), None]:
        end = len(clause.text) if cut is None else cut.start()
        if cut is not None and not (
            _says_something(clause.text[place:end]) and _says_something(clause.text[cut.end() :])
        ):
            continue
        yield TaughtClause(clause.text[place:end], clause.offset + place, opened=True, alone=True)
        place = end if cut is None else cut.end()
