"""Which request would need this Memory? Words a person could type, made from its title; whether they do, others check.

The cues are English: for other languages the title itself is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memlane.domain import Memory

LONGEST = 64  # characters a person is asked to type
FEWEST = 3  # words, or it could mean anything
_WARNED_OF = re.compile(r"^(?:please )?(?:do not|don['’]t|never|avoid)(?: ever)? (?=[a-z])", re.IGNORECASE)
_ENDS = re.compile(r"\s*(?:[;.!?](?:\s|$)|,\s|\s[-–—(]|\b(?:because|so|instead|rather than|unless|but)\b)")
_MARKS = re.compile(r"[`*\"“”]+")


def requests(memory: Memory) -> Iterator[str]:
    """The likeliest first: the very thing it warns of, then what it says."""
    said = " ".join(_MARKS.sub("", memory.title).split()).removesuffix("…")
    warned = _WARNED_OF.match(said)
    if warned:
        yield from reversed(_short(said[warned.end() :]))  # who asks for it gives no reason against it
    for form in ("{}?", "what did we say about this: {}"):
        yield from (form.format(words) for words in _short(said))


def warns(memory: Memory) -> bool:
    return bool(_WARNED_OF.match(_MARKS.sub("", memory.title)))


def _short(said: str) -> Sequence[str]:
    """All of it, and its first clause."""
    both = dict.fromkeys(words.rstrip(" .!;:,") for words in (said, _ENDS.split(said, maxsplit=1)[0]))
    return [words for words in both if len(words) <= LONGEST and len(words.split()) >= FEWEST and words.isprintable()]
