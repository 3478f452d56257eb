"""How much can be found by meaning, said plainly: nothing when all is well, one line when it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memlane.app.search import SearchAnswer
    from memlane.app.vectors import VectorProgress

MODES = ("auto", "words", "meaning")
BY: Mapping[str, str] = {"words": "by words", "hybrid": "by words and meaning", "meaning": "by meaning"}


def mode_of(found: SearchAnswer, meant: VectorProgress) -> str:
    """What was looked by, in the end: a model that knows no text yet found nothing."""
    return found.by if meant.done else "words"


def line(asked: str, found: SearchAnswer, meant: VectorProgress) -> str:
    """What a person should know before they trust the list; "" when there is nothing to say."""
    if asked == "words" or not meant.all:
        return ""
    if found.why:
        return f"words only: {found.why}"
    if meant.done == meant.all:
        return ""
    built = f"{meant.done * 100 // meant.all} % indexed for meaning" if meant.done else "words only"
    why = meant.why or ("the rest is found by its words" if meant.done else "meaning is being built, 0 % so far")
    return f"{built}: {why}"


def document(found: SearchAnswer, meant: VectorProgress) -> dict[str, object]:
    why = found.why or meant.why
    return {"model": meant.model or None, "share": round(meant.share, 4), "why": why or None}
