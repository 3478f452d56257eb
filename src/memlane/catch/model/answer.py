"""What an agent or a model answers, checked word by word and turned into Drafts.

Every refusal names the field, what is wrong with it and what to do, so that whoever wrote it can mend it.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from memlane.catch.checks import LONGEST_CONTENT, LONGEST_TITLE
from memlane.catch.model.json_answer import NoJsonError, found_in
from memlane.catch.quotes import said, spots_of, standing
from memlane.domain import LONGEST_CUE, LONGEST_WHEN, MOST_CUES, Draft, Mention, Quote, Scope, Spot, Type, Window

MOST_MEMORIES = 20
UNSAID_CONFIDENCE = 75  # clear from what happened: an agent that quotes and says no more
_QUOTES = 8
_SHOWN = 160  # characters of the words that do stand there
_SPOT = re.compile(r"t(\d{1,9})\.(\d{1,9})")
_SEARCHED = 20_000  # characters of a Step in which the nearest words are looked for


class AnswerQuote(msgspec.Struct):
    step: Annotated[str, Meta(description="the mark of the step, as t3.1")]
    words: Annotated[str, Meta(description="copied from that step, character by character")]


class AnswerEntity(msgspec.Struct):
    type: Annotated[str, Meta(description="person, business, project, website, file, feature, agent, …")]
    name: Annotated[str, Meta(description="as written")]


Cue = Annotated[str, Meta(max_length=LONGEST_CUE)]


class AnswerLesson(msgspec.Struct):
    type: Type
    title: Annotated[str, Meta(min_length=1, max_length=LONGEST_TITLE, description="at most 120 characters are wanted")]
    content: Annotated[str, Meta(min_length=1, max_length=LONGEST_CONTENT)]
    quotes: Annotated[list[AnswerQuote], Meta(min_length=1, max_length=_QUOTES)]
    reasoning: str = ""
    confidence: Annotated[int, Meta(ge=0, le=100)] = UNSAID_CONFIDENCE
    scope: Scope = Scope.PROJECT
    category: str = ""
    entities: list[AnswerEntity] = []
    target_agents: list[str] = []
    alternatives: list[str] = []
    when: Annotated[str, Meta(max_length=LONGEST_WHEN, description="the situation in which it matters, one phrase")] = (
        ""
    )
    always: Annotated[bool, Meta(description="a standing rule of the project or person, whatever the task")] = False
    cues: Annotated[list[Cue], Meta(max_length=MOST_CUES, description="what a person may type where it matters")] = []
    same_as: Annotated[str, Meta(description="id of a memory that says the same already; else empty")] = ""
    replaces: Annotated[str, Meta(description="id of a memory that this one makes wrong; else empty")] = ""
    worth: Annotated[int, Meta(ge=1, le=3, description="2: changes some later task; 3: most; 1 is not kept")] = 2


class AnswerLessons(msgspec.Struct):
    memories: Annotated[list[AnswerLesson], Meta(max_length=MOST_MEMORIES)]


def schema() -> Mapping[str, object]:
    """Of an answer, with nothing referred to: not every endpoint follows references."""
    return inlined_schema(AnswerLessons)


def inlined_schema(form: type[msgspec.Struct]) -> Mapping[str, object]:
    (found,), parts = msgspec.json.schema_components([form], ref_template="{name}")
    return cast(Mapping[str, object], _inlined(found, parts))


def _inlined(part: object, parts: Mapping[str, object]) -> object:
    if isinstance(part, dict):
        table = cast(dict[str, object], part)
        if "$ref" in table:
            return _inlined(parts[cast(str, table["$ref"])], parts)
        whole = {key: _inlined(value, parts) for key, value in table.items() if key not in ("title", "default")}
        # a field called title is not the schema's title
        if isinstance(table.get("title"), dict):
            whole["title"] = _inlined(table["title"], parts)
        return whole | ({"additionalProperties": False} if whole.get("type") == "object" else {})
    return [_inlined(each, parts) for each in cast(list[object], part)] if isinstance(part, list) else part


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, and what to do about it."""

    field: str  # memories[0].quotes[1].words
    what: str
    fix: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}; {self.fix}" if self.field else f"{self.what}; {self.fix}"


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """All that was understood. `doubtful` are Drafts whose quotes do not stand where they say; checks refuse them."""

    drafts: tuple[Draft, ...] = ()
    numbers: tuple[int, ...] = ()  # of these Drafts in the answer
    doubtful: tuple[Draft, ...] = ()
    problems: tuple[Problem, ...] = ()
    broken: bool = False  # something is wrong that is more than a quote


def understood(text: str, window: Window, may_name: Callable[[str], bool]) -> WindowAnswer:
    """`may_name`: whether this is the id of a Memory that an answer may call the same."""
    lessons, problems = items_of(text)
    drafts, doubtful, broken = dict[int, Draft](), list[Draft](), bool(problems)
    if len(lessons) > MOST_MEMORIES:
        fix = f"keep the {MOST_MEMORIES} that matter most; usually there are none or one"
        problems.append(Problem("memories", f"{len(lessons)} are too many for one window", fix))
        broken = True
    for number, lesson in enumerate(lessons[:MOST_MEMORIES]):
        draft, wrong, quotes = _draft(lesson, f"memories[{number}]", window, may_name)
        problems += [*wrong, *quotes]
        broken = broken or bool(wrong)
        if draft is not None and quotes:
            doubtful.append(draft)
        elif draft is not None:
            drafts[number] = draft
    return WindowAnswer(tuple(drafts.values()), tuple(drafts), tuple(doubtful), tuple(problems), broken)


def items_of(text: str) -> tuple[list[object], list[Problem]]:
    """The parts of an answer, and why there are none."""
    try:
        memories = found_in(text).get("memories")
    except NoJsonError as error:
        fix = 'answer with one JSON object: {"memories": […]}; if there is nothing to keep: {"memories": []}'
        return [], [Problem("", str(error), fix)]
    if not isinstance(memories, list):
        return [], [Problem("memories", "it is not a list", 'use {"memories": []} for none')]
    return cast(list[object], memories), []


# -- one memory -------------------------------------------------------------------------------------------------------


def _draft(
    given: object, where: str, window: Window, may_name: Callable[[str], bool]
) -> tuple[Draft | None, list[Problem], list[Problem]]:
    """The Draft if it has the right shape; what is wrong with that; which quotes do not stand where they should."""
    if not isinstance(given, dict):
        return None, [Problem(where, "it is not an object", "give type, title, content, quotes, …")], []
    table = cast(dict[str, object], given)
    wrong = [*misshapen(AnswerLesson, table, where), *_misnamed(table, where, may_name)]
    if wrong:
        return None, wrong, []
    lesson = msgspec.convert(rounded(table), AnswerLesson)
    quotes, misplaced, unquoted = _quotes(lesson.quotes, where, window)
    if misplaced:
        return None, misplaced, []
    mentions = tuple(Mention(e.type.strip().lower(), e.name.strip()) for e in lesson.entities if e.name.strip())
    draft = Draft(
        type=lesson.type,
        title=lesson.title.strip(),
        content=lesson.content.strip(),
        quotes=quotes,
        reasoning=lesson.reasoning.strip(),
        confidence=lesson.confidence,
        category=lesson.category.strip(),
        scope=lesson.scope,
        mentions=mentions,
        target_agents=tuple(filter(None, map(str.strip, lesson.target_agents))),
        alternatives=tuple(filter(None, map(str.strip, lesson.alternatives))),
        same_as=lesson.same_as.strip(),
        replaces=lesson.replaces.strip(),
        worth=lesson.worth,
        when=lesson.when.strip(),
        always=lesson.always,
        cues=tuple(filter(None, map(str.strip, lesson.cues))),
    )
    return draft, [], unquoted


def rounded(table: Mapping[str, object]) -> Mapping[str, object]:
    """90.0 is 90, and what is null was left out."""
    kept = {key: value for key, value in table.items() if value is not None}
    for name in ("confidence", "worth"):
        if isinstance(number := kept.get(name), float) and number.is_integer():
            kept[name] = int(number)
    return kept


def misshapen(form: type[msgspec.Struct], table: Mapping[str, object], where: str) -> Iterator[Problem]:
    kept = rounded(table)
    for field in msgspec.structs.fields(form):
        at = f"{where}.{field.name}"
        if field.name not in kept:
            if field.required:
                yield Problem(at, "it is missing", _FIXES[field.name])
            continue
        value = kept[field.name]
        if isinstance(value, str) and field.name in ("title", "content") and not value.strip():
            yield Problem(at, "it is empty", _FIXES[field.name])
            continue
        try:
            msgspec.convert(value, field.type)
        except msgspec.ValidationError as error:
            yield Problem(*_located(at, str(error), value), _FIXES[field.name])


def _located(at: str, said_: str, value: object) -> tuple[str, str]:
    """msgspec's words are `Expected … - at `$[0].step``: the place becomes part of ours."""
    what, _, place = said_.partition(" - at ")
    inner = place.strip("`").removeprefix("$")
    if isinstance(value, str) and len(value) <= 60:
        return at + inner, f"{value!r} will not do"
    if isinstance(value, int | float):
        return at + inner, f"{value} will not do"
    if isinstance(value, str):
        return at + inner, f"it has {len(value):,} characters"
    return at + inner, what[:1].lower() + what[1:]


_FIXES: Mapping[str, str] = {
    "type": f"one of: {', '.join(t.value for t in Type)}",
    "title": f"one sentence that makes sense on its own, at most {LONGEST_TITLE} characters, better 120",
    "content": f"one to four sentences for someone who never saw this run, at most {LONGEST_CONTENT} characters",
    "quotes": f'1 to {_QUOTES} of {{"step": "t3.1", "words": "copied from that step"}}',
    "reasoning": "say in a sentence why it is kept",
    "confidence": "a whole number from 0 to 100",
    "scope": f"one of: {', '.join(s.value for s in Scope)}",
    "category": "one word, or leave it out",
    "entities": 'a list of {"type": "person", "name": "Amy Hoy"}, or leave it out',
    "target_agents": "a list of names of agents, or leave it out",
    "alternatives": "a list of sentences, or leave it out",
    "when": f"one phrase of at most {LONGEST_WHEN} characters, or leave it out",
    "always": "true or false, or leave it out",
    "cues": f"a list of at most {MOST_CUES} short texts of at most {LONGEST_CUE} characters each, or leave it out",
    "same_as": "the id of a memory of this project or person, or leave it out",
    "replaces": "the id of a memory of this project or person, or leave it out",
    "worth": "2 or 3; leave out a memory that is worth 1",
    "id": "the id of one of the memories that were shown",
}


def _misnamed(table: Mapping[str, object], where: str, may_name: Callable[[str], bool]) -> Iterator[Problem]:
    for field in ("same_as", "replaces"):
        named = table.get(field)
        if isinstance(named, str) and named.strip() and not may_name(named.strip()):
            what = f"{named.strip()[:40]!r} is not a memory of this project or person"
            yield Problem(f"{where}.{field}", what, _FIXES[field])


def _quotes(
    given: Sequence[AnswerQuote], where: str, window: Window
) -> tuple[tuple[Quote, ...], list[Problem], list[Problem]]:
    steps = {spot: step for spot, step in window.steps() if not step.ours}
    quotes, misplaced, unquoted = list[Quote](), list[Problem](), list[Problem]()
    for number, quote in enumerate(given):
        at = f"{where}.quotes[{number}]"
        found = _SPOT.fullmatch(quote.step.strip())
        spot = Spot(int(found[1]), int(found[2])) if found else None
        if spot is None or spot not in steps:
            fix = f"steps go from {min(steps)} to {max(steps)}, written as t3.1" if steps else "there are no steps"
            misplaced.append(Problem(f"{at}.step", f"there is no step {quote.step[:20]!r} in the window", fix))
            continue
        quotes.append(Quote(spot, quote.words.strip()))
        if number == 0 and spot < window.first:
            fix = f"the first quote must be at {window.first} or later; what is before was already read"
            unquoted.append(Problem(f"{at}.step", f"{spot} is context", fix))
        elif not quote.words.strip():
            misplaced.append(Problem(f"{at}.words", "it is empty", f"copy the words from {spot}"))
        elif standing(quote.words, steps[spot]) is None:
            unquoted.append(
                Problem(f"{at}.words", f"these words are not in {spot} word for word", _near(quote, spot, window))
            )
    return tuple(quotes), misplaced, unquoted


def _near(quote: AnswerQuote, spot: Spot, window: Window) -> str:
    elsewhere = list(spots_of(quote.words, window))
    if elsewhere:
        return f"those words are in {' and '.join(elsewhere[:3])}: name that step"
    text = "\n".join(said(dict(window.steps())[spot]))[:_SEARCHED]
    nearest = _nearest(quote.words, text)
    return f"the nearest words there are {nearest!r}: copy them" if nearest else f"copy words from {spot}"


def _nearest(words: str, text: str) -> str:
    """The stretch of the text that is most like the words, cut at words."""
    match = difflib.SequenceMatcher(None, text.lower(), words.lower(), autojunk=False).find_longest_match()
    if match.size < min(8, len(words)):
        return ""
    start = max(0, match.a - match.b)
    end = min(len(text), start + max(len(words), match.size), start + _SHOWN)
    start = text.rfind(" ", 0, start) + 1 if start else 0
    space = text.find(" ", end)
    return " ".join(text[start : space if 0 <= space <= end + 20 else end].split())
