"""Characters nobody sees: removed from everything that is kept, and told when words were hidden with them."""

from __future__ import annotations

import re

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]])?")
# Control characters, soft hyphens and fillers, zero width, directions, tags, variation selectors that draw nothing.
_CLASS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff"
)
_UNSEEN = re.compile(f"[{_CLASS}]")
_JOINERS = re.compile(
    r"(?<=[\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?=[\x00-\x7f])|^[\u200c\u200d]+|[\u200c\u200d]+$"
)
# Joiners are how Persian, Indic scripts and families of emoji are written; between ASCII letters they hide something.
_HIDES = re.compile(
    "[\U000e0020-\U000e007e]|[\U000e0100-\U000e01ef]{2}|[\u202d\u202e]|[\ufe00-\ufe0e]{3}"
    "|(?<=[A-Za-z])[\u200b-\u200d\u2060\u00ad\ufeff]+(?=[A-Za-z])"
)


def is_unseen(character: str) -> bool:
    return _UNSEEN.match(character) is not None


def seen(text: str) -> str:
    """The text as a person sees it."""
    if text.isascii() and text.isprintable():
        return text
    return _JOINERS.sub("", _UNSEEN.sub("", _ESCAPE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))))


def hides_words(text: str) -> bool:
    """Whether somebody wrote what is read but not seen, or cut a word so that it is seen but not found."""
    return not text.isascii() and _HIDES.search(text) is not None
