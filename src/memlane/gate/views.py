"""The other ways to read the same bytes: unescaped, decoded, with nothing invisible in them.

A View knows which bytes of its origin any part of it stands for. It knows nothing of secrets.
"""

from __future__ import annotations

import binascii
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memlane.gate import replacement
from memlane.gate.engine import Pattern, compiled

# Base64 of readable text, four characters for three bytes: the top bit of each byte is 0 and none is a control
# character but NUL, tab and line ends, so most characters cannot stand in most places, and a picture, a hash or a path
# is passed over without decoding anything.
_QUAD = "[ACDI-Za-f][AC-HQS-Xgi-nwyz0-3](?:[BFJNRVZdhlptx159][A-Za-z0-9+/_-]|[AEIMQUYcgkosw048][AJKNg-z0-9+/_-])"
_GZIP = "H4sI"  # how a gzip file starts in base64
_BASE64 = rf"(?:{_QUAD}(?:\r?\n[ \t]*)?){{5,}}|{_GZIP}[A-Za-z0-9+/_-]{{20,}}"
_HEX = r"(?:(?:[2-7][0-9a-fA-F]|0[9aAdD])[ :]?){12,}"
_SPACED = r"(?:[!-~](?: |   )){12,}[!-~]"
_QUOTED = "%[2-7][0-9a-fA-F]|&(?:#[xX]?[0-9a-fA-F]{2}|quot;|amp;|lt;|gt;|apos;)"
_PRIVATE = r"(?i:<|\\u003c|&lt;|%3c)/?(?i:private)"
_ANY = "|".join((_PRIVATE, _BASE64, _HEX, _SPACED, _QUOTED, replacement.ODD))
# A line end inside something that may be a secret: on one side at least, a digit and a letter are in the same word.
_WORD = r"[0-9A-Za-z_/+=.~!@$%^&*-]"
_MIXED = rf"(?:[A-Za-z]{_WORD}*[0-9]|[0-9]{_WORD}*[A-Za-z])"
_END = r"\\?\r?\n[ \t]*"
_GOES_ON = rf"{_MIXED}{_WORD}*{_END}{_WORD}|{_WORD}{_END}{_WORD}*{_MIXED}"
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_STANDARD = bytes.maketrans(b"-_", b"+/")
_UNPACKED = 1 << 20  # of a compressed blob no more than this is looked at
_WIDTH = 1 << 13  # how far around the readable part of a run its token may reach


Origin = Callable[[int, int], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ByteView:
    """Other bytes for the same text, and the way back."""

    data: bytes
    origin: Origin
    complete: bool = True  # or only the lines that differ
    part: bool = False  # one encoded word of many; the same word elsewhere is another part


class Views:
    """Every other reading of some bytes that differs from them."""

    def __init__(self) -> None:
        self._base64: Pattern = compiled(_BASE64, groups=False)
        self._hex: Pattern = compiled(_HEX, groups=False)
        self._spaced: Pattern = compiled(_SPACED, groups=False)
        self._odd: Pattern = compiled(replacement.ODD, groups=False)
        self._quoted: Pattern = compiled(_QUOTED, groups=False)
        self._any: Pattern = compiled(_ANY, groups=False)
        self._goes_on: Pattern = compiled(_GOES_ON, groups=False)

    def odd_place(self, data: bytes, start: int) -> int:
        """The first place where a rarer view or a `<private>` could give anything, or -1: one pass instead of seven."""
        found = self._any.search(data, start)
        return found.start() if found else -1

    def of(self, data: bytes, *, rarer: bool) -> Iterator[ByteView]:
        yield from _changed_lines(data, replacement.escapes, _backslash)
        if rarer:
            yield from self._unseen(data)
            yield from _changed_lines(data, replacement.quotes, _first(self._quoted))
            yield from self._encoded(data)

    def _unseen(self, data: bytes) -> Iterator[ByteView]:
        if self._odd.search(data):
            for kind in (replacement.unseen, replacement.tags):
                if (changed := kind.apply(data)) != data:
                    yield ByteView(changed, replacement.ReplacementMap(data, kind).origin)

    def _encoded(self, data: bytes) -> Iterator[ByteView]:
        for run in self._base64.finditer(data):
            yield from _from_base64(data, *run.span())
        for run in self._hex.finditer(data):
            yield from _from_hex(data, *run.span())
        for run in self._spaced.finditer(data):
            start, end = run.span()
            closed = data[start:end].replace(b"   ", b"\n").replace(b" ", b"")  # three were a space between two
            yield _whole(closed.replace(b"\n", b" "), start, end)

    def as_one_line(self, data: bytes) -> Iterator[ByteView]:
        """Lines that may go on in the next, joined, indentation gone: what a terminal or a mail wrapped."""
        part = line_pairs(data, self._goes_on)
        if part.here:
            wild = b"\r" in part.data or b"\\\n" in part.data
            kind = replacement.wild_line_ends if wild else replacement.line_ends
            yield ByteView(
                kind.apply(part.data), _through(replacement.ReplacementMap(part.data, kind).origin, part.origin)
            )


def _changed_lines(
    data: bytes, kind: replacement.Replacement, first: Callable[[bytes, int], int]
) -> Iterator[ByteView]:
    """Only the lines that change: the others were read already."""
    part = lines_with(data, first)
    changed = kind.apply(part.data)
    if changed != part.data:
        yield ByteView(
            changed, _through(replacement.ReplacementMap(part.data, kind).origin, part.origin), complete=False
        )


def _through(first: Origin, second: Origin) -> Origin:
    return lambda start, end: second(*first(start, end))


def _backslash(data: bytes, start: int) -> int:
    return data.find(b"\\", start)


def _first(pattern: Pattern) -> Callable[[bytes, int], int]:
    def find(data: bytes, start: int) -> int:
        found = pattern.search(data, start)
        return found.start() if found else -1

    return find


def _whole(data: bytes, start: int, end: int) -> ByteView:
    """Of something encoded, all goes if anything in it must."""
    return ByteView(data, lambda _start, _end: (start, end), part=True)


def _from_base64(data: bytes, start: int, end: int) -> Iterator[ByteView]:
    end = start + len(data[start:end].rstrip())
    end += len(data[end : end + 3]) - len(data[end : end + 3].lstrip(_ALPHABET))
    lines = data[start:end].split(b"\n")
    if len(lines) == 1 or _wrapped(lines, data[end : end + 1]):
        yield _decoded(data, start, end)
        return
    for line in lines:  # that only look as if they belonged together
        yield _decoded(data, start, start + len(line))
        start += len(line) + 1


def _wrapped(lines: list[bytes], behind: bytes) -> bool:
    """Lines of one length, the last not longer, and nothing behind it but its padding."""
    lengths = [len(line.strip()) for line in lines]
    return len(set(lengths[:-1])) == 1 and lengths[-1] <= lengths[0] and behind in b"=\r\n\"'"


def _decoded(data: bytes, start: int, end: int) -> ByteView:
    run = bytes(data[start:end].translate(_STANDARD, b"\r\n \t"))
    run = run[: len(run) - (len(run) % 4 == 1)]
    decoded = binascii.a2b_base64(run + b"=" * (-len(run) % 4))
    if decoded.startswith(b"\x1f\x8b"):
        decoded = _unpacked(decoded)
    decoded = decoded.replace(b"\0", b"")  # UTF-16 of ASCII has one in every two
    return ByteView(decoded, lambda _start, _end: _token(data, start, end), part=True)


def _unpacked(packed: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(packed, _UNPACKED)
    except zlib.error:
        return b""  # only looked like gzip; the text around it is scanned as it stands


def _from_hex(data: bytes, start: int, end: int) -> Iterator[ByteView]:
    run = data[start:end].rstrip(b" :")
    yield _whole(bytes.fromhex(run.translate(None, b" :").decode()), start, start + len(run))


def _token(data: bytes, start: int, end: int) -> tuple[int, int]:
    """The whole run of base64 around its readable part, padding included."""
    left, right = data[max(0, start - _WIDTH) : start], data[end : end + _WIDTH]
    after = right.lstrip(_ALPHABET)
    end += len(right) - len(after)
    end += len(after[:2]) - len(after[:2].lstrip(b"="))
    return start - len(left) + len(left.rstrip(_ALPHABET)), end


REACH = 2048  # of a line, what is further from the place looked at is left out
NEVER = b"\xff"  # no text has this byte, no rule runs over it


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`here[i]` is where the line that started at `there[i]` starts now."""

    data: bytes
    here: list[int]
    there: list[int]

    def origin(self, start: int, end: int) -> tuple[int, int]:
        return self._back(start), self._back(end - 1) + 1

    def _back(self, position: int) -> int:
        index = bisect_right(self.here, position) - 1
        return self.there[index] + position - self.here[index]


def lines_with(data: bytes, first: Callable[[bytes, int], int]) -> Excerpt:
    """The lines in which `first` finds something, from its first hit at or after a position on."""
    lines: list[bytes] = []
    here: list[int] = []
    there: list[int] = []
    size = position = 0
    while position < len(data) and (hit := first(data, position)) >= 0:
        start = data.rfind(b"\n", position, hit) + 1 or position
        end = data.find(b"\n", hit)
        end = len(data) if end < 0 else end
        lines.append(data[start:end])
        here.append(size)
        there.append(start)
        size += end - start + 1
        position = end + 1
    return Excerpt(b"\n".join(lines), here, there)


def line_pairs(data: bytes, border: Pattern) -> Excerpt:
    """Each line on whose end `border` matches with the line after it, and each chain of such lines as a whole.

    Each by itself, because what a pair is followed by in a chain may hide where a secret in it ends.
    """
    pairs: list[tuple[int, int]] = []
    chains: list[tuple[int, int]] = []
    hit = border.search(data)
    while hit:
        first, last = hit.span()
        start = max(data.rfind(b"\n", 0, first) + 1, first - REACH)
        end = data.find(b"\n", last, last + REACH)
        end = min(len(data), last + REACH) if end < 0 else end
        chained = bool(pairs) and start <= pairs[-1][1]
        chains.append((chains.pop()[0] if chained else start, end))
        pairs.append((start, end))
        hit = border.search(data, data.find(b"\n", first, last) + 1)
    return _of(data, [*pairs, *(chain for chain in chains if chain not in pairs)])


def _of(data: bytes, ranges: list[tuple[int, int]]) -> Excerpt:
    here: list[int] = []
    size = 0
    for start, end in ranges:
        here.append(size)
        size += end - start + len(NEVER)
    return Excerpt(NEVER.join(data[start:end] for start, end in ranges), here, [start for start, _ in ranges])
