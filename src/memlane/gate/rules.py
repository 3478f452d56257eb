"""The rules as values: what `rules.toml` says, checked whole before the first text is scanned.

Knows what a rule says and whether a candidate is a secret by it; does not know where candidates come from.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memlane.errors import ClosedGateError
from memlane.gate.engine import Later, Match
from memlane.gate.entries import Entries, Entry, checked, prepared

_MARKS = frozenset(b"!@#$%^&*+~?")


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of secret."""

    id: str
    pattern: Later
    trigger: str
    tail: str  # what must follow the trigger; one and the same for all rules of a kind keeps their automaton small
    keywords: tuple[bytes, ...]
    sample: str
    family: str
    before: int = 0
    entropy: float = 0.0
    least: int = 0
    must: tuple[Callable[[bytes], bool], ...] = ()
    allow: tuple[Later, ...] = ()

    def secret(self, match: Match, data: bytes) -> tuple[int, int] | None:
        """Where the secret is in this match, if it is one."""
        spans = (match.span(group) for group in range(1, self.pattern.groups + 1))
        start, end = next((span for span in spans if span[0] >= 0), match.span())
        return (start, end) if self._holds(data[start:end]) else None

    def _holds(self, secret: bytes) -> bool:
        return (
            len(secret) >= self.least
            and all(holds(secret) for holds in self.must)
            and entropy(secret) >= self.entropy
            and not self.allows(secret)
        )

    def allows(self, text: bytes) -> bool:
        """Whether this is one of the things that stand where a secret would."""
        return any(allowed.now.search(text) for allowed in self.allow)


def entropy(secret: bytes) -> float:
    """Bits per character, after Shannon."""
    total = len(secret)
    return -sum(n / total * math.log2(n / total) for n in Counter(secret).values())


def mixed(secret: bytes) -> bool:
    return any(48 <= c <= 57 for c in secret) and any(65 <= c <= 90 or 97 <= c <= 122 for c in secret)


def symbol(secret: bytes) -> bool:
    return any(48 <= c <= 57 or c in _MARKS for c in secret)


def source() -> bytes:
    return Path(__file__).with_name("rules.toml").read_bytes()


@dataclass(frozen=True, slots=True)
class Rules:
    """All of them, and what they agree on: whether a word is more than words and counters."""

    all: tuple[Rule, ...]
    random: Callable[[bytes], bool]


def load(data: bytes) -> Rules:
    """All the rules or a closed gate: one broken rule is a hole nobody sees."""
    try:
        return _rules(prepared(data) or checked(data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClosedGateError(
            f"the gate's rules cannot be read: {type(error).__name__} {error}", hint="reinstall memlane"
        ) from None


def _rules(entries: Entries) -> Rules:
    allow = {name: Later(text) for name, text in entries.allow.items()}

    def random(secret: bytes) -> bool:
        return secret.isascii() and not allow["words"].now.search(secret)

    checks: Mapping[str, Callable[[bytes], bool]] = {"mixed": mixed, "symbol": symbol, "random": random}
    return Rules(tuple(_rule(entry, allow, checks) for entry in entries.rules), random)


def _rule(entry: Entry, allow: Mapping[str, Later], checks: Mapping[str, Callable[[bytes], bool]]) -> Rule:
    return Rule(
        id=entry.id,
        pattern=Later(entry.pattern),
        trigger=entry.trigger,
        tail=entry.tail,
        keywords=tuple(keyword.encode() for keyword in entry.keywords),
        sample=entry.sample,
        family=entry.family,
        before=entry.before,
        entropy=entry.entropy,
        least=entry.least,
        must=tuple(checks[name] for name in entry.must),
        allow=tuple(allow[name] for name in entry.allow),
    )
