"""Finds what a person teaches in a prompt, sentence by sentence: no model, no storage, linear in the prompt's length.

A sentence collects points: an announcement or a plain rule makes a Teaching, milder signs a doubtful one. Orders for
this once, questions, conditions, other people's words and descriptions of how a program behaves are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memlane.catch.embedded.vetoes import written_by_a_program
from memlane.catch.moment import Moment
from memlane.catch.teachings.language import language_of, rules_for
from memlane.catch.teachings.lesson import Plainness, Teaching
from memlane.catch.teachings.once import said_once
from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.rules import CompiledRules
from memlane.catch.teachings.sentence import PromptSentence, sentences
from memlane.catch.teachings.title import worded
from memlane.domain import Scope, Type

PLAIN, DOUBTFUL = 3, 2  # points from which a sentence is a Teaching, for sure or perhaps
MOST = 12  # Teachings of one prompt: who sends more has pasted them
FAR = 15  # characters before a rule that may be something else
_WORDS = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_FEWEST_WORDS, _FEWEST_CJK = 2, 4
_TOLD = re.compile(r"(?:[:：]|\s-)\s*[^\s:)(-]\S*\s*\S")  # behind a colon
_SUBORDINATE = re.compile(
    r"(?:that|which|who|where|saying|dass|die|der|das|que|qu'|qui|dizendo|diciendo)\b", re.IGNORECASE
)
_SIGNS, _BEGINNING = re.compile(r"\W{9,}"), 6000
_ADDRESS = re.compile(r"https?:\S+|//\S+")
_CLOSES = re.compile(r"(?<![:;-])\)")  # no smiley
_LAUGHTER = re.compile(
    r"\b(?:lol|lmao|rofl|ha(?:ha)+h?|(?:ja){2,}j?|k{3,}|mdr|ptdr|rs{2,}|hihi|kidding|scherz|spaß beiseite)\b"
    r"|哈哈|笑$|[wｗ]{2,}\s*$|（笑）|\(笑\)|[😂🤣😄😆😜]",
    re.IGNORECASE,
)
_NOT_MEANT = re.compile(
    r"\W*(?:(?:just |only )?(?:kidding|joking)|jk\b|(?:nur |kleiner )?(?:ein )?(?:scherz|spaß)|je (?:rigole|plaisante)"
    r"|(?:es |era )?(?:una )?broma|(?:é |tô )?brincadeira|brincando|冗談|なんて(?:ね|な)|开玩笑|开个玩笑)",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",?\s*(?:ok(?:ay)?|alright|please|got it|understood|deal|verstanden|alles klar|d'accord|compris|vale"
    r"|entendido|dale|tá"
    r"|tá bom|beleza|combinado|好吗|好么|行吗|可以吗|いい)\s*[?？]+\s*$",
    re.IGNORECASE,
)
_APOSTROPHES = str.maketrans("’‘ʼ´", "''''")


def teachings(prompt: str) -> list[Teaching]:
    if prompt.lstrip().startswith("/") or _is_a_programs(prompt):
        return []
    said = sentences(prompt.translate(_APOSTROPHES))
    language = language_of(" ".join(one.text.replace(FILLER, "") for one in said))
    found = said_once(list(_found(said, language, prompt)))
    return found if len(found) <= MOST else []


def _is_a_programs(prompt: str) -> bool:
    """By its beginning; long runs of signs say nothing, and searching them takes long."""
    return written_by_a_program(Moment(person=_SIGNS.sub("\n", prompt[:_BEGINNING])))


def _found(said: Sequence[PromptSentence], language: str, prompt: str) -> Iterator[Teaching]:
    for n, one in enumerate(said):
        rules = rules_for(one.text, language)
        before = said[n - 1] if n else None
        after = said[n + 1] if n + 1 < len(said) else None
        clause = _clause(one, rules)
        if clause is None or _is_a_joke(one, after):
            continue
        announced = clause.opened or _announced_around(one, before, after, rules)
        if _vetoed(clause, one, after, rules, announced=announced):
            continue
        points = PLAIN if announced else _points(clause, one, before, rules)
        if not announced and rules.chatter.search(one.text):
            points = 0
        elif not _is_explicit(one, before, after, rules):
            points = min(points - 1, DOUBTFUL)
        if points >= DOUBTFUL:
            for part in _parts(clause, one, rules):
                if taught := _taught(part, one, prompt, points, rules):
                    yield taught


@dataclass(frozen=True, slots=True)
class _Clause:
    """The part of a sentence that would be taught."""

    text: str
    offset: int  # in the sentence
    opened: bool  # it was announced
    alone: bool  # what stands before it in the sentence says nothing about it


def _clause(one: PromptSentence, rules: CompiledRules) -> _Clause | None:
    if _points_back(one, rules) or one.text.endswith((":", "：")) or _only_announces(one, rules):
        return None
    offset, opened = _past_padding(one.text, 0, rules), False
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
        offset = _past_padding(one.text, offset + found.end(), rules)
    alone = opened
    if not opened and (cut := _after_an_order(one.text, rules) or _second_clause(one.text, offset, rules)):
        alone = one.text[cut - 2] == ";"
        offset = _past_padding(one.text, cut, rules)
    text = one.text[offset:]
    if (tail := rules.tail.search(text)) and _says_something(text[: tail.start()]):
        text = text[: tail.start()]
    return _Clause(text, offset, opened, alone) if _says_something(text) else None


def _only_announces(one: PromptSentence, rules: CompiledRules) -> bool:
    """ "How many times do I have to say it?": the sentence after it is meant."""
    found = None if _TOLD.search(one.text) else rules.carries.search(one.text)
    if found is None or len(_WORDS.findall(one.text[found.end() :])) > _FEWEST_WORDS:
        return False
    return found.start() < FAR * 2  # "tabs here, I told you twice" says something itself


def _points_back(one: PromptSentence, rules: CompiledRules) -> bool:
    """ "Keep that in your notes, please.": the sentence before it is meant."""
    return _TOLD.search(one.text) is None and rules.points_back.search(one.text) is not None


def _past_padding(text: str, offset: int, rules: CompiledRules) -> int:
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


def _vetoed(
    clause: _Clause, one: PromptSentence, after: PromptSentence | None, rules: CompiledRules, *, announced: bool
) -> bool:
    if rules.once.search(clause.text if clause.alone else one.text) or _only_once(after, rules):
        return True
    whole = one.text[_past_padding(one.text, 0, rules) :]
    if _asks(clause, one, rules) and not rules.polite.search(clause.text) and not rules.polite.search(whole):
        return True
    if len(_CLOSES.findall(clause.text)) > clause.text.count("("):  # the end of something in brackets
        return True
    if announced:
        work = after is not None and rules.hands_over.search(after.text) and rules.foreign.search(clause.text)
        return bool(work or rules.choice.search(clause.text))
    if after is not None and rules.hands_over.search(after.text):
        return True
    if one.item and one.heading.endswith((":", "：")):  # of a list that is no list of rules
        return True
    return any(veto.search(clause.text) for veto in (rules.foreign, rules.order, rules.choice))


def _asks(clause: _Clause, one: PromptSentence, rules: CompiledRules) -> bool:
    said = _TAG.sub("", one.text.rstrip(" )\"'"))  # "call me Jo, ok?" asks nothing
    return said.endswith(("?", "？")) or rules.question.search(clause.text) is not None


def _is_a_joke(one: PromptSentence, after: PromptSentence | None) -> bool:
    if after is not None and _NOT_MEANT.match(after.text):
        return True
    return any(found.start() > len(one.text) / 3 for found in _LAUGHTER.finditer(one.text))


def _only_once(after: PromptSentence | None, rules: CompiledRules) -> bool:
    """ "Only for this change, it is delicate.": the next sentence takes it back."""
    if after is None or after.item:
        return False
    return rules.narrows.search(after.text) is not None and rules.once.search(after.text) is not None


def _announced_around(
    one: PromptSentence, before: PromptSentence | None, after: PromptSentence | None, rules: CompiledRules
) -> bool:
    if one.item and one.heading and rules.heading.search(one.heading):
        return True
    if before is not None and not one.item and _only_announces(before, rules):
        return True
    return after is not None and not after.item and _points_back(after, rules)


def _points(clause: _Clause, one: PromptSentence, before: PromptSentence | None, rules: CompiledRules) -> int:
    text = clause.text
    if rules.strong.search(text):
        return PLAIN
    if rules.trouble.search(text):
        return 0
    medium = sum(pattern.search(text) is not None for pattern in rules.medium)
    weak = sum(pattern.search(text) is not None for pattern in rules.weak)
    corrected = rules.corrects.search(one.text) or (before is not None and rules.corrects.search(before.text))
    return 2 * medium + bool(corrected) * bool(weak or medium)


def _is_explicit(
    one: PromptSentence, before: PromptSentence | None, after: PromptSentence | None, rules: CompiledRules
) -> bool:
    """People say "always" of programs all day. What leaves no doubt stands in the sentence or beside it."""
    around = (one.text, one.heading, before.text if before else "", after.text if after else "")
    return rules.explicit is None or any(rules.explicit.search(text) for text in around)


def _parts(clause: _Clause, one: PromptSentence, rules: CompiledRules) -> Iterator[_Clause]:
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
        yield _Clause(clause.text[place:end], clause.offset + place, opened=True, alone=True)
        place = end if cut is None else cut.end()


def _taught(clause: _Clause, one: PromptSentence, prompt: str, points: int, rules: CompiledRules) -> Teaching | None:
    start = one.start + clause.offset
    quote = prompt[start : start + len(clause.text)].rstrip()
    title = worded(quote, rules)
    if not title:
        return None
    return Teaching(
        title=title,
        quote=quote,
        start=start,
        end=start + len(quote),
        type=_type(one.text, rules),
        scope=Scope.PERSON if rules.person.search(clause.text) else Scope.PROJECT,
        plainness=Plainness.PLAIN if points >= PLAIN else Plainness.UNCLEAR,
        language=rules.language,
    )


def _type(sentence: str, rules: CompiledRules) -> Type:
    if rules.decision.search(sentence):
        return Type.DECISION
    return Type.CORRECTION if rules.correction.search(sentence) else Type.COMMITMENT
