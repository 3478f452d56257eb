"""What is put where a secret was, and how a place in bytes becomes a place in text.

Knows spans; does not know how they were found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memlane.domain.privacy import PRIVATE, UNCLOSED
from memlane.gate.scanner import SecretSpan
from memlane.gate.views import NEVER


@dataclass(frozen=True, slots=True)
class SecretFinding:
    """What kind of secret stands where in a text. Never the secret: this may be logged, journaled and shown."""

    rule: str
    start: int
    end: int


class Markers:
    """`[masked: rule]`, for the rules there are: no other words in brackets are taken for one."""

    def __init__(self, rules: Sequence[str]) -> None:
        self._rank = {rule: rank for rank, rule in enumerate((UNCLOSED, PRIVATE, *rules))}

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        names = "|".join(re.escape(name) for name in self._rank)
        return re.compile(rf"\[masked: (?:{names})\]".encode())

    def hidden(self, data: bytes) -> bytes:
        """The same length, with nothing where a marker is: "token] = …" in one must not name what follows."""
        if b"[masked: " not in data:
            return data
        return self._pattern.sub(lambda found: NEVER * len(found[0]), data)

    def rules_in(self, text: str) -> Iterator[str]:
        """Of each marker in it."""
        if "[masked: " in text:
            yield from (found[0][len(b"[masked: ") : -1].decode() for found in self._pattern.finditer(encoded(text)))

    def settled(self, data: bytes, spans: Iterable[SecretSpan]) -> Sequence[SecretSpan]:
        """In order, none over another, none through a character."""
        return list(self._merged(sorted(_on_characters(data, span) for span in spans)))

    def _merged(self, spans: Iterable[SecretSpan]) -> Iterator[SecretSpan]:
        last: SecretSpan | None = None
        for span in spans:
            if last is None or span.start >= last.end:
                if last:
                    yield last
                last = span
            else:
                rule = min(last.rule, span.rule, key=self._rank.__getitem__)
                last = SecretSpan(last.start, max(last.end, span.end), rule)
        if last:
            yield last


def marker(rule: str) -> str:
    return f"[masked: {rule}]"


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def put(data: bytes, spans: Iterable[SecretSpan]) -> str:
    """The text with a marker for each span, which are in order."""
    pieces: list[bytes] = []
    last = 0
    for span in spans:
        pieces += (data[last : span.start], marker(span.rule).encode())
        last = span.end
    pieces.append(data[last:])
    return b"".join(pieces).decode("utf-8", "surrogatepass")


def as_findings(data: bytes, spans: Iterable[SecretSpan]) -> Iterator[SecretFinding]:
    """Places in the text instead of in its bytes."""
    byte = character = 0
    for span in spans:
        character += _length(data[byte : span.start])
        end = character + _length(data[span.start : span.end])
        yield SecretFinding(span.rule, character, end)
        byte, character = span.end, end


def _length(data: bytes) -> int:
    return len(data.decode("utf-8", "surrogatepass"))


def _on_characters(data: bytes, span: SecretSpan) -> SecretSpan:
    start, end = span.start, span.end
    while 0 < start < len(data) and data[start] & 0xC0 == 0x80:
        start -= 1
    while end < len(data) and data[end] & 0xC0 == 0x80:
        end += 1
    return SecretSpan(start, end, span.rule)
