"""What a Run is called when nobody named it. Rules alone, no model. Pure."""

from __future__ import annotations

import re

from memlane.domain.door import one_line

LONGEST_TITLE = 72  # characters
# How people begin before they say what they want.
_OPENING = re.compile(
    r"^(?:(?:hi|hello|hey|ok(?:ay)?|so|now|right|well|please|pls|thanks?|great|alright|bitte|hallo|also)\b[,.!:]*\s+|"
    r"(?:can|could|would|will) you (?:please |kindly )?|(?:i'?d like|i want|i need) (?:you )?to |"
    r"implement the following plan:?[\s#*]*|plan:\s+|let'?s |we (?:need|have|want) to |"
    r"kannst du (?:bitte )?|ich möchte,? )",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"```.*?(?:```|$)|<[^<>\n]{1,200}>|https?://\S+", re.DOTALL)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_MARKS = re.compile(r"^\s*(?:[#>*\-•]+\s+|\d+[.)]\s+)+|[*`]{1,3}|(?<!\w)__?(?=\w)|(?<=\w)__?(?!\w)")
_SMALL = re.compile(
    r"^(?:yes|no|ok(?:ay)?|sure|continue|go on|proceed|thanks?|thank you|good|great|perfect|nice|y|n"
    r"|ja|nein|weiter|danke)\b",
    re.IGNORECASE,
)
FEW_WORDS = 6  # a yes with more of them may ask for something


def short_title(text: str) -> str:
    """The first sentence that asks for something, without its opening words, cut between words."""
    said = [_MARKS.sub("", one_line(part)) for part in _SENTENCE.split(_SCRIPT.sub(" ", text))]
    asked = [short for part in said if (short := _without_opening(part))]
    telling = (part for part in asked if len(part.split()) > 1 and not is_small(part))
    return _cut(next(telling, asked[0] if asked else "")) or one_line(text)[:LONGEST_TITLE]


def _without_opening(part: str) -> str:
    before = ""
    while before != part:
        before, part = part, _OPENING.sub("", part, count=1)
    return part.strip(" .,;:!–—")


def _cut(words: str) -> str:
    if len(words) <= LONGEST_TITLE:
        return words
    kept = words[: LONGEST_TITLE - 1].rsplit(" ", 1)[0].rstrip(" ,;:(–—")
    return f"{kept or words[: LONGEST_TITLE - 1]}…"


def is_small(text: str) -> bool:
    """A yes, a no, a go on: it asks for nothing by itself."""
    words = one_line(text)
    return _SMALL.match(words) is not None and len(words.split()) < FEW_WORDS and "?" not in words
