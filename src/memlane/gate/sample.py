"""One secret of a kind, made up from a seed: for the gate's self-test, the tests and the benchmark.

A recipe is text with `{kind:count}` in it; nothing that looks like a credential is ever written down.
"""

from __future__ import annotations

import random
import re
import string
from dataclasses import dataclass

from memlane.errors import ClosedGateError

_PLACE = re.compile(r"\{([a-zA-Z0-9]+)(?::([^{}]*))?\}")
_ALPHABETS = {
    "d": string.digits,
    "a": string.ascii_lowercase,
    "hex": "0123456789abcdef",
    "an": string.ascii_lowercase + string.digits,
    "AN": string.ascii_uppercase + string.digits,
    "w": string.ascii_letters + string.digits,
    "b64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "_-",
    "crypt": string.ascii_letters + string.digits + "./",
    "b32": string.ascii_uppercase + "234567",
    "age": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "any": string.ascii_letters + string.digits + "!*_-+",
}
_FIXED = {"line": "\n", "bra": "{", "ket": "}", "tick": "`"}
_SYLLABLES = ("ban", "cor", "del", "fin", "gar", "hol", "kim", "lor", "mas", "nup", "pel", "ros", "sut", "tam", "vel")


@dataclass(frozen=True, slots=True)
class SecretSample:
    """A text with one secret in it. The secret is made up, so it may be shown."""

    text: str
    secret: str


def made(recipe: str, seed: int) -> SecretSample:
    chance = random.Random(seed)
    text = _PLACE.sub(lambda place: _grown(place[1], place[2] or "", chance), recipe)
    if "«" not in text:
        return SecretSample(text, text)
    before, secret, after = re.split("[«»]", text)
    return SecretSample(before + secret + after, secret)


def _grown(kind: str, detail: str, chance: random.Random) -> str:
    if kind in _FIXED:
        return _FIXED[kind]
    if kind == "uuid":
        return "-".join(_drawn("hex", count, chance) for count in (8, 4, 4, 4, 12))
    if kind == "phrase":
        return " ".join("".join(chance.choices(_SYLLABLES, k=2)) for _ in range(int(detail)))
    if kind in ("pem", "pemrest"):
        body = "\n".join(_drawn("b64", 64, chance) for _ in range(6))
        head = f"-----BEGIN {detail}-----\n" if kind == "pem" else ""
        return f"{head}{body}\n-----END {detail}-----"
    if kind not in _ALPHABETS:
        raise ClosedGateError(f"a sample of the gate asks for {kind!r}, which nobody can make")
    return _drawn(kind, int(detail), chance)


def _drawn(kind: str, count: int, chance: random.Random) -> str:
    """Random, but never all letters or all digits, and no mark at an end: as issuers make them."""
    alphabet = _ALPHABETS[kind]
    plain = [c for c in alphabet if c.isalnum()]
    while True:
        text = "".join(chance.choices(alphabet, k=count))
        text = (chance.choice(plain) + text[1:-1] + chance.choice(plain))[:count]
        if count < 6 or kind in ("a", "d") or _varied(text, plain):
            return text


def _varied(text: str, plain: list[str]) -> bool:
    has_digit = any(c.isdigit() for c in text[1:-1]) or not any(c.isdigit() for c in plain)
    return has_digit and any(c.isalpha() for c in text)
