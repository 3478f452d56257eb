"""What a line of a neutral run must be (docs/formats/neutral-runs.md), and what is wrong with one that is not."""

from __future__ import annotations

import re

from memlane.domain import Author, Kind, Relation
from memlane.sources.records import BrokenRecordError, Record, mapping, moment, records, sequence, text
from memlane.sources.source import Line

RUN, TURN = "run", "turn"
LONGEST_NAME = 80
_HEADER = re.compile(rb'"type"\s*:\s*"run"')
_WORDS = ("person", "program", "agent")  # what may be said in a turn, plainly
_TIMES = ("at", "started", "ended", "updated")
_AUTHORS, _KINDS, _RELATIONS = ({each.value for each in words} for words in (Author, Kind, Relation))
_TEXTS = (*_WORDS, "id", "title", "cwd", "branch", "remote", "account", "version", "model", "parent", "relation")


def record_of(line: Line) -> Record | str:
    """The record of a line, or what is wrong with it. A blank line is an empty record."""
    try:
        found = records(line)
    except BrokenRecordError as error:
        return str(error)
    if len(found) > 1:
        return "more than one object on a line"
    if not found:
        return {}
    return problem(found[0]) or found[0]


def begins_a_run(line: Line) -> bool:
    """Also one that cannot be read: what follows it is not of the run before."""
    return _HEADER.search(line.data) is not None


def problem(record: Record) -> str:
    kind = text(record.get("type"))
    if kind not in (RUN, TURN):
        return ""  # unknown kinds are kept, counted and left alone
    wrong = next((name for name in _TEXTS if not isinstance(record.get(name), str | None)), "")
    if wrong:
        return f"`{wrong}` is not text"
    late = next((name for name in _TIMES if record.get(name) is not None and moment(record[name]) is None), "")
    if late:
        return f"`{late}` is not an ISO 8601 time"
    return _of_a_run(record) if kind == RUN else _of_a_turn(record)


def _of_a_run(record: Record) -> str:
    if not text(record.get("id")).strip():
        return "a run needs an `id`"
    relation = text(record.get("relation"))
    if relation and relation not in _RELATIONS:
        return f"`relation` is one of: {', '.join(Relation)}"
    return ""


def _of_a_turn(record: Record) -> str:
    for name in ("steps", "tool_calls"):
        if not isinstance(record.get(name), list | None):
            return f"`{name}` is not a list"
    for call in sequence(record.get("tool_calls")):
        if reason := _of_a_call(call):
            return reason
    for step in sequence(record.get("steps")):
        if reason := _of_a_step(mapping(step)):
            return reason
    told = any(text(record.get(name)) for name in _WORDS)
    if not (told or sequence(record.get("steps")) or sequence(record.get("tool_calls"))):
        return "a turn in which nothing is said"
    return ""


def _of_a_step(step: Record) -> str:
    if text(step.get("author")) not in _AUTHORS:
        return f"a step's `author` is one of: {', '.join(Author)}"
    if step.get("kind") is not None and text(step.get("kind")) not in _KINDS:
        return f"a step's `kind` is one of: {', '.join(Kind)}"
    if step.get("tool_call") is not None:
        return _of_a_call(step["tool_call"])
    return "" if isinstance(step.get("text"), str) else "a step has neither `text` nor a `tool_call`"


def _of_a_call(call: object) -> str:
    if not text(mapping(call).get("name")):
        return "a tool call needs a `name`"
    if not isinstance(mapping(call).get("input"), dict | None):
        return "a tool call's `input` is not an object"
    return ""
