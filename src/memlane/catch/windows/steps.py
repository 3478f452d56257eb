"""Steps cut for reading, so that no Window grows without bound, and a glance at those around it."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from memlane.catch.moment import AGENT_CHARACTERS, ERRORS_BEFORE, TOOLS_AFTER, TOOLS_BEFORE
from memlane.catch.windows.sight import sight_of
from memlane.domain import Author, Kind, Spot, Step, ToolCall

# In characters. Generous for what people say, small for what machines print; never less than a Moment looks at.
PERSON, AGENT, HARNESS, GIVEN, RESULT, TROUBLE = 4000, 2400, 240, 400, 300, 1000
OVERHEAD = 12  # a Step's mark, and now and then a fence
HEAD = 0.6  # the beginning says what it is, the end how it came out
GLANCE, GLANCE_HEAD = 1200, 0.4  # of a text that is context: how it ended is what the next words answer
LEAF = 240  # of one value, where what a call was given is too long
VALUES, DEPTH = 8, 5  # a question to a person has lists of questions with lists of answers
GIVEN_AT_MOST = 2000


def trimmed(step: Step) -> Step:
    text = cut(step.text, _allowed(step))
    call = None if step.call is None else _call(step.call)
    return step if text == step.text and call == step.call else replace(step, text=text, call=call)


def glanced(step: Step) -> Step:
    """As context for something else: shorter still."""
    call = None if step.call is None else _call(step.call)
    if call is not None:
        call = replace(call, result=cut(call.result, RESULT))
    return replace(step, text=cut(step.text, GLANCE, GLANCE_HEAD), call=call)


def length(step: Step) -> int:
    """Characters a reader sees of it, about. One that is not seen counts a little, so that no Window is endless."""
    sight = sight_of(step)
    return OVERHEAD + (sight.size if sight else 0)


def cut(text: str, most: int, share: float = HEAD) -> str:
    if len(text) <= most:
        return text
    head = int(most * share)
    tail = most - head
    return f"{text[:head]}\n[… {len(text) - most} characters left out …]\n{text[len(text) - tail :]}"


def _allowed(step: Step) -> int:
    if step.author in (Author.PERSON, Author.PROGRAM):
        return PERSON
    return AGENT if step.author is Author.AGENT and step.kind is Kind.TEXT else HARNESS


def _call(call: ToolCall) -> ToolCall:
    given = call.input if _size(call.input) <= GIVEN else _shorter(call.input)
    result = cut(call.result, TROUBLE if call.error else RESULT)
    return call if given is call.input and result == call.result else replace(call, input=given, result=result)


def _shorter(given: Mapping[str, object]) -> Mapping[str, object]:
    """The same names with shorter values; where there are too many of them, only how it begins."""
    short = {key[:LEAF]: _leaf(value, DEPTH) for key, value in list(given.items())[:VALUES]}
    return short if _size(short) <= GIVEN_AT_MOST else {"": cut(_shown(short), GIVEN_AT_MOST)}


def _leaf(value: object, depth: int) -> object:
    if isinstance(value, str):
        return cut(value, LEAF)
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value)  # JSON values: keys are strings
        return {key[:LEAF]: _leaf(each, depth - 1) for key, each in list(pairs.items())[:VALUES]} if depth else "…"
    if isinstance(value, list):
        values = cast("list[object]", value)
        return [_leaf(each, depth - 1) for each in values[:VALUES]] if depth else "…"
    return value


def _size(given: Mapping[str, object]) -> int:
    return len(_shown(given))


def _shown(given: Mapping[str, object]) -> str:
    return json.dumps(given, ensure_ascii=False, default=str)


Placed = tuple[Spot, Step]


def before(steps: Sequence[Placed], first: Spot) -> list[Placed]:
    """Of what stood before in this Turn, else of the Turn before: what was asked, and how it went in the end."""
    earlier = _turn_before(steps, first)
    asked = [spot for spot, step in earlier[:1] if step.kind is Kind.PROMPT]
    said = [spot for spot, step in earlier if _speaks(step)]
    calls = [spot for spot, step in earlier if step.call is not None]
    troubles = [spot for spot, step in earlier if step.kind is Kind.INTERRUPT or (step.call and step.call.error)]
    last = [spot for spot, _step in earlier]
    shown = {*asked, *said[-1:], *calls[-TOOLS_BEFORE:], *troubles[-ERRORS_BEFORE:], *last[-1:]}
    return [(spot, glanced(step)) for spot, step in earlier if spot in shown]


def _turn_before(steps: Sequence[Placed], first: Spot) -> list[Placed]:
    """What of the Turn stands before `first`, or the whole Turn before it; copied ones too, nothing of ours."""
    found: list[Placed] = []
    for at in range(bisect_left(steps, first, key=lambda each: each[0]) - 1, -1, -1):
        spot, step = steps[at]
        if found and spot.turn != found[-1][0].turn:
            break
        if not step.ours:
            found.append((spot, step))
    return found[::-1]


def beyond(kept: Sequence[Placed], end: int, pauses: Collection[int]) -> Iterator[Step]:
    """The agent's next words and deeds in the same Turn, up to a pause: behind one they were not there yet."""
    words, calls = AGENT_CHARACTERS, TOOLS_AFTER
    for at in range(end, len(kept)):
        (spot, step), done = kept[at], words <= 0 and not calls
        if done or at in pauses or spot.turn != kept[at - 1][0].turn or step.kind is Kind.PROMPT:
            return
        if _speaks(step) and words > 0:
            words -= len(step.text)
            yield replace(step, text=step.text[:AGENT_CHARACTERS])
        elif step.call is not None and calls:
            calls -= 1
            yield replace(step, call=replace(step.call, result=""))


def _speaks(step: Step) -> bool:
    return step.author is Author.AGENT and step.kind is Kind.TEXT
