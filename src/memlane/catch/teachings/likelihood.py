"""How likely a sentence of a prompt is a Teaching, and which signs and words spoke for it.

One line over what `signs` gives. Where the line leaves it open and the language is one that the small transformer reads
(English), that reads the sentence too, and both are weighed. The weights are made by `python -m training.teachings` and
`training.teachings_look` and are loaded once.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import msgspec

from memlane.catch.teachings.own_text import FILLER
from memlane.catch.teachings.signs import DECIDED, FORM, SIZE, SentenceSight, grams, place, signs
from memlane.embed import teaching_look
from memlane.errors import UnreadError

WEIGHTS = Path(__file__).with_name("teachings.weights")
SHA256 = "63bfaef6dcfe98dd2c140b173cff8ea3bbfa3a84396a91afe1f2c9711646735e"
MOST_LOOKED = 6  # sentences of a prompt that the transformer reads, the likeliest ones: somebody waits
WHOLE = "the sentence as a whole"  # spoke for it
_SHOWN = 3  # signs and words that are named
_FILLERS = re.compile(f"{FILLER}+")
_PART = ("~", "^", "<", "#")  # begin what is no word of the sentence


class LookWeights(msgspec.Struct, frozen=True):
    """How line and transformer are weighed together, in one language."""

    line: float
    look: float
    base: float
    least: float  # of the line: what has less is hardly ever a Teaching, and is not read
    held: float  # the two bars of both together
    active: float


@dataclass(frozen=True, slots=True)
class Likelihood:
    """In log-odds, with the bars that hold for it: from `held` on it may be a Teaching, from `active` on it is one."""

    score: float
    held: float
    active: float
    why: tuple[str, ...] = ()


class LineHeader(msgspec.Struct, frozen=True):
    """The first line of the file; a byte for each place of the hashes follows."""

    signs: dict[str, float]
    scale: float  # of the bytes
    base: float
    held: dict[str, float]  # the two bars, by language
    active: dict[str, float]
    looks: dict[str, LookWeights]


class TeachingLine:
    def __init__(self, header: LineHeader, slopes: bytes) -> None:
        self._header, self._slopes = header, array("b", slopes)

    def alone(self, seen: SentenceSight, score: float) -> Likelihood:
        language = seen.rules.language
        return Likelihood(score, self._header.held[language], self._header.active[language])

    def looked_at(self, seen: SentenceSight, score: float) -> Likelihood:
        """What both say of it."""
        weights = self._header.looks[seen.rules.language]
        look = weights.look * teaching_look().log_odds(read_as(seen.one.text))
        said = weights.base + weights.line * score + look
        return Likelihood(said, weights.held, weights.active, (WHOLE,) if look > 0 else ())

    def leaves_open(self, seen: SentenceSight, score: float) -> bool:
        weights = self._header.looks.get(seen.rules.language)
        return weights is not None and score >= weights.least and not set(DECIDED).intersection(signs(seen))

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


def likelihoods(some: Sequence[SentenceSight]) -> Iterator[Likelihood]:
    """Of the sentences of one prompt, in their order."""
    line = teaching_line()
    scores = [line.score(seen) for seen in some]
    open_ = [n for n, seen in enumerate(some) if line.leaves_open(seen, scores[n])]
    looked = set(sorted(open_, key=lambda n: scores[n], reverse=True)[:MOST_LOOKED])
    for n, (seen, score) in enumerate(zip(some, scores, strict=True)):
        yield line.looked_at(seen, score) if n in looked else line.alone(seen, score)


def read_as(sentence: str) -> str:
    """What was pasted or quoted in it is one mark."""
    return _FILLERS.sub('"', sentence)


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
