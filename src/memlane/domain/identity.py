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
class Loan:
    """What the Grants that hold now open of one User's things: these Runs whole, and these Memories."""

    owner: str
    runs: frozenset[str] = frozenset()
    memories: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Reader:
    """The User on whose behalf something is read. With a Loan they are a guest, who sees what it names and nothing else
    of its owner's things."""

    user: str
    loan: Loan | None = None


def derived_id(letter: str, *parts: str) -> str:
    """The same id for the same parts, for ever: capture after losing all state finds the same Run."""
    digest = hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=10).digest()
    return f"{letter}_{base64.b32encode(digest).decode().lower()[:ID_LENGTH]}"


def random_id(letter: str) -> str:
    return f"{letter}_{base64.b32encode(secrets.token_bytes(10)).decode().lower()[:ID_LENGTH]}"


def run_id(machine: Machine, agent: str, native_id: str) -> str:
    return derived_id("r", machine.user, machine.name, agent, native_id)
