"""What is no secret and still says who somebody is: masked where a Run is given to strangers, and only there.

The same person, address or folder gets the same number everywhere, so that a reader can still tell two people apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from memlane.gate.mask import marker
from memlane.gate.strings import leaves_of, rebuilt

T = TypeVar("T")
SHORTEST_NAME = 3  # characters: a shorter user name is a part of too many words
COMMON = frozenset({"root", "home", "user", "users", "admin", "ubuntu", "debian", "dev", "localhost", "vm", "test"})
_EMAIL = re.compile(r"(?!git@)\b[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,4}\.[A-Za-z]{2,12}")
_HOME = re.compile(r"(?P<before>(?:/home/|/Users/|[A-Za-z]:\\+Users\\+))(?P<who>[^/\\\s\"':]{1,64})")
_SLUG_HOME = re.compile(r"(?P<before>-(?:home|Users)-)(?P<who>[A-Za-z0-9_.]{1,64})(?=-)")
_ADDRESS = re.compile(r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?!\.?\d)")
_PHONE = re.compile(r"(?<![\w.+-])\+\d{1,3}[ .-]?(?:\(?\d{2,5}\)?[ .-]?){2,4}\d{2,5}(?![\w-])")
_SHARED = frozenset({"127.0.0.1", "0.0.0.0", "255.255.255.255"})
_NOBODY = re.compile(r"no-?reply@(?!users\b)", re.IGNORECASE)
MARKED = re.compile(r"\[masked: (?P<rule>[a-z0-9-]+)(?: (?P<number>\d+))?\]")
Rule = tuple[str, re.Pattern[str]]
SecondLook = Callable[[str], Sequence[tuple[int, int, str]]]  # where something personal stands, and what it is


def _nothing(_text: str) -> Sequence[tuple[int, int, str]]:
    return ()


class PersonalData:
    """The rules, the names of these people and machines, and whoever looks once more at what the rules leave."""

    def __init__(self, names: Sequence[str], second_look: SecondLook = _nothing) -> None:
        self._second_look = second_look
        self._counts = Counter[str]()  # of different words, for each rule
        self._known = dict[tuple[str, str], int]()  # rule and words → number
        self._words = dict[tuple[str, int], str]()
        own = {name for name in names if len(name) >= SHORTEST_NAME and name.lower() not in COMMON}
        known = "|".join(re.escape(name) for name in sorted(own, key=len, reverse=True))
        named = re.compile(rf"(?<![A-Za-z0-9]){'(?:' + known + ')' if known else '(?!)'}(?![A-Za-z0-9])", re.IGNORECASE)
        self._rules: tuple[Rule, ...] = (
            ("e-mail", _EMAIL),
            ("home-folder", _HOME),
            ("home-folder", _SLUG_HOME),
            ("ip-address", _ADDRESS),
            ("phone", _PHONE),
            ("own-name", named),
        )

    def masked(self, value: T) -> T:
        """Every string in it."""
        texts = (self._text(leaf.text) for leaf in leaves_of(value))
        return cast(T, rebuilt(value, texts.__next__))

    def shown(self, text: str) -> str:
        """As it was before, for its owner's eyes; a secret stays masked."""
        return MARKED.sub(lambda found: self._words.get((found["rule"], int(found["number"] or 0)), found[0]), text)

    def _text(self, text: str) -> str:
        for rule, pattern in self._rules:
            text = pattern.sub(lambda found, rule=rule: self._put(rule, found), text)
        for start, end, rule in sorted(self._second_look(text), reverse=True):
            if MARKED.search(text[start:end]) is None:
                text = text[:start] + self._marker(rule, text[start:end]) + text[end:]
        return text

    def _put(self, rule: str, found: re.Match[str]) -> str:
        before = found.groupdict().get("before") or ""
        words = found[0][len(before) :]
        return found[0] if words in _SHARED or _NOBODY.match(words) else before + self._marker(rule, words)

    def _marker(self, rule: str, words: str) -> str:
        known = (rule, words.casefold())
        if known not in self._known:
            self._counts[rule] += 1
            self._known[known] = self._counts[rule]
            self._words[rule, self._counts[rule]] = words
        return marker(f"{rule} {self._known[known]}")
