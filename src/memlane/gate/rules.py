"""The rules as values: read from `rules.toml`, checked whole before the first text is scanned.

Knows what a rule says and whether a candidate is a secret by it; does not know where candidates come from.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import cast

from memlane.errors import ClosedGateError
from memlane.gate.engine import Later, Match, compiled

_PART = re.compile(r"<<(\w+)>>")
_REPEAT = re.compile(r"\{(\d+)(,\d*)?\}\??")
_OPTION = re.compile(r"(?:\[[^\]]*\]|\(\?:[^()]*\)|[^(])(?:\?|\{0,\d+\})")
_GROUP = re.compile(r"\[[^\]]*\]|\(\?:[^()]*\)")
_GLUE = re.compile(r"[^a-z0-9_-]+")
_CHOICE = re.compile(r"\(\?:([^|()]*)[^()]*\)")
_RELAXED = 8  # a trigger counts no further: long counters are what makes an automaton big
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
    return files("memlane.gate").joinpath("rules.toml").read_bytes()


@dataclass(frozen=True, slots=True)
class Rules:
    """All of them, and what they agree on: whether a word is more than words and counters."""

    all: tuple[Rule, ...]
    random: Callable[[bytes], bool]


def load(data: bytes) -> Rules:
    """All the rules or a closed gate: one broken rule is a hole nobody sees."""
    try:
        tables = tomllib.loads(data.decode())
        return _rules(tables)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClosedGateError(
            f"the gate's rules cannot be read: {type(error).__name__} {error}", hint="reinstall memlane"
        ) from None


def _rules(tables: Mapping[str, object]) -> Rules:
    parts = cast(Mapping[str, str], tables["parts"])
    allow = {name: Later(text) for name, text in cast(Mapping[str, str], tables["allow"]).items()}

    def random(secret: bytes) -> bool:
        return secret.isascii() and not allow["words"].now.search(secret)

    checks: Mapping[str, Callable[[bytes], bool]] = {"mixed": mixed, "symbol": symbol, "random": random}
    entries = cast(list[dict[str, object]], tables["rule"])
    rules = tuple(_rule(entry, parts, allow, checks) for entry in entries)
    if not rules or len({rule.id for rule in rules}) != len(rules):
        raise ValueError("no rules, or two of one name")
    compiled("|".join(relaxed(rule.pattern.text) for rule in rules), groups=False)  # each is well formed
    return Rules(rules, random)


def _rule(
    entry: dict[str, object],
    parts: Mapping[str, str],
    allow: Mapping[str, Later],
    checks: Mapping[str, Callable[[bytes], bool]],
) -> Rule:
    near = cast(str, entry.get("near", ""))
    if near:
        text = f"(?i)(?:{near}){parts['assign']}({entry['value']}){parts['end']}"
        trigger, tail = f"(?i:{near})", parts["assign"] + parts["near"]
    else:
        text = cast(str, entry["regex"])
        trigger, tail = relaxed(filled(cast(str, entry.get("trigger", text)), parts)), ""
    keywords = cast(list[str], entry.get("keywords")) or literals(near)
    if not all(keywords):
        raise ValueError(f"nothing wakes {entry['id']}")
    return Rule(
        id=cast(str, entry["id"]),
        pattern=Later(filled(text, parts)),
        trigger=trigger,
        tail=tail,
        keywords=tuple(keyword.encode() for keyword in keywords),
        sample=f'{spoken(near)}_key = "«{entry["sample"]}»"' if near else cast(str, entry["sample"]),
        family=cast(str, entry.get("family", "near" if near else "token")),
        before=cast(int, entry.get("before", 0)),
        entropy=float(cast(float, entry.get("entropy", 0.0))),
        least=cast(int, entry.get("least", 0)),
        must=tuple(checks[name] for name in cast(list[str], entry.get("must", ["mixed"] if near else []))),
        allow=tuple(allow[name] for name in cast(list[str], entry.get("allow", []))),
    )


def filled(text: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda part: filled(parts[part[1]], parts), text)


def relaxed(text: str) -> str:
    """A pattern that matches wherever `text` does, and counts no further than it must: small and fast."""

    def looser(repeat: re.Match[str]) -> str:
        least, most = int(repeat[1]), repeat[2]
        top = least if most is None else int(most[1:] or 1 << 30)
        return repeat[0] if max(least, top) <= _RELAXED else f"{{{min(least, _RELAXED)},}}?"

    return _REPEAT.sub(looser, text)


def spoken(near: str) -> str:
    """A name the first of these alternatives would take."""
    return _CHOICE.sub(r"\1", _OPTION.sub("", _alternatives(near)[0]))


def literals(near: str) -> list[str]:
    """The longest plain piece of each alternative: what must be there for the rule to be worth a try."""
    plain = (_GROUP.sub("|", _OPTION.sub("|", one)) for one in _alternatives(near))
    return [max(_GLUE.split(one), key=len) for one in plain]


def _alternatives(near: str) -> list[str]:
    depth, pieces = 0, [""]
    for character in near:
        depth += (character == "(") - (character == ")")
        if character == "|" and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return pieces
