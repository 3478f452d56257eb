"""How text becomes terms: one tokenizer for everything that is looked up by words, in every engine.

Identifiers, paths and error codes are found whole and by their parts; Chinese, Japanese and Korean by pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST_TERM = 64
_WORD = re.compile(r"[^\W_]+(?:[._/:@+-]+[^\W_]+|_+[^\W_]*)*", re.UNICODE)
_JOINT = re.compile(r"[._/:@+-]+|_+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")


def terms(text: str) -> Iterator[str]:
    """Every term of a text, in order, repeated as often as it stands there."""
    for found in _WORD.finditer(text):
        word = found[0]
        if word.isascii():
            yield from _ascii_terms(word)
        else:
            yield from _other_terms(word)


def _ascii_terms(word: str) -> Iterator[str]:
    if word.isalnum():
        yield from _plain(word)
        return
    parts = [part for part in _JOINT.split(word) if part]
    if len(word) <= LONGEST_TERM:
        yield word.lower()
    if len(parts) == 1:
        parts = []
    for part in parts:
        yield from _plain(part)


def _plain(word: str) -> Iterator[str]:
    lowered = word.lower()
    if len(lowered) > LONGEST_TERM:
        return
    yield stem(lowered)
    if lowered != word and not word.istitle() and not word.isupper():
        humps = _HUMP.findall(word)
        if len(humps) > 1:
            yield from (stem(hump.lower()) for hump in humps if len(hump) > 1)


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
