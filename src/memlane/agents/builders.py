"""A Run while it is read: the Turn that grows, its open calls, the facts of the file. Knows no agent's records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from datetime import datetime

from memlane.agents.agent import Line
from memlane.agents.records import BrokenRecordError, Record, mark, number, records
from memlane.domain import Author, BrokenLine, Facts, Kind, Relation, Step, Tokens, ToolCall, Turn
from memlane.domain.fence import holds_a_brief

MOST_KNOWN = 4096  # lines; two copies of one stand close together
NOTHING: Set[str] = frozenset()


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where a record stands in its file."""

    line: int
    at: datetime | None = None
    native_id: str = ""


@dataclass(slots=True)
class StepBuilder:
    """A Step that may still grow."""

    author: Author
    kind: Kind
    spot: RecordPlace
    text: str = ""
    call: ToolCall | None = None
    model: str = ""
    ours: bool = False

    def step(self, n: int) -> Step:
        return Step(
            n=n,
            author=self.author,
            kind=self.kind,
            line=self.spot.line,
            text=self.text,
            call=self.call,
            at=self.spot.at,
            native_id=self.spot.native_id,
            model=self.model,
            ours=self.ours or self._repeats_a_brief(),
        )

    def _repeats_a_brief(self) -> bool:
        """What a person types is theirs, whatever they quote."""
        said = self.call.result if self.call else self.text
        return self.author is not Author.PERSON and holds_a_brief(said)

    def ended(self, result: str, *, failed: bool) -> None:
        if self.call is not None:
            self.call = replace(self.call, result=result, error=failed, changes=self.call.changes and not failed)

    def take_result(self, early: StepBuilder) -> None:
        """Of a call that was written after its result: the two are one step, on the line that came first."""
        if early.call is not None and self.call is not None:
            files = dict.fromkeys((*self.call.files, *early.call.files))
            self.call = replace(self.call, files=tuple(files), changes=self.call.changes or early.call.changes)
            self.ended(early.call.result, failed=early.call.error)
        self.spot = replace(self.spot, line=early.spot.line)
        self.ours = self.ours or early.ours


@dataclass(slots=True)
class Repeats:
    """Lines that stand in a file twice, as two writers or a retried write leave them. Memory is bounded."""

    _known: dict[int, None] = field(default_factory=dict[int, None])

    def seen(self, line: bytes) -> bool:
        known = mark(line)
        if known in self._known:
            return bool(line.strip())
        self._known[known] = None
        if len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return False


@dataclass(slots=True)
class TurnBuilder:
    """Everything since the last finished Turn: memory is bounded by one Turn. What is finished waits to be taken."""

    finished: list[Turn] = field(default_factory=list[Turn])
    _n: int = 0
    _author: Author = Author.SYSTEM
    _parts: list[StepBuilder] = field(default_factory=list[StepBuilder])
    _open: dict[str, int] = field(default_factory=dict[str, int])  # where in `_parts` each unanswered call is
    _early: dict[str, int] = field(default_factory=dict[str, int])  # and each result whose call has not come yet
    _paired: dict[str, None] = field(default_factory=dict[str, None])  # calls of this Turn that have their results
    repeats: Repeats = field(default_factory=Repeats)

    def begin(self, part: StepBuilder, going_on: Set[str] = NOTHING) -> None:
        """Somebody typed, or a program did in their place: a Turn begins.

        Calls that go on meanwhile leave the Turn they were made in, for a finished Turn never changes.
        """
        carried = {call_id: at for call_id, at in self._open.items() if call_id in going_on}
        calls = [self._parts[at] for at in carried.values()]
        if carried:
            gone = set(carried.values())
            self._parts = [each for at, each in enumerate(self._parts) if at not in gone]
        self.finish()
        self._n += 1
        self._author = part.author
        self._parts = [part, *calls]
        self._open = {call_id: at for at, call_id in enumerate(carried, 1)}

    def add(self, part: StepBuilder) -> None:
        self._parts.append(part)

    def call(self, call_id: str, part: StepBuilder) -> None:
        """A call, to be found again by its id when its result comes; it may have come already."""
        if (early := self._early.pop(call_id, None)) is not None:
            part.take_result(self._parts[early])
            self._parts[early] = part
            self._paired[call_id] = None
            return
        if call_id:
            self._open[call_id] = len(self._parts)
        self._parts.append(part)

    def waiting(self, call_id: str) -> bool:
        return call_id in self._open

    def has_call(self, call_id: str) -> bool:
        """In this Turn, whether its result has come or not."""
        return call_id in self._open or call_id in self._paired

    def answered(self, call_id: str, spot: RecordPlace, name: str = "") -> StepBuilder:
        """The call a result belongs to; it waits no longer. One that is not in this Turn, or not yet, gets its step."""
        if (at := self._open.pop(call_id, None)) is not None:
            self._paired[call_id] = None
            return self._parts[at]
        here = replace(spot, native_id=call_id or spot.native_id)
        part = StepBuilder(Author.TOOL, Kind.TOOL_CALL, here, call=ToolCall(name, {}))
        if call_id:
            self._early[call_id] = len(self._parts)
        self._parts.append(part)
        return part

    def finish(self) -> None:
        """What was read so far becomes a Turn; Turn 0 only if anything stands before the first prompt."""
        if self._parts:
            steps = tuple(part.step(n) for n, part in enumerate(self._parts, 1))
            at = next((step.at for step in steps if step.at), None)
            self.finished.append(Turn(self._n, self._author, steps, at))
        self._parts, self._open, self._early, self._paired = [], {}, {}, {}


def one_pass(
    lines: Iterable[Line], read: Callable[[Record, int], None], writing: TurnBuilder, notes: FactsBuilder
) -> Iterator[Turn]:
    """Every record of every line once, and each Turn as soon as it is finished."""
    finished, repeats = writing.finished, writing.repeats
    for line in lines:
        try:
            found = () if repeats.seen(line.data) else records(line)
        except BrokenRecordError as broken:
            notes.broken(line.n, str(broken))
            continue
        for record in found:
            read(record, line.n)
        if finished:
            yield from finished
            finished.clear()
    writing.finish()
    yield from finished
    finished.clear()


MOST = 500  # names and broken lines kept; a hostile file has millions
MOST_TOKENS = 1 << 40  # of one message; anything more is not a count
MOST_DOLLARS = 1e6
LONGEST_NAME = 200


@dataclass(slots=True)
class FactsBuilder:
    """Fills up during one pass."""

    title: str = ""
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    version: str = ""
    parent: str = ""
    relation: Relation | None = None
    headless: bool = False
    tokens: Tokens = field(default_factory=Tokens)
    cost: float = 0.0
    _models: dict[str, None] = field(default_factory=dict[str, None])
    _skills: dict[str, None] = field(default_factory=dict[str, None])
    _commands: dict[str, None] = field(default_factory=dict[str, None])
    _unknown: dict[str, int] = field(default_factory=dict[str, int])
    _broken: list[BrokenLine] = field(default_factory=list[BrokenLine])

    def model(self, name: str) -> None:
        _keep(self._models, name)

    def skill(self, name: str) -> None:
        _keep(self._skills, name)

    def command(self, name: str) -> None:
        _keep(self._commands, name)

    def unknown(self, kind: str) -> None:
        name = kind[:LONGEST_NAME]
        if name in self._unknown or len(self._unknown) < MOST:
            self._unknown[name] = self._unknown.get(name, 0) + 1

    def broken(self, line: int, reason: str) -> None:
        if len(self._broken) < MOST:
            self._broken.append(BrokenLine(line, reason))

    def spend(self, tokens: Tokens, cost: object = 0.0) -> None:
        self.tokens = together(self.tokens, tokens)
        if isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < MOST_DOLLARS:
            self.cost += float(cost)

    def facts(self) -> Facts:
        return Facts(
            title=self.title,
            cwd=self.cwd,
            branch=self.branch,
            remote=self.remote,
            version=self.version,
            models=tuple(self._models),
            tokens=self.tokens,
            cost=self.cost,
            parent_native_id=self.parent,
            relation=self.relation,
            skills=tuple(self._skills),
            commands=tuple(self._commands),
            headless=self.headless,
            unknown=dict(self._unknown),
            broken=tuple(self._broken),
        )


def _keep(names: dict[str, None], name: str) -> None:
    if name and len(names) < MOST:
        names[name[:LONGEST_NAME]] = None


def count(value: object) -> int:
    """A number of tokens; hostile ones are cut to size."""
    return min(max(0, number(value)), MOST_TOKENS)


def together(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(one.input + other.input, one.output + other.output, one.cached + other.cached)


def less(one: Tokens, other: Tokens) -> Tokens:
    return Tokens(max(0, one.input - other.input), max(0, one.output - other.output), max(0, one.cached - other.cached))


def said(author: Author, kind: Kind, text: str, at: datetime | None, native_id: str = "") -> Step:
    """A Step without its number; every one stands on the line the conversation begins on."""
    return Step(n=0, author=author, kind=kind, line=1, text=text, at=at, native_id=native_id, ours=holds_a_brief(text))
