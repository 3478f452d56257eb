"""The built-in extractor: a small classifier over Moments, trained on labelled ones, and a writer without a model.

Offline and deterministic. It prefers missing a lesson to adding noise; an agent finds more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from memlane.catch.embedded import commands, rules, vetoes
from memlane.catch.embedded.classifier import HELD, SHA256, Classifier, classifier
from memlane.catch.embedded.features import content_words
from memlane.catch.embedded.questions import question
from memlane.catch.embedded.titles import titled
from memlane.catch.embedded.writer import written
from memlane.catch.moment import Moment, moments
from memlane.domain import Draft, Memory, Window, WindowDrafts

__all__ = ["EmbeddedExtractor"]
SAME = 0.7  # of the words that tell something, of two titles: more are one lesson


class EmbeddedExtractor:
    """The default extractor."""

    name = "embedded"
    version = f"6-{SHA256[:8]}"  # of the rules, and of the weights

    def __init__(self, reader: Classifier | None = None) -> None:
        self._reader = reader

    def read(self, window: Window, nearby: Sequence[Memory]) -> WindowDrafts:  # noqa: ARG002 (the judge knows what is near)
        return WindowDrafts(tuple(_once(draft for moment in moments(window) for draft in self.drafts(moment))))

    def drafts(self, moment: Moment) -> Iterator[Draft]:
        certain = [*commands.drafts(moment)]
        yield from certain
        if not certain and worth_a_look(moment) and (draft := self._judged(moment)):
            yield draft

    def _judged(self, moment: Moment) -> Draft | None:
        reader = self._reader or classifier()
        judgement, least = reader.judge(moment), rules.least(moment)
        if least and judgement.confidence < HELD:
            judgement = replace(judgement, confidence=least.confidence, type=least.type)
        elif least:
            kind = least.type if least is rules.CHOSEN else judgement.type  # "we do it so because …" says so itself
            judgement = replace(judgement, confidence=max(judgement.confidence, least.confidence), type=kind)
        return written(moment, judgement, reader.lesson) if judgement.confidence >= HELD else None


def _once(drafts: Iterable[Draft]) -> Iterator[Draft]:
    """A lesson that is said again in the Window is one lesson; the first sighting stays."""
    kept: list[frozenset[str]] = []
    for draft in drafts:
        said = content_words(draft.title)
        if not any(len(said & other) >= SAME * max(1, len(said | other)) for other in kept):
            kept.append(said)
            yield draft


def tells_enough(moment: Moment, likeness: Callable[[str], float]) -> bool | None:
    """Whether its sentence may be active; None where it says nothing alone, or holds for one task."""
    title = titled(moment, question(moment.before_agent, moment.person), likeness) if worth_a_look(moment) else None
    return None if title is None or title.bound else not title.doubt


def worth_a_look(moment: Moment) -> bool:
    """A person's own words, enough of them to say something."""
    return vetoes.of_moment(moment) is None
