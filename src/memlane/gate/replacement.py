"""Readings of a text that put one piece for another: escapes, percent signs, invisible characters, line ends.

The patterns are single tokens without a repeat inside a repeat, so Python's own engine is linear on them too (and
four times as fast as RE2 per piece). Knows the way back from what was put to what stood there.
"""

from __future__ import annotations

import re
import string
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

# Greek and Cyrillic letters drawn like Latin ones, and full-width letters and digits: seen as what they look like.
_GREEK_AND_CYRILLIC = "АВЕКМНОРСТХаеорсухіјѕԁΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"
_AS_LATIN = "ABEKMHOPCTXaeopcyxijsdABEZHIKMNOPTYXo"
_WIDE: Mapping[bytes, bytes] = {
    chr(0xFEE0 + ord(c)).encode(): c.encode() for c in string.ascii_letters + string.digits + "_-+/=."
}
_ALIKE: Mapping[bytes, bytes] = {
    letter.encode(): latin.encode() for letter, latin in zip(_GREEK_AND_CYRILLIC, _AS_LATIN, strict=True)
}
_SEEN_AS: Mapping[bytes, bytes] = {**_ALIKE, **_WIDE}


def _classes(words: Mapping[bytes, bytes]) -> bytes:
    """Words that share all but their last byte as one class: a pattern of a few branches, not of hundreds."""
    grouped: defaultdict[bytes, bytes] = defaultdict(bytes)
    for word in words:
        grouped[word[:-1]] += word[-1:]
    return b"|".join(
        b"%s[%s]" % (head, b"".join(b"\\x%02x" % last for last in lasts)) for head, lasts in grouped.items()
    )


# Terminal colours, control characters, soft hyphens, zero-width, bidi and tag characters, variation selectors.
_UNSEEN = (
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]])?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
    rb"|\xc2[\x80-\x9f\xad]|\xcd\x8f|\xd8\x9c|\xe1\x85[\x9f\xa0]|\xe1\x9e[\xb4\xb5]|\xe1\xa0[\x8b-\x8f]"
    rb"|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xaf]|\xe3\x85\xa4|\xef\xb8[\x80-\x8f]|\xef\xbb\xbf|\xef\xbe\xa0"
    rb"|\xf3\xa0[\x80-\x87][\x80-\xbf]|" + _classes(_WIDE)
)
# Worth a look: any of these, or a foreign letter in the middle of a Latin word (a Russian text has none).
ODD = (_UNSEEN + rb"|[0-9A-Za-z_](?:%s)|(?:%s)[0-9A-Za-z_]" % (_classes(_ALIKE), _classes(_ALIKE))).decode("latin-1")
_ESCAPES = {b"\\n": b"\n", b"\\r": b"\r", b"\\t": b"\t", b"\\b": b"\b", b"\\f": b"\f", b"\\e": b"\x1b"}
_ENTITIES = {b"&quot;": b'"', b"&amp;": b"&", b"&lt;": b"<", b"&gt;": b">", b"&apos;": b"'"}


@dataclass(frozen=True, slots=True)
class Replacement:
    """What to look for, and what to read instead."""

    pattern: re.Pattern[bytes]
    other: Callable[[re.Match[bytes]], bytes] | None = None  # nothing

    def apply(self, data: bytes) -> bytes:
        return self.pattern.sub(self.other or b"", data)

    def length(self, piece: re.Match[bytes]) -> int:
        return len(self.other(piece)) if self.other else 0


def _unescaped(escape: re.Match[bytes]) -> bytes:
    text = escape[0]
    if text[1:2] in (b"u", b"x") and len(text) > 2:
        return _character(int(text[2:], 16))
    if len(text) == 4:
        return _character(int(text[1:], 8))
    return _ESCAPES.get(text, text[1:])


def _unquoted(quote: re.Match[bytes]) -> bytes:
    text = quote[0]
    if text[:1] == b"%":
        return bytes([int(text[1:], 16)])
    if text[1:2] != b"#":
        return _ENTITIES[text]
    return _character(int(text[3:-1], 16) if text[2:3] in b"xX" else int(text[2:-1]))


def _untagged(tag: re.Match[bytes]) -> bytes:
    """Tag characters are ASCII moved to where nobody sees it."""
    code = ord(tag[0].decode()) - 0xE0000
    return bytes([code]) if 0x20 <= code < 0x7F else b""


def _character(code: int) -> bytes:
    return chr(code).encode("utf-8", "surrogatepass")


unseen = Replacement(re.compile(_UNSEEN + b"|" + _classes(_ALIKE)), lambda piece: _SEEN_AS.get(piece[0], b""))
tags = Replacement(re.compile(rb"\xf3\xa0[\x80\x81][\x80-\xbf]"), _untagged)
escapes = Replacement(re.compile(rb"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[0-3][0-7]{2}|[^\r\n])"), _unescaped)
quotes = Replacement(
    re.compile(rb"%[0-9a-fA-F]{2}|&(?:#[xX][0-9a-fA-F]{2,4}|#\d{2,5}|quot|amp|lt|gt|apos);"), _unquoted
)
line_ends = Replacement(re.compile(rb"\n[ \t]*"))
wild_line_ends = Replacement(re.compile(rb"\\?\r?\n[ \t]*"))  # slower: nothing fixed to start from


class ReplacementMap:
    """Where each replaced piece was and is; worked out only once something was found."""

    def __init__(self, data: bytes, kind: Replacement) -> None:
        self._data, self._kind = data, kind
        self._here: list[int] = []
        self._there: list[tuple[int, int]] = []  # a replaced piece's start and end; (start, -1) for what stayed

    def origin(self, start: int, end: int) -> tuple[int, int]:
        if not self._here:
            self._work_out()
        first, offset = self._at(start)
        last, rest = self._at(end - 1)
        return (
            first[0] if first[1] >= 0 else first[0] + offset,
            last[1] if last[1] >= 0 else last[0] + rest + 1,
        )

    def _at(self, position: int) -> tuple[tuple[int, int], int]:
        index = bisect_right(self._here, position) - 1
        return self._there[index], position - self._here[index]

    def _work_out(self) -> None:
        here = last = 0
        self._note(0, (0, -1))
        for piece in self._kind.pattern.finditer(self._data):
            here += piece.start() - last
            last = piece.end()
            if length := self._kind.length(piece):
                self._note(here, piece.span())
                here += length
            self._note(here, (last, -1))

    def _note(self, here: int, there: tuple[int, int]) -> None:
        if self._here and self._here[-1] == here:
            self._there[-1] = there
        else:
            self._here.append(here)
            self._there.append(there)
