"""A terminal's bytes as keys (`a`, `<up>`, `<f1>`), and one key at a time without Enter."""

from __future__ import annotations

import codecs
import os
import re
import select
import sys
import termios
import tty
from collections.abc import Callable, Container, Generator, Iterator
from contextlib import contextmanager

_PASTE = (b"\x1b[200~", b"\x1b[201~")
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\[O\x1b])")
_UNFINISHED = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?\Z")
_SHIFTED = {b"2": "shift-", b"5": "ctrl-"}
_LETTERS = {b"A": "up", b"B": "down", b"C": "right", b"D": "left", b"H": "home", b"F": "end", b"Z": "backtab"}
_NUMBERS = {b"1": "home", b"3": "delete", b"4": "end", b"5": "pageup", b"6": "pagedown", b"7": "home", b"8": "end"}
_CONTROLS = {"\r": "<enter>", "\n": "<enter>", "\t": "<tab>", "\x7f": "<backspace>", "\x08": "<backspace>"}


class Keys:
    """What came so far: half a character or half a sequence waits for its other half."""

    def __init__(self) -> None:
        self._bytes = b""
        self._text = codecs.getincrementaldecoder("utf-8")("ignore")

    @property
    def unfinished(self) -> bool:
        return bool(self._bytes)

    def came(self, data: bytes) -> Iterator[str]:
        self._bytes += data
        while self._bytes:
            if self._bytes.startswith(_PASTE[0]):
                pasted, end, rest = self._bytes[len(_PASTE[0]) :].partition(_PASTE[1])
                if not end:
                    return
                self._bytes = rest
                yield from " ".join(pasted.decode("utf-8", "ignore").split())
            elif self._bytes[0] == 0x1B:
                found = _SEQUENCE.match(self._bytes)
                if found is None:
                    if _UNFINISHED.match(self._bytes):
                        return
                    yield from self.nothing_more()
                    continue
                self._bytes = self._bytes[found.end() :]
                yield from _named(found[0])
            else:
                plain, escape, rest = self._bytes.partition(b"\x1b")
                self._bytes = escape + rest
                yield from (_key(character) for character in self._text.decode(plain))

    def nothing_more(self) -> Iterator[str]:
        """Nothing followed in time: an escape was the key itself."""
        if self._bytes.startswith(b"\x1b"):
            self._bytes = self._bytes[1:]
            yield "<esc>"
            yield from self.came(b"")


def _key(character: str) -> str:
    if character in _CONTROLS:
        return _CONTROLS[character]
    return character if character >= " " else f"<ctrl-{chr(ord(character) + 96)}>"


def _named(sequence: bytes) -> Iterator[str]:
    """Those we have a use for; the rest is passed over."""
    found = re.fullmatch(rb"\x1b[\[O](?:(\d+)?(?:;(\d+))?)([A-Z~])", sequence)
    if found is None:
        if sequence == b"\x1b\x7f":
            yield "<ctrl-w>"
        return
    name = _NUMBERS.get(found[1] or b"") if found[3] == b"~" else _LETTERS.get(found[3])
    if found[3] == b"P" or found[1] == b"11":
        name = "f1"
    if name:
        yield f"<{_SHIFTED.get(found[2] or b'', '')}{name}>"


GONE = "<gone>"  # nobody is at the terminal any more
ENOUGH = ("q", GONE, "<esc>", "<ctrl-c>", "<ctrl-d>")


class Keyboard:
    """The person's keys, the terminal theirs again between two of them."""

    def __init__(self) -> None:
        self._keys = Keys()
        self._waiting: list[str] = []

    def one_of(self, wanted: Container[str]) -> str:
        """The next key that means something here; "" when they have had enough."""
        while True:
            key = self._next().lower()
            if key in wanted:
                return key
            if key in ENOUGH:
                return ""

    def _next(self) -> str:
        while not self._waiting:
            data = _read()
            if not data:
                return GONE
            self._waiting += [*self._keys.came(data), *(self._keys.nothing_more() if self._keys.unfinished else ())]
        return self._waiting.pop(0)


def _read() -> bytes:
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    tty.setraw(number, termios.TCSADRAIN)
    try:
        return os.read(number, 256)
    except OSError:
        return b""
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


@contextmanager
def key_by_key() -> Generator[None, None, None]:
    """Around a question: what was typed before it is no answer to it, and a quick key after it is not lost."""
    terminal = sys.stdin.fileno()
    try:
        before = termios.tcgetattr(terminal)
    except termios.error:  # no terminal
        yield
        return
    tty.setcbreak(terminal, termios.TCSAFLUSH)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


ESCAPE = "\x1b"
ARROW = "<arrow>"  # or another key that sends more than itself
ESCAPE_WAIT = 0.05  # seconds after which an escape is a key of its own


@contextmanager
def pressed() -> Generator[Callable[[], str], None, None]:
    """Gives the next key; an escape when the terminal is gone."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield lambda: _next(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _next(terminal: int) -> str:
    key = os.read(terminal, 1).decode("latin-1")
    if key == ESCAPE and select.select([terminal], [], [], ESCAPE_WAIT)[0]:
        while not (more := os.read(terminal, 1)).isalpha() and more not in (b"", b"~"):
            pass
        return ARROW
    return (key or ESCAPE).lower()
