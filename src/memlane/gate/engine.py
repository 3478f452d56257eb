"""RE2 decides what is a secret, nothing else does: linear time on whatever it is given.

Knows how to compile a pattern on bytes; knows no pattern. Where RE2 is not installed, nothing passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from memlane.errors import ClosedGateError

_ALWAYS = b"\xff\xfe"
MEMORY = 32 << 20  # for one pattern's automaton; the three big ones use a tenth of it on ordinary text


class PatternMatch(Protocol):
    """What was found, in bytes."""

    def start(self, group: int = 0) -> int: ...

    def end(self, group: int = 0) -> int: ...

    def span(self, group: int = 0) -> tuple[int, int]: ...

    def __getitem__(self, group: int) -> bytes | None: ...


class Pattern(Protocol):
    """A compiled pattern over bytes."""

    @property
    def groups(self) -> int: ...

    def search(self, text: bytes, pos: int | None = None, endpos: int | None = None) -> PatternMatch | None: ...

    def match(self, text: bytes, pos: int | None = None, endpos: int | None = None) -> PatternMatch | None: ...

    def finditer(self, text: bytes, pos: int | None = None, endpos: int | None = None) -> Iterator[PatternMatch]: ...


class LazyPattern:
    """A pattern compiled when it is first needed: of three hundred rules a text wakes two or three."""

    __slots__ = ("_compiled", "groups", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.groups = 0
        self._compiled: Pattern | None = None

    @property
    def now(self) -> Pattern:
        if self._compiled is None:
            pattern = compiled(self.text)
            self.groups = pattern.groups  # first: another thread may be waiting for the pattern
            self._compiled = pattern
        return self._compiled


def compiled(pattern: str, *, groups: bool = True) -> Pattern:
    """Bytes in, bytes out: positions need no translation and half a character is no error."""
    engine = _engine()
    try:
        return cast(Pattern, engine.compile(pattern.encode("latin-1"), _options(engine, groups=groups)))
    except (engine.error, UnicodeEncodeError) as error:
        raise ClosedGateError(f"a pattern of the gate does not compile: {error}") from None


class WordSet:
    """Which of many words are in some bytes, in one look.

    A set that ran out of memory answers "none" like one that found none, so one word is always there to be found.
    """

    def __init__(self, words: Sequence[bytes]) -> None:
        engine = _engine()
        self._always = len(words)
        self._set = engine.Set.SearchSet(_options(engine, groups=False))
        for word in (*words, _ALWAYS):
            self._set.Add(engine.escape(word))
        self._set.Compile()

    def found(self, text: bytes) -> Sequence[int]:
        found = cast(list[int], self._set.Match(text + _ALWAYS) or [])
        if self._always not in found:
            raise ClosedGateError("the secret scanner ran out of memory")
        found.remove(self._always)
        return found


def _engine() -> Any:  # it ships no types
    try:
        return import_module("re2")
    except ImportError:  # an incomplete install closes the gate; it must not crash whoever imports this room
        raise ClosedGateError("the secret scanner's engine is not installed", hint="pip install google-re2") from None


def _options(engine: Any, *, groups: bool) -> Any:
    options = engine.Options()
    options.encoding = engine.Options.Encoding.LATIN1
    options.max_mem = MEMORY
    options.log_errors = False
    options.never_capture = not groups
    return options
