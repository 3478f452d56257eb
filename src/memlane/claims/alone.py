"""Does a sentence need to be read where it was said? Words that point at something only whoever was there can see."""

from __future__ import annotations

import re

_POINTS = re.compile(
    r"\b(?:this|that|these|those|the (?:new|old|other|same|current|previous|next|last|above)) \w+|"
    r"\b(?:it|they|them|he|she|him|here|there|above|below|yesterday|today|tomorrow|last week|next week)\b",
    re.IGNORECASE,
)


def stands_alone(title: str) -> bool:
    return _POINTS.search(title) is None
