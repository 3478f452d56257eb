"""How text becomes terms: one tokenizer for everything that is looked up by words, in every engine.

Identifiers, paths and error codes are found whole and by their parts; Chinese, Japanese and Korean by pairs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain, filterfalse

LONGEST_TERM = 64
MOST_KNOWN = 1 << 17  # words kept with their terms, at most some 30 MB: the history of months has fewer
_WORD = re.compile(r"[^\W_]+(?:[._/:@+-]+[^\W_]+|_+[^\W_]*)*", re.UNICODE)
_JOINT = re.compile(r"[._/:@+-]+|_+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
# Words as _WORD finds them, but for characters beyond ASCII, which all count as letters here: it is quicker, no word
# reaches over its borders, and what it finds with such characters in it is cut by _WORD itself.
_LETTER = r"[^\x00-/:-@\[-`{-\x7f]"
_ROUGHLY = re.compile(rf"{_LETTER}++(?:[._/:@+-]++{_LETTER}++|_++{_LETTER}*+)*")


class _TermMemo(dict[str, tuple[str, ...]]):
    """The terms of words seen before: most words of a text are. Begun anew when there are too many."""

    def __init__(self, terms_of: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._terms_of = terms_of

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = self._terms_of(word)
        if len(word) <= LONGEST_TERM:
            if len(self) >= MOST_KNOWN:
                self.clear()
            self[word] = found
        return found


def terms(text: str) -> Iterator[str]:
    """Every term of a text, in order, repeated as often as it stands there."""
    return chain.from_iterable(map(_known.__getitem__, _ROUGHLY.findall(text)))


def counted(text: str, wanted: AbstractSet[str]) -> tuple[Mapping[str, int], int]:
    """How often each wanted term stands in a text that has it, and how many terms the text has in all."""
    found = [_known[word] for word in _ROUGHLY.findall(text)]
    times = dict[str, int]()
    for some in filterfalse(wanted.isdisjoint, found):
        for term in some:
            if term in wanted:
                times[term] = times.get(term, 0) + 1
    return times, sum(map(len, found))


def _word_terms(word: str) -> tuple[str, ...]:
    if word.isascii():
        return _ascii_terms(word)
    exact = _WORD.findall(word)
    return tuple(chain.from_iterable(_ascii_terms(one) if one.isascii() else _other_terms(one) for one in exact))


def _ascii_terms(word: str) -> tuple[str, ...]:
    if word.isalnum():
        return _plain(word)
    parts = [part for part in _JOINT.split(word) if part]
    whole = (word.lower(),) if len(word) <= LONGEST_TERM else ()
    return whole if len(parts) == 1 else (*whole, *chain.from_iterable(map(_known.__getitem__, parts)))


def _plain(word: str) -> tuple[str, ...]:
    lowered = word.lower()
    if len(lowered) > LONGEST_TERM:
        return ()
    whole = stem(lowered)
    if lowered == word or word.istitle() or word.isupper():
        return (whole,)
    humps = _HUMP.findall(word)
    return (whole, *(stem(hump.lower()) for hump in humps if len(hump) > 1)) if len(humps) > 1 else (whole,)


def _other_terms(word: str) -> Iterator[str]:
    lowered = word.lower()
    rest = 0
    for run in _CJK.finditer(lowered):
        if run.start() > rest:
            yield lowered[rest : run.start()][:LONGEST_TERM]
        characters = run[0]
        if len(characters) == 1:
            yield characters
        yield from (characters[i : i + 2] for i in range(len(characters) - 1))
        rest = run.end()
    if rest < len(lowered):
        yield lowered[rest:][:LONGEST_TERM]


def stem(word: str) -> str:
    """Plurals only: enough to find "packages" by "package", never so much that two words become one."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes")):
        return word[:-2]
    return word[:-1]


_known = _TermMemo(_word_terms)
