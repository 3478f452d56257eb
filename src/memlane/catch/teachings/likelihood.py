"""How likely a sentence of a prompt is a Teaching, and which signs and words spoke for it.

One line over what `signs` gives. The weights are made by `python -m training.teachings` and are loaded once.
"""

from __future__ import annotations

import hashlib
import zlib
from array import array
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from memlane.catch.teachings.signs import FORM, SIZE, SentenceSight, grams, place, signs
from memlane.errors import UnreadError

WEIGHTS = Path(__file__).with_name("teachings.weights")
SHA256 = "c627a790d17d388167de2a82a10c5d070317c38d005f0ed217ec07272d884de1"
_SHOWN = 3  # signs and words that are named
_PART = ("~", "^", "<", "#")  # begin what is no word of the sentence


class LineHeader(msgspec.Struct, frozen=True):
    """The first line of the file; a byte for each place of the hashes follows."""

    signs: dict[str, float]
    scale: float  # of the bytes
    base: float
    held: dict[str, float]  # the two bars, by language
    active: dict[str, float]


class TeachingLine:
    def __init__(self, header: LineHeader, slopes: bytes) -> None:
        self._header, self._slopes = header, array("b", slopes)

    def held(self, seen: SentenceSight) -> float:
        """The score from which on a sentence may be a Teaching."""
        return self._header.held[seen.rules.language]

    def active(self, seen: SentenceSight) -> float:
        """The score from which on it is one."""
        return self._header.active[seen.rules.language]

    def score(self, seen: SentenceSight) -> float:
        """In log-odds."""
        slopes, crc = self._slopes, zlib.crc32
        words = sum(each * sum(slopes[crc(gram.encode()) % SIZE] for gram in found) for each, found in grams(seen))
        said = sum(self._header.signs.get(sign, 0.0) for sign in signs(seen))
        return self._header.base + said + self._header.scale * words

    def why(self, seen: SentenceSight) -> tuple[str, ...]:
        """Signs and words that spoke for it, the strongest of each first."""
        said = {sign: self._header.signs.get(sign, 0.0) for sign in signs(seen) if not sign.startswith(FORM)}
        words = {
            gram: each * self._slopes[place(gram)]
            for each, found in grams(seen)
            for gram in found
            if not gram.startswith(_PART)
        }
        return (*_most(said), *(f'"{word}"' for word in _most(words)))


def _most(told: Mapping[str, float]) -> tuple[str, ...]:
    most = sorted((by, name) for name, by in told.items() if by > 0)[-_SHOWN:]
    return tuple(name for _by, name in reversed(most))


@cache
def teaching_line() -> TeachingLine:
    content = WEIGHTS.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise UnreadError(f"{WEIGHTS.name} is not as it was made", hint="install memlane again")
    header, _, slopes = zlib.decompress(content).partition(b"\n")
    return TeachingLine(msgspec.json.decode(header, type=LineHeader), slopes)


def packed(header: LineHeader, slopes: bytes) -> bytes:
    """The file that `teaching_line` reads."""
    return zlib.compress(msgspec.json.encode(header) + b"\n" + slopes, 9)
