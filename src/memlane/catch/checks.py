"""What every Draft has to pass before it becomes a Memory, whoever wrote it. Knows the Window it was read from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from memlane.catch.content import lasts, stands_alone, unsaid_figure, unstored
from memlane.catch.excerpt import quoted_steps, source_chunk
from memlane.catch.extractor import ACTIVE_FROM
from memlane.catch.fences import broken
from memlane.catch.headline import WANTED_TITLE, ended, shortened
from memlane.catch.quotes import hides_words, spots_of, standing, verbatim
from memlane.claims import meaning
from memlane.domain import LONGEST_CUE, LONGEST_WHEN, Draft, Kind, Quote, Spot, Step, Window, cues_of
from memlane.domain.door import plain, unquoted
from memlane.domain.privacy import PRIVATE, UNCLOSED

LONGEST_TITLE = 500
LONGEST_CONTENT = 4000  # a lesson, not a document
UNFOUNDED = "the quoted text does not contain its words"
UNSAID = "{figure} does not appear in the text that was read"
HIDDEN = "hidden characters were removed from it"
ENDURED_TITLE = 160  # a few more than wanted, where no clean border is: readers count badly
TOO_LONG = f"its title is longer than {ENDURED_TITLE} characters and cannot be cut"
_MARKER = re.compile(rf"\[masked: ([\w-]+|{UNCLOSED})\]")


class RuleFinding(Protocol):
    @property
    def rule(self) -> str: ...


class Finder(Protocol):
    """The Gate, as far as it is needed here."""

    def findings(self, text: str) -> Sequence[RuleFinding]: ...


@dataclass(frozen=True, slots=True)
class DraftRefusal:
    """Why not, in words an agent can act on: the rule and the place, never the text."""

    by: str  # gate, validator
    rule: str
    place: str
    says: str


def check(draft: Draft, window: Window, gate: Finder) -> Draft | DraftRefusal:
    """The Draft as it may be kept: its quotes as they stand in the Window, nothing unseen in it."""
    hidden = any(map(hides_words, _texts(draft)))
    clean = _plain(draft)
    quoted = _quoted(clean, window)
    if isinstance(quoted, DraftRefusal):
        return _secret(draft, gate) or quoted
    steps = dict(window.steps())
    hidden = hidden or any(hides_words(text) for text in _raw_quotes(quoted, steps))
    refused = _secret(draft, gate) or _secret(quoted, gate)
    if refused or quoted.taught:
        return refused or (_doubted(quoted, HIDDEN) if hidden else quoted)
    refused = (
        _beside_a_secret(quoted, window, gate)
        or _unfit(quoted)
        or _unparsed(quoted)
        or _bare(quoted, steps)
        or _not_stored(quoted)
    )
    if refused:
        return refused
    quoted = _shortened(quoted)
    if figure := unsaid_figure(quoted.title, quoted.content, window):
        quoted = _doubted(quoted, UNSAID.format(figure=figure))
    if meaning(quoted.title).isdisjoint(meaning(source_chunk(window, quoted.quotes))):
        quoted = _doubted(quoted, UNFOUNDED)
    return _doubted(quoted, HIDDEN) if hidden else quoted


def _doubted(draft: Draft, why: str) -> Draft:
    doubts = tuple(dict.fromkeys((*draft.doubts, why)))
    return replace(draft, confidence=min(draft.confidence, ACTIVE_FROM - 1), doubts=doubts)


def _shortened(draft: Draft) -> Draft:
    """A long title at a clean border, with all of it in the content; without such a border a person cuts it."""
    if len(draft.title) <= WANTED_TITLE:
        return draft
    title = shortened(draft.title)
    if title is None:
        return _doubted(draft, TOO_LONG) if len(draft.title) > ENDURED_TITLE else draft
    whole = draft.content if draft.title in draft.content else f"{ended(draft.title)} {draft.content}"
    return replace(draft, title=title, content=whole)


# -- as a person sees it ----------------------------------------------------------------------------------------------


def _fields(draft: Draft) -> Iterator[tuple[str, str]]:
    yield "title", draft.title
    yield "content", draft.content
    yield "reasoning", draft.reasoning
    yield "category", draft.category
    yield "when", draft.when
    yield from (("cues", text) for text in draft.cues)
    yield from (("alternatives", text) for text in draft.alternatives)
    yield from (("related_entities", f"{m.type} {m.raw} {m.slug}") for m in draft.mentions)
    yield from (("target_agents", text) for text in draft.target_agents)
    yield from (("evidence", quote.words) for quote in draft.quotes)


def _texts(draft: Draft) -> Iterator[str]:
    return (text for _place, text in _fields(draft))


def _plain(draft: Draft) -> Draft:
    return replace(
        draft,
        title=" ".join(_given(draft.title).split()),
        content=_given(draft.content).strip(),
        reasoning=_given(draft.reasoning).strip(),
        category=" ".join(plain(draft.category).split()),
        alternatives=tuple(text for each in draft.alternatives if (text := _given(each).strip())),
        mentions=tuple(replace(m, raw=" ".join(plain(m.raw).split())) for m in draft.mentions if plain(m.raw).strip()),
        target_agents=tuple(text for each in draft.target_agents if (text := _given(each).strip())),
        when=" ".join(_given(draft.when).split()),
        cues=cues_of(map(_given, draft.cues)),
    )


def _given(text: str) -> str:
    """As it was said: a window shows `<commit-sha>` with its bracket escaped, and an extractor may copy that."""
    return plain(unquoted(text))


# -- its quotes -------------------------------------------------------------------------------------------------------


def _quoted(draft: Draft, window: Window) -> Draft | DraftRefusal:
    if not draft.quotes:
        return _no("quote", "evidence", "it has no quote: give the words that support it and their step")
    if draft.quotes[0].spot < window.first:
        first = window.first
        return _no("context", "evidence", f"its first quote is before {first}: that was read in an earlier window")
    steps, kept = dict(window.steps()), list[Quote]()
    for quote in draft.quotes:
        step = steps.get(quote.spot)
        words = standing(quote.words, step) if step is not None and not step.ours else None
        if words is None:
            return _no("quote", "evidence", _where(quote, window))
        kept.append(Quote(quote.spot, plain(words)))
    return replace(draft, quotes=tuple(dict.fromkeys(kept)))


def _where(quote: Quote, window: Window) -> str:
    places = ", ".join(spots_of(quote.words, window))
    if places:
        return f"a quote is not in {quote.spot}: those words are in {places}"
    return f"a quote is not in {quote.spot} word for word: copy it from the window without changes"


def _raw_quotes(draft: Draft, steps: dict[Spot, Step]) -> Iterator[str]:
    return (standing(quote.words, steps[quote.spot]) or "" for quote in draft.quotes)


# -- the gate ---------------------------------------------------------------------------------------------------------


def _secret(draft: Draft, gate: Finder) -> DraftRefusal | None:
    """In each field, and in what only several of them together give away."""
    for place, text in _fields(draft):
        if text and (found := gate.findings(text)):
            return _closed(found[0].rule, place)
        if marker := _MARKER.search(text):
            return _closed(marker[1], place)
    found = gate.findings("\n".join(_texts(draft)))
    return _closed(found[0].rule, "content") if found else None


def _beside_a_secret(draft: Draft, window: Window, gate: Finder) -> DraftRefusal | None:
    """Words from a message with a secret are not kept: they may be about it. In any other step it is masked, and
    refuses nothing; neither does what a person marked as private.
    """
    if found := gate.findings(source_chunk(window, draft.quotes)):
        return _closed(found[0].rule, "source_chunk")
    secrets = [rule for rule in _MARKER.findall(quoted_steps(window, draft.quotes)) if rule not in (PRIVATE, UNCLOSED)]
    return _closed(secrets[0], "source_chunk") if secrets else None


def _closed(rule: str, place: str) -> DraftRefusal:
    return DraftRefusal(
        "gate", rule, place, f"a secret ({rule}) is in its {place}: leave it and the text around it out"
    )


# -- what it says -----------------------------------------------------------------------------------------------------


def _unfit(draft: Draft) -> DraftRefusal | None:
    if not draft.title:
        return _no("empty", "title", "it has no title")
    if not draft.content:
        return _no("empty", "content", "it has no content")
    if len(draft.title) > LONGEST_TITLE:
        says = f"its title is longer than {LONGEST_TITLE} characters; {WANTED_TITLE} are better"
        return _no("too-long", "title", says)
    if len(draft.content) > LONGEST_CONTENT:
        return _no("too-long", "content", f"its content is longer than {LONGEST_CONTENT} characters: say the lesson")
    if len(draft.when) > LONGEST_WHEN:
        return _no("too-long", "when", f"its when is longer than {LONGEST_WHEN} characters: one phrase")
    if any(len(cue) > LONGEST_CUE for cue in draft.cues):
        return _no("too-long", "cues", f"one of its cues is longer than {LONGEST_CUE} characters")
    if not 0 <= draft.confidence <= 100:
        return _no("range", "confidence", "confidence goes from 0 to 100")
    if not stands_alone(draft.title, draft.content) or len(meaning(f"{draft.title} {draft.content}")) < 2:
        return _no("alone", "content", "it says nothing without what was said around it: name what it is about")
    return None


def _unparsed(draft: Draft) -> DraftRefusal | None:
    for place, text in (("content", draft.content), ("title", draft.title)):
        if language := broken(text):
            says = f"a fenced {language} block does not parse: fix it, or mark it as the wrong example or an excerpt"
            return _no("does-not-parse", place, says)
    return None


def _bare(draft: Draft, steps: dict[Spot, Step]) -> DraftRefusal | None:
    """Nothing but words of the prompt: what was asked for, not what was learned."""
    prompts = [step.text for quote in draft.quotes if (step := steps[quote.spot]).kind is Kind.PROMPT]
    if any(_only_copied(draft, prompt) for prompt in prompts) and not _lasting(draft):
        return _no("bare-prompt", "content", "it only repeats a prompt: say what follows from it for later runs")
    return None


def _only_copied(draft: Draft, prompt: str) -> bool:
    title = draft.title.rstrip(".… ")
    return verbatim(title, prompt) is not None and verbatim(draft.content.rstrip(".… "), prompt) is not None


def _lasting(draft: Draft) -> bool:
    return lasts(f"{draft.title}\n{draft.content}")


def _not_stored(draft: Draft) -> DraftRefusal | None:
    rule = unstored(draft.title, draft.content)
    return _no(rule, "content", _WHY_NOT[rule]) if rule else None


_WHY_NOT = {
    "code-structure": "the checkout says where things are: keep why they are there, if that was said",
    "history": "git says what was merged and when: keep what was decided, if something was",
    "log": "it is a log: say what it taught in a sentence",
    "report": "it only says what was done: keep what holds for later work, if something does",
    "task-state": "it is over when the task is: keep what holds for the next one, if anything does",
}


def _no(rule: str, place: str, says: str) -> DraftRefusal:
    return DraftRefusal("validator", rule, place, says)


__all__ = ["LONGEST_CONTENT", "LONGEST_TITLE", "DraftRefusal", "check"]
