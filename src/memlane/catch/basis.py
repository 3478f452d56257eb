"""What a Draft stands on, and what a Window shows of it: a person's words or yes, a proof, or somebody's word alone.

Trust is the lowest in a lineage and says what may hurt. A Basis is the best of what is quoted and says what is
likely to be true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import product

from memlane.catch.phrases import affirms, concedes, said
from memlane.catch.trust import trust_of_quote
from memlane.catch.windows.recovery import Goal, goal_of, has_failed
from memlane.claims import GRAMMAR, meaning
from memlane.domain import Author, Draft, Kind, Quote, Signal, Spot, Step, Trust, Window
from memlane.domain.tokenizer import terms

CARRIED = 1 / 3  # of a title's words, where something else than the person is quoted too
BUILT_UPON = 2  # words of a title that a person takes up again
TELLING = 2  # words: fewer say yes, no or which one, and nothing by themselves
ENGLISH = 1 / 5  # of the words are grammar that we know; with less we cannot compare words
_AGAINST = (Signal.CORRECTION, Signal.DISMAY)

Placed = tuple[Spot, Step]


class Basis(StrEnum):
    """Written from the best down. The last three never make a Memory active without a person's yes."""

    PERSON = "the person's own words"
    AGREED = "the person agreed"
    WORKED = "it worked"
    AGENT = "the agent's words"
    TOOL = "a tool's output"
    OUTSIDE = "outside text"


def basis_of(draft: Draft, window: Window, trust: Trust) -> Basis:
    if trust is Trust.OUTSIDE:
        return Basis.OUTSIDE
    by = {quote: trust_of_quote(quote, window) for quote in draft.quotes}
    typed = [quote for quote, whose in by.items() if whose is Trust.PERSON]
    spoken = [quote for quote, whose in by.items() if whose in (Trust.PERSON, Trust.AGENT)]
    if typed and _carry(typed, draft, window, trust):
        return Basis.PERSON
    if not spoken:
        return Basis.TOOL
    if _is_yes(typed, window) or _agreed(spoken, draft, window):
        return Basis.AGREED
    return Basis.WORKED if _worked([quote.spot for quote in spoken], window) else Basis.AGENT


# -- the person -------------------------------------------------------------------------------------------------------


def _carry(typed: Sequence[Quote], draft: Draft, window: Window, trust: Trust) -> bool:
    """Whether the lesson is in what they typed. Where we cannot compare the words, the quote is believed."""
    steps = dict(window.steps())
    texts = [steps[quote.spot].text for quote in typed]
    theirs = frozenset[str]().union(*map(meaning, texts))
    if len(theirs) >= TELLING and not any(map(_comparable, texts)):
        return True
    if trust is Trust.PERSON:
        return not theirs.isdisjoint(meaning(f"{draft.title}\n{draft.content}"))
    if draft.quotes[0] in typed:  # the heart of it is theirs, and says some of it
        return len(theirs & meaning(f"{draft.title}\n{draft.content}")) >= TELLING
    title = meaning(draft.title)
    return len(title & theirs) >= max(1, CARRIED * len(title))


def _comparable(text: str) -> bool:
    words = list(terms(text))
    return sum(word in GRAMMAR for word in words) >= ENGLISH * len(words)


def _is_yes(typed: Sequence[Quote], window: Window) -> bool:
    """ "Yes", "option B", a click on one of several answers: the lesson is what it was said to."""
    steps = dict(window.steps())
    return any(
        steps[quote.spot].kind is Kind.ANSWER or affirms(quote.words) or len(meaning(quote.words)) < TELLING
        for quote in typed
    )


def _agreed(spoken: Sequence[Quote], draft: Draft, window: Window) -> bool:
    """The person's next words after the agent's say yes or go on from there; or the agent gave in to theirs."""
    steps = dict(window.steps())
    told = [quote.spot for quote in spoken if steps[quote.spot].author is Author.AGENT and steps[quote.spot].text]
    if not told or window.headless:
        return False
    if any(concedes(steps[spot].text, denied=True) and _answers_a_person(spot, window) for spot in told):
        return True
    reply = next(_typed_after(max(told), window), None)
    if reply is None or any(signal in said(reply) for signal in _AGAINST):
        return False
    builds = len(meaning(reply) & meaning(draft.title)) >= BUILT_UPON and "?" not in reply
    pleased = any(signal in said(reply) for signal in (Signal.ENTHUSIASM, Signal.REMEMBER))
    return builds or pleased or affirms(reply) or concedes(reply, denied=True)


def _answers_a_person(spot: Spot, window: Window) -> bool:
    before = [step for there, step in window.steps() if there < spot and _is_typed(step)]
    return bool(before) and any(signal in said(before[-1].text) for signal in _AGAINST)


def _typed_after(spot: Spot, window: Window) -> Iterator[str]:
    yield from (step.text for there, step in window.steps() if there > spot and _is_typed(step))
    yield from (step.text for step in window.beyond if _is_typed(step))


def _is_typed(step: Step) -> bool:
    return step.author is Author.PERSON and step.kind in (Kind.PROMPT, Kind.ANSWER) and not step.ours


# -- the proof --------------------------------------------------------------------------------------------------------


def _worked(quoted: Sequence[Spot], window: Window) -> bool:
    """Something failed, and the same thing worked in the end; what is quoted stands between, or in that Turn."""
    proofs = [(t.first, t.last) for t in window.triggers if t.signal is Signal.RECOVERY]
    proofs += _reached(window.steps())
    return any(
        failed <= spot and spot.turn <= worked.turn and not _was_against(worked, window)
        for spot, (failed, worked) in product(quoted, proofs)
    )


def _reached(steps: Sequence[Placed]) -> Iterator[tuple[Spot, Spot]]:
    failures = list[tuple[Spot, Goal]]()
    for spot, step in steps:
        goal = goal_of(step.call)[0] if step.call is not None and not step.ours else None
        if step.call is None or goal is None:
            continue
        if has_failed(step.call):
            failures.append((spot, goal))
        else:
            yield from ((failed, spot) for failed, wanted in failures if wanted.same(goal))


def _was_against(worked: Spot, window: Window) -> bool:
    reply = next(_typed_after(worked, window), "")
    return any(signal in said(reply) for signal in _AGAINST)
