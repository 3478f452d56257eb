"""Tokens of Central: what a machine shows at the door, and the codes a person types once to get one.

`lanem_` + 33 base62 characters (192 random bits) + 6 base62 characters of CRC-32: a typo is told apart from a stranger
without looking anything up, and secret scanners know the shape. Only hashes are ever stored.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import zlib

MACHINE = "m"  # the kind of token that ships, and reads what its owner may read
SHIPPER = "s"  # ships, and reads nothing
KINDS = frozenset({MACHINE, SHIPPER})
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_RANDOM, _SUM, _BITS = 33, 6, 192
TOKEN = re.compile(r"lane([a-z])_([0-9A-Za-z]{33})([0-9A-Za-z]{6})")
# What a person types: no letters that look like another, in groups of four.
_CODE = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 4, 4


def new_token(kind: str = MACHINE) -> str:
    body = f"lane{kind}_{_base62(secrets.randbits(_BITS), _RANDOM)}"
    return body + _sum(body)


def kind_of(token: str) -> str:
    """Its letter; "" for what is no token: mistyped, cut off, or something else."""
    found = TOKEN.fullmatch(token)
    if found is None or found[1] not in KINDS or _sum(token[:-_SUM]) != found[3]:
        return ""
    return found[1]


def hash_of(secret: str) -> str:
    """192 random bits need no slow hash, and a lookup by hash needs no constant time."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_code() -> str:
    return "-".join("".join(secrets.choice(_CODE) for _ in range(_GROUP)) for _ in range(_GROUPS))


def plain_code(typed: str) -> str:
    """As it was made, however it was typed."""
    letters = re.sub(r"[^a-z0-9]", "", typed.lower())
    return "-".join(letters[start : start + _GROUP] for start in range(0, len(letters), _GROUP))


def _sum(body: str) -> str:
    return _base62(zlib.crc32(body.encode()), _SUM)


def _base62(number: int, length: int) -> str:
    digits = list[str]()
    for _ in range(length):
        number, digit = divmod(number, 62)
        digits.append(_DIGITS[digit])
    return "".join(reversed(digits))
