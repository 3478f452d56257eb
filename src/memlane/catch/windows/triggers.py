"""What happened in a Run that makes it worth a look: corrections, recoveries, delight, dismay, repeats, "remember".

Deterministic, from the neutral form alone. A Trigger depends on nothing behind its last Step, and reaches at most from
one Turn into the next, so it does not change when the Run goes on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from memlane.catch.phrases import concedes, denies, plain, redirects, said
from memlane.catch.windows.recovery import recoveries
from memlane.domain import Author, Kind, Signal, Spot, Step, Trigger, Turn

UNDOING = ("git revert", "git reset", "git restore", "git checkout -- ", "git checkout .", "git stash")

Placed = tuple[Spot, Step]


def never(_text: str) -> bool:
    """No Run before this one."""
    return False


def triggers(turns: Sequence[Turn], repeats: Callable[[str], bool] = never) -> tuple[Trigger, ...]:
    """By where they end. `turns` without anything of ours; `repeats`: a request was made in an earlier Run."""
    steps = [(Spot(turn.n, step.n), step) for turn in turns for step in turn.steps]
    found = chain(_spoken(steps), _repeated(steps, repeats), recoveries(steps))
    return tuple(sorted(set(found), key=lambda each: (each.last, each.first, each.signal)))


def _spoken(steps: Sequence[Placed]) -> Iterator[Trigger]:
    for at, (spot, step) in enumerate(steps):
        if step.author is not Author.PERSON:
            continue
        about = _about(steps, at)
        for signal in _signals(steps, at, about):
            yield Trigger(signal, spot if about is None else steps[about][0], spot)


def _signals(steps: Sequence[Placed], at: int, about: int | None) -> tuple[Signal, ...]:
    step = steps[at][1]
    match step.kind:
        case Kind.PROMPT:
            found = said(step.text)
            corrects = _redirects(steps, at) or _agrees(steps, at, about)
            return (Signal.CORRECTION, *found) if corrects and Signal.CORRECTION not in found else found
        case Kind.ANSWER:
            refused = about is not None and _failed(steps[about][1])
            return (Signal.CORRECTION, *said(step.text)) if refused else said(step.text)
        case Kind.COMMAND:
            undoes = step.text.strip().startswith(UNDOING)
            return (Signal.CORRECTION,) if undoes else ()
        case _:
            return ()


def _about(steps: Sequence[Placed], at: int) -> int | None:
    """The agent's last word or deed before, in this Turn or the one before; for an answer, the call it stands in."""
    spot, step = steps[at]
    wanted = (Kind.TOOL_CALL,) if step.kind is Kind.ANSWER else (Kind.TEXT, Kind.TOOL_CALL)
    for before in range(at - 1, -1, -1):
        there, other = steps[before]
        if there.turn < spot.turn - 1 or (other.kind is Kind.PROMPT and there.turn != spot.turn):
            return None
        if other.kind in wanted and other.author in (Author.AGENT, Author.TOOL):
            return before
    return None


def _redirects(steps: Sequence[Placed], at: int) -> bool:
    """They stopped the agent and said what to do: not "go on", not one word, not a plan to start with."""
    for before in range(at - 1, -1, -1):
        step = steps[before][1]
        if step.kind is Kind.INTERRUPT:
            return redirects(steps[at][1].text)
        if step.author is not Author.SYSTEM:
            return False
    return False


def _agrees(steps: Sequence[Placed], at: int, about: int | None) -> bool:
    """The agent showed that it is not as the person thought, and the person took it."""
    return about is not None and concedes(steps[at][1].text, denied=denies(steps[about][1].text))


def _failed(step: Step) -> bool:
    return step.call is not None and step.call.error


def _repeated(steps: Sequence[Placed], repeats: Callable[[str], bool]) -> Iterator[Trigger]:
    earlier = Requests()
    asked = ((s, step) for s, step in steps if step.kind is Kind.PROMPT and step.author is Author.PERSON)
    for spot, step in asked:
        if earlier.add(step.text) or repeats(step.text):
            yield Trigger(Signal.REPEATED, spot, spot)


FEWEST = 3  # words of substance: "run the tests" again is work going on, not a habit
ALIKE = 0.6  # of the words of both
MOST = 40  # words: more is pasted
_WORD = re.compile(r"\S*[/\\]\S*|[^\W_]{2,}")  # a path or a link is one
_ENDINGS = re.compile(r"(?:ations?|ings?|edly|ed|ies|es|s|ly)$")
_EMPTY_WORDS = """
a about above again all also am an and any are as at be because been but by can could did do does doing don
for from get give go had has have how if in into is it its just let like make may me might more my need no not
now of off on one only or other our out over please really run same should show so some still sure take than
that the their them then there these they thing things this those to too try up us use very want was way we
well were what when where which while who why will with would yes you your ok okay hey hi hello thanks thank
great good nice
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


class Requests:
    """Those of one Run so far."""

    def __init__(self) -> None:
        self._seen: list[frozenset[str]] = []

    def add(self, text: str) -> bool:
        """Whether it was asked for before."""
        words = _words(text)
        if len(words) < FEWEST or len(text.split()) > MOST:
            return False
        before = any(_alike(words, other) for other in self._seen)
        self._seen.append(words)
        return before


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= ALIKE * len(one | other)


def _words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(plain(text)) if word not in _EMPTY)


def _stem(word: str) -> str:
    short = _ENDINGS.sub("", word)
    return short if len(short) >= 3 else word
