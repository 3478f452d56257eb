"""What stands around a Window: a glance at what came before, and at how its last Turn goes on; as a Moment sees it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from memlane.catch.moment import AGENT_CHARACTERS, ERRORS_BEFORE, TOOLS_AFTER, TOOLS_BEFORE
from memlane.catch.windows.trim import glanced
from memlane.domain import Author, Kind, Spot, Step

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
