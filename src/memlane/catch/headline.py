"""A title that is too long, cut where nothing that changes its meaning is lost."""

from __future__ import annotations

import re

from memlane.claims import claim

WANTED_TITLE = 120  # characters
FEWEST = 3  # words that say something: less is no sentence
_SENTENCE = re.compile(r"[.!?](?=\s+\S)|[。！？]")
# What follows only explains. A condition, an exception and a contrast stay where they are.
_CLAUSE = re.compile(r"[;；]\s|\s[–—]\s|,? (?:because|since|so that|weil)\b|, (?:as|which|so|for example)\b")
_TURNS = re.compile(
    r"\b(?:unless|except|until|but|not|never|only|instead|without|however|when|if|nicht|nie|ohne|außer|aber)\b|n't\b",
    re.IGNORECASE,
)


def shortened(title: str) -> str | None:
    """Its first sentence, else what stands before its explanation; None where both would say something else."""
    ends = [found.start() for found in _SENTENCE.finditer(title)]
    if ends and _stands(title[: ends[0]]) and not _TURNS.match(title[ends[0] + 1 :].lstrip()):
        return title[: ends[0]].strip()
    borders = [found.start() for found in _CLAUSE.finditer(title) if not _TURNS.search(title[found.start() :])]
    clean = [title[:at].rstrip(" ,") for at in borders if _stands(title[:at].rstrip(" ,"))]
    return clean[-1] if clean else None


def _stands(part: str) -> bool:
    return len(part) <= WANTED_TITLE and len(claim(part).words) >= FEWEST and part.count("(") == part.count(")")


def ended(sentence: str) -> str:
    return sentence if sentence.rstrip().endswith((".", "!", "?", "…", "。")) else f"{sentence.rstrip()}."
