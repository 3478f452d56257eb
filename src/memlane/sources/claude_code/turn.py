"""A Turn while it is being read: steps in file order, and calls that get their results later."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memlane.domain import Author, Kind, Step, ToolCall, Turn
from memlane.domain.ours import holds_a_brief

RECENT = 200  # two versions of a record stand close together


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands."""

    line: int
    at: datetime | None
    native_id: str


@dataclass(slots=True)
class Draft:
    """A Step that may still grow."""

    author: Author
    kind: Kind
    place: Place
    parts: list[str] = field(default_factory=list[str])
    call: ToolCall | None = None
    call_id: str = ""  # what its result will name
    model: str = ""
    message: str = ""  # the API message it is a block of
    ours: bool = False

    def step(self, n: int) -> Step:
        said = "\n".join(self.parts)
        ours = self.ours or holds_a_brief(said) or (self.call is not None and holds_a_brief(self.call.result))
        return Step(
            n=n,
            author=self.author,
            kind=self.kind,
            line=self.place.line,
            text=said,
            call=self.call,
            at=self.place.at,
            native_id=self.place.native_id,
            model=self.model,
            ours=ours,
        )


@dataclass(slots=True)
class OpenTurn:
    """`shown` is false for a cache warm-up: read past, and never a Turn."""

    author: Author = Author.SYSTEM
    shown: bool = True
    drafts: list[Draft] = field(default_factory=list[Draft])
    calls: dict[str, int] = field(default_factory=dict[str, int])  # where in `drafts` each call is, by its id

    @property
    def last(self) -> Draft | None:
        return self.drafts[-1] if self.drafts else None

    def add(self, draft: Draft) -> None:
        last = self.last
        if last and draft.message and draft.call is None and _same_message(last, draft):
            last.parts += draft.parts
        else:
            self.drafts.append(draft)

    def call(self, draft: Draft) -> None:
        self.calls[draft.call_id] = len(self.drafts)
        self.drafts.append(draft)

    def answered(self, call_id: str, place: Place) -> Draft:
        """The call a result belongs to. It may stand in another file, or before a prompt that came between."""
        at = self.calls.get(call_id)
        if at is not None:
            return self.drafts[at]
        draft = Draft(Author.TOOL, Kind.TOOL_CALL, place, call=ToolCall("", {}))
        self.drafts.append(draft)
        return draft

    def forget(self, native_id: str) -> None:
        """Another version of a record came: the newest one wins, and what started the Turn stays where it is."""
        start = max(1, len(self.drafts) - RECENT)
        recent = self.drafts[start:]
        calls = [draft for at, draft in enumerate(recent, start) if self.calls.get(draft.call_id) == at]
        for draft in calls:
            del self.calls[draft.call_id]
        self.drafts[start:] = [draft for draft in recent if draft.place.native_id != native_id]
        ids = {draft.call_id for draft in calls}
        self.calls |= {draft.call_id: at for at, draft in enumerate(self.drafts[start:], start) if draft.call_id in ids}

    def started_by(self, native_id: str) -> bool:
        return bool(native_id and self.drafts and self.drafts[0].place.native_id == native_id)

    def close(self, n: int) -> Turn:
        steps = tuple(draft.step(position) for position, draft in enumerate(self.drafts, 1))
        return Turn(n=n, author=self.author, steps=steps, at=next((step.at for step in steps if step.at), None))


def _same_message(one: Draft, other: Draft) -> bool:
    return one.message == other.message and one.kind is other.kind and one.author is other.author
