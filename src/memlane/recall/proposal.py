"""What does an agent that has answered say it would do next? That is what a "yes" agrees to. Pure.

Reports of what was done are left out: they are about everything there is a note on.
"""

from __future__ import annotations

import re

CHARACTERS = 600  # of the answer: its end
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_ASKS = re.compile(r"[?？][\s\"'”)*_`]*$")
_NEXT = re.compile(
    r"\b(?:i(?:'ll| will| would|'d| can| could| am going to|'m going to| plan to)|shall i|should i|want me to|let me"
    r"|next(?: step)?s?[,:]|ready to)\b",
    re.IGNORECASE,
)


def proposed(answer: str) -> str:
    """Its sentences that ask for a go or say what comes next; "": it proposes nothing."""
    said = (one.strip() for one in _SENTENCE.split(answer[-CHARACTERS:].replace("\u2019", "'")))
    return " ".join(one for one in said if _ASKS.search(one) or _NEXT.search(one))
