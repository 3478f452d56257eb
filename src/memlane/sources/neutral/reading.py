"""One pass over one neutral run: each `turn` line is one Turn, in order. One line is in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from memlane.domain import Author, BrokenLine, Facts, Kind, Relation, Step, ToolCall, Turn
from memlane.domain.ours import holds_a_brief, is_our_tool
from memlane.sources.neutral.rules import RUN, TURN, record_of
from memlane.sources.records import Record, mapping, moment, plain, sequence, text
from memlane.sources.source import Line, Transcript

MOST = 500  # broken lines and names kept; a hostile file has millions


@dataclass(slots=True)
class NeutralState:
    """All a reading knows where it stands."""

    run: Record = field(default_factory=dict[str, object])
    models: dict[str, None] = field(default_factory=dict[str, None])
    unknown: dict[str, int] = field(default_factory=dict[str, int])
    broken: list[BrokenLine] = field(default_factory=list[BrokenLine])
    n: int = 0


class NeutralReading:
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
                self.state.n += 1
                self._notice(text(record.get("model")))
                yield _turn(record, self.state.n, line.n, moment(self.state.run.get("started")))
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
            models=tuple(self.state.models),
            parent_native_id=text(run.get("parent")) or self._transcript.parent_native_id,
            relation=Relation(relation) if relation else self._transcript.relation,
            unknown=dict(self.state.unknown),
            broken=tuple(self.state.broken),
        )

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


def _turn(record: Record, n: int, line: int, started: datetime | None) -> Turn:
    at = moment(record.get("at")) or started
    told = sequence(record.get("steps"))
    drafts = [_told(mapping(step), at) for step in told] if told else list(_plainly(record, at))
    steps = tuple(_step(draft, position, line, record) for position, draft in enumerate(drafts, 1))
    return Turn(n, _asker(steps), steps, at)


def _asker(steps: tuple[Step, ...]) -> Author:
    """Whoever prompted; a turn nobody prompted is the agent's own."""
    prompts = [step.author for step in steps if step.kind is Kind.PROMPT]
    if Author.PERSON in prompts:
        return Author.PERSON
    return prompts[0] if prompts else Author.AGENT


Draft = tuple[Author, Kind, str, ToolCall | None, datetime | None]


def _plainly(record: Record, at: datetime | None) -> Iterator[Draft]:
    """Without `steps`: the prompt, what was called, the answer."""
    for name, author in (("person", Author.PERSON), ("program", Author.PROGRAM)):
        if text(record.get(name)):
            yield author, Kind.PROMPT, text(record.get(name)), None, at
    for call in sequence(record.get("tool_calls")):
        yield Author.AGENT, Kind.TOOL_CALL, "", _call(mapping(call)), moment(mapping(call).get("at")) or at
    if text(record.get("agent")):
        yield Author.AGENT, Kind.TEXT, text(record.get("agent")), None, at


def _told(step: Record, at: datetime | None) -> Draft:
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


def _step(draft: Draft, n: int, line: int, record: Record) -> Step:
    author, kind, words, call, at = draft
    ours = holds_a_brief(words) or (call is not None and (is_our_tool(call.name) or holds_a_brief(call.result)))
    native_id = text(record.get("id")) if n == 1 else ""
    return Step(n, author, kind, line, words, call, at, native_id, text(record.get("model")), ours)
