"""What a person's words sound like: a correction, delight, dismay, a wish to have something remembered.

The rules are in `phrases.toml`. A language or a turn of phrase that is not in them gives nothing, not a guess.
"""

from __future__ import annotations

import re

from memlane.catch.worded import worded
from memlane.domain import Signal

SPOKEN = (Signal.CORRECTION, Signal.ENTHUSIASM, Signal.DISMAY, Signal.REMEMBER)
READ = 300  # characters: what is pasted behind the first words is not the person speaking
FEWEST, MOST = 3, 80  # words with which a person turns an agent they stopped
_QUOTED = re.compile(r"```.*?(?:```|$)|`[^`]*`|“[^”]*”|\"[^\"]*\"|«[^»]*»|^\s*[>|+].*?$", re.DOTALL | re.MULTILINE)


def said(text: str) -> tuple[Signal, ...]:
    """Signals in what one person typed once, in the order of `Signal`."""
    words = plain(text)
    return tuple(signal for signal in SPOKEN if _sounds(signal, words))


def plain(text: str) -> str:
    """Their own words in lower case: no quotations, no code, no pasted lines."""
    return " ".join(_QUOTED.sub(" … ", text[: READ * 4]).lower().replace("’", "'").split())[:READ]


def drops_it(text: str) -> bool:
    return _sounds("drops-it", plain(text))


def redirects(text: str) -> bool:
    """After an interruption: what to do, not "go on", not one word, and not a page that would have come anyway."""
    return FEWEST <= len(text.split()) <= MOST and not _sounds("goes-on", plain(text))


def denies(text: str) -> bool:
    """Of an agent's words, which end with what matters."""
    return _sounds("denies", text[-4 * READ :].lower().replace("’", "'"))


def concedes(text: str, *, denied: bool) -> bool:
    """`denied`: the agent had just said that it is not so; then polite words are enough."""
    words = plain(text)
    return _sounds("concedes", words) or (denied and _sounds("agrees", words))


def _sounds(sentence: str, words: str) -> bool:
    return worded("phrases.toml")[sentence].search(words) is not None
