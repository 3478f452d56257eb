"""What is no secret and still says who somebody is: masked where a Run is given to strangers, and only there."""

from __future__ import annotations

import re
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
Rule = tuple[re.Pattern[str], Callable[[re.Match[str]], str]]


class PersonalData:
    """The rules, and the names of these people and machines."""

    def __init__(self, names: Sequence[str]) -> None:
        own = {name for name in names if len(name) >= SHORTEST_NAME and name.lower() not in COMMON}
        known = "|".join(re.escape(name) for name in sorted(own, key=len, reverse=True))
        named = re.compile(rf"(?<![A-Za-z0-9]){'(?:' + known + ')' if known else '(?!)'}(?![A-Za-z0-9])", re.IGNORECASE)
        self._rules: tuple[Rule, ...] = (
            (_EMAIL, lambda _found: marker("e-mail")),
            (_HOME, lambda found: found["before"] + marker("home-folder")),
            (_SLUG_HOME, lambda found: found["before"] + marker("home-folder")),
            (_ADDRESS, lambda found: found[0] if found[0] in _SHARED else marker("ip-address")),
            (_PHONE, lambda _found: marker("phone")),
            (named, lambda _found: marker("own-name")),
        )

    def masked(self, value: T) -> T:
        """Every string in it."""
        texts = (self._text(leaf.text) for leaf in leaves_of(value))
        return cast(T, rebuilt(value, texts.__next__))

    def _text(self, text: str) -> str:
        for pattern, put in self._rules:
            text = pattern.sub(put, text)
        return text
