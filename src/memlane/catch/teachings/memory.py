"""A Teaching as a Memory: at the prompt, where only the words are known, and as a Draft of the Window it stands in.

Both have the same id, so that reading the Window later finds what was kept at the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from memlane.catch.embedded.sentences import clipped
from memlane.catch.teachings.find import teachings
from memlane.catch.teachings.lesson import Plainness, Teaching
from memlane.catch.teachings.signs import is_with_somebody
from memlane.domain import (
    TAUGHT,
    Author,
    Draft,
    Evidence,
    Kind,
    Memory,
    Mention,
    Project,
    Quote,
    Scope,
    State,
    Trust,
    Window,
    derived_id,
)
from memlane.domain.door import plain

VERSION = "2"
MAKER = f"{TAUGHT}@{VERSION}"
SURE, UNSURE = 90, 50  # of a plain one, and of one that waits for a yes
REASON = "You taught it in a prompt."
DOUBT = "It sounds like a rule, but may be meant for one task only."
_LONGEST_QUOTE = 1000
_LONGEST_REQUEST = 160
# Words that keep a rule to some moment or case, in the languages that Teachings are found in.
_CONDITION = re.compile(
    r"\b(?:when|whenever|if|before|after|while|during|until|unless|once|wenn|falls|bevor|vor|nach|nachdem|während|bis"
    r"|sobald|beim|quand|si|lorsque|avant|après|pendant|cuando|antes|después|mientras|quando|se|depois|enquanto)\b"
    r"|時|とき|場合|前に|後に|たら|れば|如果|时候|的时|之前|之后",
    re.IGNORECASE,
)
_UNIVERSAL = re.compile(
    r"\b(?:always|never|immer|nie|niemals|toujours|jamais|siempre|nunca|jamás|sempre|jamais)\b|常に|必ず|絶対|总是|永远|始终",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TaughtAt:
    """Where and when something was taught."""

    owner: str
    run: str
    project: Project
    now: datetime
    asked: str = ""  # what the person had asked for before it


def memory_of_teaching(taught: Teaching, at: TaughtAt, about: tuple[Mention, ...] = ()) -> Memory:
    """Its line in the transcript is not known yet: the evidence names the run and the words."""
    quote = plain(taught.quote)[:_LONGEST_QUOTE]
    return Memory(
        id=taught_id(at.owner, at.run, quote),
        owner=at.owner,
        type=taught.type,
        title=taught.title,
        content=_content(taught, at.asked),
        formed_at=at.now,
        saved_at=at.now,
        first_observed_at=at.now,
        last_observed_at=at.now,
        source_chunk=quote,
        evidence=(Evidence(at.run, 0, 0, "", quote),),
        related_entities=about,
        scope=taught.scope,
        project=at.project.name,
        project_key=at.project.key,
        confidence=_confidence(taught),
        reasoning=_reason(taught),
        trust=Trust.PERSON,
        maker=MAKER,
        always=_stands(taught),
        state=State.ACTIVE if _is_plain(taught) else State.HELD,
    )


def taught_in(window: Window, known: Callable[[str], bool] = lambda _memory: False) -> Iterator[Draft]:
    """What the person taught plainly in the Window's own part, and what is a Memory since the prompt was sent.

    What else is not plain is left out: in an old transcript it would be one of many, and mostly nothing.
    """
    now = ""
    for spot, step in window.steps():
        typed = step.kind in (Kind.PROMPT, Kind.ANSWER) and step.author is Author.PERSON and not step.ours
        asked, now = now, step.text if typed else now
        if spot < window.first or not typed or window.headless:
            continue
        for taught in teachings(step.text):
            quote = taught.quote[:_LONGEST_QUOTE]
            if not _is_plain(taught) and not known(taught_id(window.owner, window.run, quote)):
                continue
            yield Draft(
                type=taught.type,
                title=taught.title,
                content=_content(taught, asked),
                quotes=(Quote(spot, quote),),
                reasoning=_reason(taught),
                confidence=_confidence(taught),
                scope=taught.scope,
                always=_stands(taught),
                taught=True,
            )


def taught_id(owner: str, run: str, quote: str) -> str:
    return derived_id("m", owner, run, " ".join(quote.casefold().split()), TAUGHT)


def is_taught(memory: Memory) -> bool:
    return memory.maker.split("@")[0] == TAUGHT


def _is_plain(taught: Teaching) -> bool:
    return taught.plainness is Plainness.PLAIN


def _stands(taught: Teaching) -> bool:
    """Whether it plainly is a standing rule: about the person or for all cases, and tied to none."""
    universal = taught.scope is Scope.PERSON or _UNIVERSAL.search(taught.quote) is not None
    tied = _CONDITION.search(taught.quote) is not None or is_with_somebody(taught.quote)
    return _is_plain(taught) and universal and not tied


def _content(taught: Teaching, asked: str) -> str:
    """How somebody is to be treated says nothing of when: what was asked for just before does."""
    said = clipped(" ".join(plain(asked).split()), _LONGEST_REQUEST)
    return f'{taught.title} Said about: "{said}"' if said and is_with_somebody(taught.quote) else taught.title


def _confidence(taught: Teaching) -> int:
    return SURE if _is_plain(taught) else UNSURE


def _reason(taught: Teaching) -> str:
    doubt = () if _is_plain(taught) else (DOUBT,)
    why = (f"What speaks for it: {', '.join(taught.why)}.",) if taught.why else ()
    return " ".join((REASON, *doubt, *why))


__all__ = ["MAKER", "TaughtAt", "is_taught", "memory_of_teaching", "taught_id", "taught_in"]
