"""Who owns and who asks, and the ids everything is known by."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass

ID_LENGTH = 13  # base32 characters: 65 bits, no two alike on any real set of machines


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer that captures, and the User it belongs to."""

    user: str
    name: str


@dataclass(frozen=True, slots=True)
class Reader:
    """The User on whose behalf something is read, with whose runs were shared with them (none yet)."""

    user: str


def derived_id(letter: str, *parts: str) -> str:
    """The same id for the same parts, for ever: capture after losing all state finds the same Run."""
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=10).digest()
    return f"{letter}_{base64.b32encode(digest).decode().lower()[:ID_LENGTH]}"


def random_id(letter: str) -> str:
    return f"{letter}_{base64.b32encode(secrets.token_bytes(10)).decode().lower()[:ID_LENGTH]}"


def run_id(machine: Machine, agent: str, native_id: str) -> str:
    return derived_id("r", machine.user, machine.name, agent, native_id)
