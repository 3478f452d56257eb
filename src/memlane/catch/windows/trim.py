"""A Step cut for reading: the head and the tail of what is too long, so that no Window grows without bound.

What is whole stays in the archive; number, line, author and kind of a Step never change.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from memlane.domain import Author, Kind, Step, ToolCall

# In characters. Generous for what people say, small for what machines print; never less than a Moment looks at.
PERSON, AGENT, HARNESS, GIVEN, RESULT, TROUBLE = 4000, 2400, 240, 400, 300, 1000
OVERHEAD = 24  # a Step's place and author, as an extractor is shown them
HEAD = 0.6  # the beginning says what it is, the end how it came out
GLANCE, GLANCE_HEAD = 1200, 0.4  # of a text that is context: how it ended is what the next words answer
LEAF = 240  # of one value, where what a call was given is too long
VALUES, DEPTH = 8, 3
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
    """Characters as an extractor would see them."""
    call = 0 if step.call is None else len(step.call.name) + _size(step.call.input) + len(step.call.result)
    return OVERHEAD + len(step.text) + call


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
