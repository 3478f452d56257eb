"""One thing a person typed, with what stood before and came after: what the embedded classifier looks at.

The same fields whether they come from a live Window or from a labelled line of data, cut in the same way.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypedDict

from memlane.catch.phrases import redirects, said
from memlane.domain import Author, Kind, Signal, Spot, Step, ToolCall, Trigger, Window

# How the labelled lines were cut. A live Moment is cut alike, or the weights would read what they never learnt.
PERSON_CHARACTERS = 1500
AGENT_CHARACTERS = 700  # the end of the last text before, the beginning of each text after
TOOL_CHARACTERS = 110
ERROR_CHARACTERS = 160
TOOLS_BEFORE, ERRORS_BEFORE, TOOLS_AFTER = 5, 3, 6
INTERRUPTED = "<<PERSON INTERRUPTED THE AGENT>>"  # stands among the errors, where it happened

_GAPS = re.compile(r"\n\s*\n\s*\n+")

Placed = tuple[Spot, Step]


class MomentLine(TypedDict):
    """What we use of a labelled line of data."""

    person: str
    before_agent: str
    before_tools: Sequence[str]
    before_errors: Sequence[str]
    next: str
    next_tools: Sequence[str]


@dataclass(frozen=True, slots=True)
class Moment:
    """`spot`, `steps` and `triggers` are known of a live one only."""

    person: str  # "" where a Trigger stands in a stretch that begins without a prompt
    before_agent: str = ""
    before_tools: tuple[str, ...] = ()
    before_errors: tuple[str, ...] = ()
    next: str = ""
    next_tools: tuple[str, ...] = ()
    typed: bool = True  # by a person, not by a program in their place
    answer: bool = False  # inside a tool's result: a rejection's reason, an answer to a question
    spot: Spot | None = None
    steps: tuple[Placed, ...] = ()  # what it stands on: from the prompt before to the prompt after
    triggers: tuple[Trigger, ...] = ()  # of the Window, those that end here

    @property
    def interrupted(self) -> bool:
        return INTERRUPTED in self.before_errors

    @property
    def signals(self) -> tuple[Signal, ...]:
        """By the fields alone, so that a labelled line has them too; what only Steps can tell is in `triggers`."""
        found = said(self.person) if self.typed else ()
        stopped = self.typed and INTERRUPTED in self.before_errors[-1:] and redirects(self.person)
        return tuple(s for s in Signal if s in found or (stopped and s is Signal.CORRECTION))


def from_line(line: MomentLine) -> Moment:
    return Moment(
        person=line["person"][:PERSON_CHARACTERS],
        before_agent=_tidy(line["before_agent"]),
        before_tools=tuple(line["before_tools"]),
        before_errors=tuple(line["before_errors"]),
        next=_tidy(line["next"]),
        next_tools=tuple(line["next_tools"]),
    )


def moments(window: Window) -> list[Moment]:
    """What was typed in the Window's own part, and Triggers that stand before anything was."""
    steps = window.steps()
    own = next((i for i, (spot, _step) in enumerate(steps) if spot >= window.first), len(steps))
    starts = [i for i in range(own, len(steps)) if i == own or _is_one(steps[i][1])]
    found: list[Moment] = []
    for start, end in pairwise([*starts, len(steps)]):
        triggers = _ending(window, steps[start:end])
        if triggers or _is_one(steps[start][1]):
            found.append(_moment(steps, start, triggers, window.beyond))
    return found


def _is_one(step: Step) -> bool:
    if step.ours or not step.text.strip():
        return False
    prompt = step.kind is Kind.PROMPT and step.author in (Author.PERSON, Author.PROGRAM)
    return prompt or (step.kind is Kind.ANSWER and step.author is Author.PERSON)


def _ending(window: Window, steps: Sequence[Placed]) -> tuple[Trigger, ...]:
    return tuple(t for t in window.triggers if steps[0][0] <= t.last <= steps[-1][0])


def _moment(steps: Sequence[Placed], at: int, triggers: tuple[Trigger, ...], beyond: Sequence[Step]) -> Moment:
    spot, step = steps[at]
    speaks = _is_one(step)
    begins = next((i for i in range(at - 1, -1, -1) if _starts(steps[i])), 0)
    ends = next((i for i in range(at + 1, len(steps)) if _starts(steps[i])), len(steps))
    before = [each for _spot, each in steps[begins:at]]
    after = [each for _spot, each in steps[at + 1 if speaks else at : ends]]
    after += beyond if ends == len(steps) else ()
    said_before = (each.text for _spot, each in reversed(steps[:at]) if _is_agents(each))
    return Moment(
        person=step.text[:PERSON_CHARACTERS] if speaks else "",
        before_agent=_tidy(next(said_before, "")[-AGENT_CHARACTERS:]),
        before_tools=tuple(map(shown, _calls(before)))[-TOOLS_BEFORE:],
        before_errors=tuple(_troubles(before))[-ERRORS_BEFORE:],
        next=_beginning(each.text for each in after if _is_agents(each)),
        next_tools=tuple(shown(call) for call in _calls(after)[:TOOLS_AFTER]),
        typed=speaks and step.author is Author.PERSON,
        answer=step.kind is Kind.ANSWER,
        spot=spot,
        steps=tuple(steps[begins:ends]),
        triggers=triggers,
    )


def shown(call: ToolCall) -> str:
    """A call in one line: its name and the beginning of what it was given."""
    return f"{call.name} {json.dumps(call.input, default=str)[:TOOL_CHARACTERS]}"


def _starts(placed: Placed) -> bool:
    """A Turn starts with its first Step; a prompt typed while the agent works may stand in the middle of one."""
    spot, step = placed
    return spot.step == 1 or step.kind is Kind.PROMPT


def _is_agents(step: Step) -> bool:
    return step.author is Author.AGENT and step.kind is Kind.TEXT and not step.ours


def _calls(steps: Iterable[Step]) -> list[ToolCall]:
    return [step.call for step in steps if step.call is not None and not step.ours]


def _troubles(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        if step.kind is Kind.INTERRUPT:
            yield INTERRUPTED
        elif step.call is not None and step.call.error and not step.ours:
            yield step.call.result[:ERROR_CHARACTERS]


def _beginning(texts: Iterable[str]) -> str:
    """The beginning of each text, until together they are long enough."""
    taken = ""
    for text in texts:
        if len(taken) >= AGENT_CHARACTERS:
            break
        taken += text[:AGENT_CHARACTERS] + "\n"
    return _tidy(taken)


def _tidy(text: str) -> str:
    """Some agents send blank texts between their words; a Source leaves those out."""
    return _GAPS.sub("\n\n", text).strip()
