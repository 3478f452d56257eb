"""What a name is made of: words without case, accents and possessives, so that two spellings of one name are the same.

Chinese, Japanese and Korean are cut into characters, because their names stand in a sentence without spaces.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from memlane.domain.door import one_line

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}&]|[^\W_{_CJK}]+(?:['’][^\W\d_{_CJK}]+)*")
_ONE_CJK = re.compile(rf"[{_CJK}]")
_GAP = re.compile(r"[ \t]*\n?[ \t]*|[-_./]")  # between two words of one name
TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "professor", "herr", "frau", "sir", "madam", "mx"})
ARTICLES = frozenset({"the", "our", "my", "your", "a", "an", "this", "that"})
LONGEST_NAME = 80

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, as it is compared and as it stands there."""

    plain: str
    text: str
    start: int
    end: int

    @property
    def titled(self) -> bool:
        """Written like a name: `Neal`, `McCoy`; neither `neal` nor `NEAL`."""
        return self.text[0].isupper() and (len(self.text) == 1 or not self.text.isupper())

    @property
    def possessive(self) -> bool:
        return self.text[-2:].casefold() in ("'s", "’s")


def words_of(text: str) -> list[Word]:
    return [Word(_plain(found[0]), found[0], found.start(), found.end()) for found in _WORD.finditer(text)]


def plain(text: str) -> Words:
    """A name as it is looked up: `Neal Brown's`, `neal-brown` and `NEAL  BROWN` are one."""
    return tuple(_plain(found) for found in _WORD.findall(text))


@lru_cache(1 << 15)
def _plain(word: str) -> str:
    lowered = "and" if word == "&" else word.casefold()
    if not lowered.isascii():
        lowered = "".join(_bare(letter) for letter in unicodedata.normalize("NFKC", lowered)).replace("’", "'")
    return lowered.removesuffix("'s")


def _bare(letter: str) -> str:
    """`é` is `e`; `が` stays: it is another sound, not an accent."""
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else letter


def is_cjk(text: str) -> bool:
    return _ONE_CJK.match(text) is not None


def one_name(text: str, one: Word, other: Word) -> bool:
    """Whether two words following each other may belong to the same name."""
    between = text[one.end : other.start]
    return (len(between) <= 8 and _GAP.fullmatch(between) is not None) and not one.possessive


def shown(given: str) -> str:
    """A name as it may be stored and printed: one line, nothing hidden in it, not endless."""
    return one_line(given)[:LONGEST_NAME].strip()


def slug_of(name: str, type_: str) -> str:
    """`Neal Brown` is `brown-neal` for a person, `Indy Hall` is `indy-hall`."""
    words = [word.replace("'", "") for word in plain(name) if word not in TITLES or type_ != "person"]
    if type_ == "person" and len(words) > 1 and not is_cjk(words[0]):
        words = [words[-1], *words[:-1]]
    return ("" if any(is_cjk(word) for word in words) else "-").join(words)
