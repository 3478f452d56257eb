"""Words in a Run: in which Steps a reader sees them, and how often. It counts in what the page shows, folded or not.

`static/find.js` marks the same places in the same blocks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import Step
from memlane.domain.door import named
from memlane.surfaces.web import texts
from memlane.surfaces.web.calls import called
from memlane.surfaces.web.formats import cut
from memlane.surfaces.web.steps import is_prose

if TYPE_CHECKING:
    from memlane.app.runs import StepAt

LONGEST_TEXT, LONGEST_COMMAND, LONGEST_LINE = 40_000, 12_000, 2_000  # characters that steps.html shows
BEFORE, AFTER = 60, 140  # characters around the first match of a Step
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class FoundStep:
    """A Step with the words in it: where it is, how often they are there, the first place as marked pieces."""

    at: str
    place: int
    times: int
    pieces: Sequence[tuple[str, bool]]


def found(steps: Iterable[StepAt], words: str, root: str = "") -> Sequence[FoundStep]:
    pattern = _pattern(words)
    return [step for one in steps if (step := _found(one, pattern, root))] if pattern else []


def _pattern(words: str) -> re.Pattern[str] | None:
    """As they were typed, in any case, with any space between them."""
    typed = [re.escape(word) for word in named(words).split()]
    return re.compile(r"\s+".join(typed), re.IGNORECASE) if typed else None


def _found(one: StepAt, pattern: re.Pattern[str], root: str) -> FoundStep | None:
    every = [(block, places) for block in _blocks(one.step, root) if (places := list(pattern.finditer(block)))]
    if not every:
        return None
    block, (first, *_others) = every[0]
    times = sum(len(places) for _block, places in every)
    return FoundStep(f"t{one.turn}.{one.step.n}", one.place, times, list(_excerpt(block, *first.span(), pattern)))


def _excerpt(block: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[tuple[str, bool]]:
    left, right = max(0, start - BEFORE), end + AFTER
    shown, at = block[left:right], 0
    yield "… " if left else "", False
    for match in pattern.finditer(shown):
        yield shown[at : match.start()], False
        yield match[0], True
        at = match.end()
    yield shown[at:] + (" …" if right < len(block) else ""), False


def _blocks(step: Step, root: str) -> Iterator[str]:
    """Each text of a Step that stands on the page, as a reader sees it; nothing is said twice."""
    if step.call is not None:
        call = called(step.call, root, whole=True)
        yield call.brief if call.diff else ""  # else it is the beginning of what follows
        yield cut(call.command, LONGEST_COMMAND)
        yield from (cut(line.text, LONGEST_LINE) for line in call.diff)
        yield named(call.given)
        yield named(call.result)
    elif is_prose(step):
        yield html.unescape(_TAG.sub("", str(texts.rendered(step.text))))
    else:
        yield cut(step.text, LONGEST_TEXT)
