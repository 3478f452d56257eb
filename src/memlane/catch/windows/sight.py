"""What a reader sees of a Window: who speaks, their words, and of tool calls only what can teach something.

A sight is made of pieces of the Step's own text, so that what is quoted from it is found in the Step. The built-in
classifier does not look here: it reads the Steps themselves. Knows no fence and no mark; those are the prompt's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from memlane.catch.windows.calls import given_to, has_no_news, looks, outcome_of
from memlane.catch.windows.lines import announces, gist, shorter, without_code
from memlane.catch.windows.recovery import has_failed
from memlane.domain import Author, Kind, Spot, Step, Window

MIDWAY = 500  # characters of what an agent says while it works; its last word before a person's is seen in full
GLANCE = 500  # of what is context only
LOOK, LOOKS = 60, 4  # characters of one look, and how many of a row are named
_UNSEEN = frozenset({Kind.META, Kind.THINKING})
_NOTES: Mapping[Kind, str] = {Kind.ANSWER: " (inside a tool's answer)", Kind.COMMAND: " ran", Kind.ERROR: " error"}


@dataclass(frozen=True, slots=True)
class Sight:
    """`said` are words of a person or an agent, `printed` is a program's: data, whatever it says."""

    who: str
    said: str = ""
    printed: str = ""
    look: bool = False  # a call that only looked at something

    @property
    def size(self) -> int:
        """Characters, about: a look shares its line with others."""
        said = min(len(self.said), LOOK) if self.look else len(self.who) + len(self.said)
        return said + len(self.printed)


Seen = tuple[Spot, Step, Sight]


def sights(window: Window) -> list[Seen]:
    """In order. Of what stood before the Window: what was asked, and the last word on it."""
    seen = [(spot, step, sight) for spot, step in window.steps() if (sight := sight_of(step)) is not None]
    context = [each for each in seen if each[0] < window.first]
    own = seen[len(context) :]
    last = _last_words(own)
    telling = (each if each[0] in last else _midway(*each) for each in own)
    return [*_glance(context), *_together([each for each in telling if each is not None])]


def sight_of(step: Step) -> Sight | None:
    """None: it carries nothing a reader could use."""
    if step.ours or step.kind in _UNSEEN or (step.call is not None and has_no_news(step.call)):
        return None
    if step.call is not None:
        failed = " (failed)" if has_failed(step.call) else ""
        who = f"agent called {step.call.name}{failed}"
        return Sight(who, given_to(step.call), outcome_of(step.call), looks(step.call))
    text = without_code(step.text.strip()) if _speaks(step) else step.text.strip()
    return Sight(_who(step), "", text) if step.author is Author.TOOL else Sight(_who(step), text)


def _who(step: Step) -> str:
    if step.kind is Kind.INTERRUPT:
        return "person interrupted the agent"
    if step.kind is Kind.SUMMARY:
        return "summary by the agent of what was said earlier"
    return f"{step.author.value}{_NOTES.get(step.kind, '')}"


def _last_words(own: Sequence[Seen]) -> set[Spot]:
    """The agent's, before somebody else speaks or the Window ends."""
    found, wanted = set[Spot](), True
    for spot, step, _sight in reversed(own):
        if wanted and _speaks(step):
            found.add(spot)
            wanted = False
        wanted = wanted or step.author in (Author.PERSON, Author.PROGRAM)
    return found


def _midway(spot: Spot, step: Step, sight: Sight) -> Seen | None:
    if not _speaks(step):
        return spot, step, sight
    return None if announces(sight.said) else (spot, step, replace(sight, said=gist(sight.said, MIDWAY)))


def _glance(context: Sequence[Seen]) -> Iterator[Seen]:
    asked = [spot for spot, step, _sight in context if step.kind in (Kind.PROMPT, Kind.ANSWER, Kind.INTERRUPT)]
    said = [spot for spot, step, _sight in context if _speaks(step)]
    for spot, step, sight in context:
        if spot in {*asked[:1], *asked[-1:], *said[-1:]}:
            yield spot, step, replace(sight, said=shorter(sight.said, GLANCE))


def _together(own: Sequence[Seen]) -> Iterator[Seen]:
    """Calls in a row that only looked at something, or changed the same file, are one line."""
    for _same, group in groupby(own, key=_shared):
        several = list(group)
        spot, step, sight = several[0]
        if len(several) > 1:
            times = f"{sight.who} ({len(several)} times)"
            sight = _row([each for _spot, _step, each in several]) if sight.look else replace(sight, who=times)
        yield spot, step, sight


def _shared(seen: Seen) -> object:
    """What neighbours that become one line have in common; each Step for itself if nothing."""
    spot, step, sight = seen
    if step.call is None or sight.printed:
        return spot
    if sight.look:
        return spot.turn
    return (spot.turn, sight.who, step.call.files) if step.call.changes else spot


def _row(looked: Sequence[Sight]) -> Sight:
    items = list(dict.fromkeys(" ".join(each.said.split())[:LOOK] for each in looked))
    more = f"; {len(items) - LOOKS} more" if len(items) > LOOKS else ""
    return Sight("agent looked at", "; ".join(items[:LOOKS]) + more)


def _speaks(step: Step) -> bool:
    return step.author is Author.AGENT and step.kind is Kind.TEXT
