"""From the messages of a chat to Turns. A chat is a tree: a prompt that was edited and an answer that was asked for
again leave a branch behind. Knows trees and Turns, not how any one chat writes them.

Every prompt a person typed is a Turn, also one they edited later, in the order things happened: what was left behind
first, then the way they went on. An answer they did not keep stays in its Turn, shown but not searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memlane.agents.builders import said
from memlane.domain import Author, Facts, Kind, Step, ToolCall, Turn
from memlane.domain.fence import is_our_tool

LEFT_PROMPT = "left behind: the prompt was edited, or another way was taken"
LEFT_ANSWER = "left behind: the answer was asked for again"
RECENT = 50  # steps behind which a tool's output is no longer looked for
_OPENING = ""  # what stands before the first prompt: Turn 0


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool gave back: it belongs to the call before it, by its name if there are several."""

    step: Step
    name: str = ""
    error: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a chat. `prompt`: who asked, if it begins a Turn."""

    id: str
    parent: str
    pieces: tuple[Step | Output, ...]
    prompt: Author | None = None


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as its export tells it. `leaf` is the message the person sees last."""

    messages: Sequence[Message]
    leaf: str
    facts: Facts
    started: datetime | None = None  # when a message does not say when


def called(name: str, given: Mapping[str, object], at: datetime | None, native_id: str = "") -> Step:
    call = ToolCall(name, given)
    return Step(0, Author.AGENT, Kind.TOOL_CALL, 1, call=call, at=at, native_id=native_id, ours=is_our_tool(name))


def turns_of(talk: Chat) -> Iterator[Turn]:
    tree = _Tree(talk.messages)
    way = tree.way_to(talk.leaf)
    drafts = {_OPENING: _Draft(Author.SYSTEM)}
    owners: dict[str, str] = {}
    for message in tree.in_order(way):
        if message.prompt is not None:
            drafts[message.id] = _Draft(message.prompt, left=message.id not in way)
        owner = message.id if message.prompt is not None else owners.get(message.parent, _OPENING)
        owners[message.id] = owner
        drafts[owner].add(message, left=message.id not in way)
    first = 0 if drafts[_OPENING].steps else 1
    shown = [draft for draft in drafts.values() if draft.steps]
    yield from (draft.turn(n, talk.started) for n, draft in enumerate(shown, first))


class _Tree:
    def __init__(self, messages: Iterable[Message]) -> None:
        self._messages = {message.id: message for message in messages}
        self._children: dict[str, list[str]] = {}
        for message in self._messages.values():
            parent = message.parent if message.parent in self._messages else _OPENING
            self._children.setdefault(parent, []).append(message.id)

    def way_to(self, leaf: str) -> frozenset[str]:
        way = set[str]()
        while leaf in self._messages and leaf not in way:
            way.add(leaf)
            leaf = self._messages[leaf].parent
        return frozenset(way)

    def in_order(self, way: frozenset[str]) -> Iterator[Message]:
        """Each message behind the one it answers, branches that were left before the one that was followed."""
        waiting, seen = self._next(_OPENING, way), set[str]()
        rest = iter(self._messages)
        while one := waiting.pop() if waiting else next(rest, _OPENING):  # `rest`: a ring has no beginning
            if one not in seen:
                seen.add(one)
                yield self._messages[one]
                waiting += self._next(one, way)

    def _next(self, parent: str, way: frozenset[str]) -> list[str]:
        """The last is taken first."""
        children = self._children.get(parent, [])[::-1]
        return sorted(children, key=lambda child: child not in way)


@dataclass(slots=True)
class _Draft:
    """A Turn while its Steps come in."""

    author: Author
    left: bool = False
    steps: list[Step] = field(default_factory=list[Step])
    told: bool = False

    def add(self, message: Message, *, left: bool) -> None:
        dropped = left and not self.left and self.author is not Author.SYSTEM
        if dropped and not self.told and message.pieces:
            self._note(LEFT_ANSWER, message)
        for piece in message.pieces:
            if isinstance(piece, Output):
                self._give(piece)
            else:
                self.steps.append(replace(piece, kind=Kind.META) if dropped else piece)
        if message.prompt is not None and self.left:
            self._note(LEFT_PROMPT, message)

    def _note(self, words: str, message: Message) -> None:
        self.told = True
        at = next((p.at if isinstance(p, Step) else p.step.at for p in message.pieces), None)
        self.steps.append(said(Author.SYSTEM, Kind.META, words, at))

    def _give(self, output: Output) -> None:
        for place in self._calls(output.name):
            step = self.steps[place]
            assert step.call is not None
            heard = "\n".join(part for part in (step.call.result, output.step.text) if part)
            call = replace(step.call, result=heard, error=step.call.error or output.error)
            self.steps[place] = replace(step, call=call, ours=step.ours or output.step.ours)
            return
        self.steps.append(output.step)

    def _calls(self, name: str) -> Iterator[int]:
        """Where it may belong, the likeliest first: the last call of that name, else the last call."""
        recent = range(len(self.steps) - 1, max(-1, len(self.steps) - 1 - RECENT), -1)
        places = [place for place in recent if self.steps[place].call is not None]
        yield from (place for place in places if _name(self.steps[place]) == name)
        yield from places

    def turn(self, n: int, started: datetime | None) -> Turn:
        at = next((step.at for step in self.steps if step.at), started)
        steps = tuple(replace(step, n=place, at=step.at or at) for place, step in enumerate(self.steps, 1))
        return Turn(n, self.author, steps, at)


def _name(step: Step) -> str:
    return step.call.name if step.call else ""
