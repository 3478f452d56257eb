"""One thing a person taught in a prompt, as it is found there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memlane.domain import Scope, Type


class Plainness(StrEnum):
    """Whether a Teaching is kept as it is, or waits for the person's yes."""

    PLAIN = "plain"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Teaching:
    """One thing a person taught: a sentence that reads alone, and the words of the prompt it comes from."""

    title: str
    quote: str
    start: int  # of the quote, in the prompt
    end: int
    type: Type
    scope: Scope
    plainness: Plainness
    language: str
    why: tuple[str, ...]  # signs and words that spoke for it, the strongest first
