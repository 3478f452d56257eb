"""A prompt in a language that the model of recall does not read: what its words find in Cues, or that it is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memlane import recall
from memlane.domain import Query
from memlane.embed import EmbedderError
from memlane.flow.tools import Tools


@dataclass(frozen=True, slots=True)
class ForeignPrompt:
    """`language`: "" where the model reads it, or where it cannot be told."""

    language: str = ""
    found: Sequence[recall.LikelyMemory] = ()

    @property
    def unread(self) -> bool:
        """In another script nearness by meaning is chance; in ours the model knows some words, and is asked too."""
        return recall.in_other_script(self.language)

    def instead(self, looked: recall.Shortlist) -> recall.Shortlist:
        return replace(looked, near=self.found) if self.unread else looked

    def beside(self, looked: recall.Shortlist) -> recall.Shortlist:
        return recall.with_cue_words(looked, self.found) if self.found else looked

    def explained(self, choice: recall.RecallChoice) -> recall.RecallChoice:
        if not self.language or self.found or choice.fits:
            return choice
        return replace(choice, why=recall.nothing_in(self.language))


def foreign_prompt(query: Query, need: recall.Need, tools: Tools) -> ForeignPrompt:
    language = foreign_language(query.words, tools)
    if not language:
        return ForeignPrompt()
    return ForeignPrompt(language, recall.CueLookup(query, need, tools.reader, tools.storage).found())


def foreign_language(words: str, tools: Tools) -> str:
    """The language of these words, where it is not one that the model of recall reads."""
    language = recall.language_of(words)
    return "" if language and _reads(language, tools) else language


def _reads(language: str, tools: Tools) -> bool:
    try:
        return tools.encodes is not None and tools.encodes.reads(language)
    except EmbedderError:
        return False  # words answer alone
