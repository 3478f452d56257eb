"""What a line of a neutral run must be (docs/formats/neutral-runs.md), and one pass over one run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memlane.agents.agent import Line, Transcript
from memlane.agents.records import (
    WIDEST_INTEGER,
    BrokenRecordError,
    Record,
    mapping,
    moment,
    plain,
    records,
    sequence,
    text,
)
from memlane.domain import BESIDE, Author, BrokenLine, Facts, Kind, Relation, Step, Tokens, ToolCall, Turn
from memlane.domain.fence import holds_a_brief, is_our_tool

RUN, TURN = "run", "turn"
LONGEST_NAME = 80
_HEADER = re.compile(rb'"type"\s*:\s*"run"')
_WORDS = ("person", "program", "agent")  # what may be said in a turn, plainly
_TIMES = ("at", "started", "ended", "updated")
_AUTHORS, _KINDS, _RELATIONS = ({each.value for each in words} for words in (Author, Kind, Relation))
_LISTS = ("models", "skills", "commands", "steps", "tool_calls")
_COUNTS = ("input", "output", "cached")
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
    flat = next((name for name in _LISTS if not isinstance(record.get(name), list | None)), "")
    if flat:
        return f"`{flat}` is not a list"
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
    if not isinstance(record.get("tokens"), dict | None):
        return "`tokens` is not an object"
    return ""


def _of_a_turn(record: Record) -> str:
    if record.get("author") is not None and text(record["author"]) not in _AUTHORS:
        return f"`author` is one of: {', '.join(Author)}"
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


MOST = 500  # broken lines and names kept; a hostile file has millions


@dataclass(slots=True)
class NeutralState:
    """All a reading knows where it stands."""

    run: Record = field(default_factory=dict[str, object])
    models: dict[str, None] = field(default_factory=dict[str, None])
    unknown: dict[str, int] = field(default_factory=dict[str, int])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    n: int = 0


class NeutralParser:
    append_only = True
    resumable = True

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._lines = lines
        self._transcript = transcript
        self.state = NeutralState()

    def turns(self) -> Iterator[Turn]:
        for line in self._lines:
            record = record_of(line)
            if isinstance(record, str):
                self._set_aside(line.n, record)
            elif text(record.get("type")) == RUN:
                self.state.run = mapping(plain(record))
            elif text(record.get("type")) == TURN:
                self._notice(text(record.get("model")))
                yield _turn(record, self._number(record), line.n, moment(self.state.run.get("started")))
            elif record:
                self._count(text(record.get("type")))

    def facts(self) -> Facts:
        run = self.state.run
        relation = text(run.get("relation"))
        self._notice(text(run.get("model")))
        return Facts(
            title=text(run.get("title")),
            cwd=text(run.get("cwd")),
            branch=text(run.get("branch")),
            remote=text(run.get("remote")),
            account=text(run.get("account")),
            version=text(run.get("version")),
            models=tuple(dict.fromkeys((*_texts(run, "models"), *self.state.models))),
            tokens=Tokens(*(_count(mapping(run.get("tokens")).get(name)) for name in _COUNTS)),
            skills=_texts(run, "skills"),
            commands=_texts(run, "commands"),
            headless=run.get("headless") is True,
            parent_native_id=text(run.get("parent")) or self._transcript.parent_native_id,
            relation=Relation(relation) if relation else self._transcript.relation,
            unknown=dict(self.state.unknown),
            broken=tuple(self.state.broken),
        )

    def _number(self, record: Record) -> int:
        if record.get("n") == BESIDE:
            return BESIDE
        self.state.n += 0 if self.state.n == 0 and record.get("n") == 0 else 1
        return self.state.n

    def _set_aside(self, line: int, reason: str) -> None:
        if len(self.state.broken) < MOST:
            self.state.broken.append(BrokenLine(line, reason))

    def _notice(self, model: str) -> None:
        if model and len(self.state.models) < MOST:
            self.state.models[model] = None

    def _count(self, kind: str) -> None:
        unknown, name = self.state.unknown, kind[:80]
        if name in unknown or len(unknown) < MOST:
            unknown[name] = unknown.get(name, 0) + 1


def _texts(run: Record, name: str) -> tuple[str, ...]:
    return tuple(word for value in sequence(run.get(name))[:MOST] if (word := text(value)))


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < WIDEST_INTEGER else 0


def _turn(record: Record, n: int, line: int, started: datetime | None) -> Turn:
    at = moment(record["at"]) if "at" in record else started
    told = sequence(record.get("steps"))
    drafts = [_told(mapping(step), at) for step in told] if told else list(_plainly(record, at))
    steps = tuple(_step(draft, position, line, record) for position, draft in enumerate(drafts, 1))
    author = text(record.get("author"))
    return Turn(n, Author(author) if author else _asker(steps), steps, at)


def _asker(steps: tuple[Step, ...]) -> Author:
    """Whoever prompted; a turn nobody prompted is the agent's own."""
    prompts = [step.author for step in steps if step.kind is Kind.PROMPT]
    if Author.PERSON in prompts:
        return Author.PERSON
    return prompts[0] if prompts else Author.AGENT


StepDraft = tuple[Author, Kind, str, ToolCall | None, datetime | None]


def _plainly(record: Record, at: datetime | None) -> Iterator[StepDraft]:
    """Without `steps`: the prompt, what was called, the answer."""
    for name, author in (("person", Author.PERSON), ("program", Author.PROGRAM)):
        if text(record.get(name)):
            yield author, Kind.PROMPT, text(record.get(name)), None, at
    for call in sequence(record.get("tool_calls")):
        yield Author.AGENT, Kind.TOOL_CALL, "", _call(mapping(call)), moment(mapping(call).get("at")) or at
    if text(record.get("agent")):
        yield Author.AGENT, Kind.TEXT, text(record.get("agent")), None, at


def _told(step: Record, at: datetime | None) -> StepDraft:
    call = _call(mapping(step.get("tool_call"))) if step.get("tool_call") is not None else None
    kind = text(step.get("kind")) or (Kind.TOOL_CALL if call else Kind.TEXT)
    return Author(text(step.get("author"))), Kind(kind), text(step.get("text")), call, moment(step.get("at")) or at


def _call(call: Record) -> ToolCall:
    return ToolCall(
        name=text(call.get("name")),
        input=mapping(plain(mapping(call.get("input")))),
        result=text(call.get("result")),
        error=call.get("error") is True,
        files=tuple(name for file in sequence(call.get("files")) if (name := text(file))),
        changes=call.get("changes") is True,
    )


def _step(draft: StepDraft, n: int, line: int, record: Record) -> Step:
    author, kind, words, call, at = draft
    ours = holds_a_brief(words) or (call is not None and (is_our_tool(call.name) or holds_a_brief(call.result)))
    native_id = text(record.get("id")) if n == 1 else ""
    return Step(n, author, kind, line, words, call, at, native_id, text(record.get("model")), ours)
