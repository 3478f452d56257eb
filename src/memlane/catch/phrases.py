"""What a person's words sound like: a correction, delight, dismay, a wish to have something remembered.

Cautious tables for a few languages. A language that is not here gives nothing, which is right more often than a guess.
"""

from __future__ import annotations

import re

from memlane.domain import Signal

READ = 600  # characters: what is pasted behind the first words is not how a person feels


def said(text: str) -> tuple[Signal, ...]:
    """Signals in what one person typed once, in the order of `Signal`."""
    words = _plain(text)
    return tuple(signal for signal, pattern in PATTERNS.items() if pattern.search(words))


def _plain(text: str) -> str:
    lines = (line for line in text[:READ].splitlines() if not line.lstrip().startswith((">", "|", "```")))
    return " ".join(" ".join(lines).lower().replace("’", "'").split())


PATTERNS = {
    Signal.CORRECTION: re.compile(r"^(no|nope),? (?!problem|worries|need)\w+ \w+"),
    Signal.ENTHUSIASM: re.compile(r"\b(wow|exactly what i wanted)\b"),
    Signal.DISMAY: re.compile(r"\bnever (ever )?do that again\b"),
    Signal.REMEMBER: re.compile(r"\b(?<!you )(?<!i )remember (this|that|to)\b"),
}
