"""Text into the word pieces a BERT was trained on: lower case, no accents, the longest known piece first.

It knows a list of pieces and nothing of what they mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

BEGIN, END, STRANGE = "[CLS]", "[SEP]", "[UNK]"
_LONGEST_WORD = 100  # characters; what is longer is no word
_REMEMBERED = 1 << 14
_CJK = (
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002ceaf\U0002f800-\U0002fa1f"
)
_ALONE = re.compile(rf"[{_CJK}]|[!-/:-@\[-`{{-~]")
_PLAIN = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")


class WordPiece:
    def __init__(self, pieces: Sequence[str]) -> None:
        self._numbers = {piece: number for number, piece in enumerate(pieces)}
        self._begin, self._end, self._strange = (self._numbers[mark] for mark in (BEGIN, END, STRANGE))
        self._cut = lru_cache(_REMEMBERED)(self._cut_anew)

    def tokens(self, text: str, most: int) -> list[int]:
        """At most so many, the first and the last of which say that it begins and ends."""
        found = [self._begin]
        for word in _words(text):
            found += self._cut(word)
            if len(found) >= most:
                break
        return [*found[: most - 1], self._end]

    def _cut_anew(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._strange,)
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                piece = self._numbers.get(word[start:end] if not start else f"##{word[start:end]}")
                if piece is not None:
                    found.append(piece)
                    start = end
                    break
            else:
                return (self._strange,)
        return tuple(found)


def _words(text: str) -> list[str]:
    """Cut at spaces, and around everything that is neither letter nor digit."""
    if text.isascii() and text.isprintable():
        return _PLAIN.findall(text.lower())
    seen = "".join(_shown(character) for character in text)
    bare = (c for c in unicodedata.normalize("NFD", seen) if unicodedata.category(c) != "Mn")
    spaced = _ALONE.sub(r" \g<0> ", "".join(bare).lower())
    return "".join(f" {c} " if not c.isascii() and unicodedata.category(c)[0] == "P" else c for c in spaced).split()


def _shown(character: str) -> str:
    if character in "\t\n\r" or character.isspace():
        return " "
    return "" if character in "\x00\ufffd" or unicodedata.category(character)[0] == "C" else character
