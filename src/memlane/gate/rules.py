"""What `rules.toml` says of each rule, spelt out: its parts filled in, its keywords found, every pattern well formed.

That takes longer than most looks do, so `rules.json` has it ready (written by `python -m tools.gate_rules`). It is used
only if both files are, byte for byte, what it was made from; otherwise everything is worked out again.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import msgspec

from memlane.errors import ClosedGateError
from memlane.gate.engine import LazyPattern, PatternMatch, compiled

READY = Path(__file__).with_name("rules.json")
_DIGEST = 64  # characters before the first line ends
_PART = re.compile(r"<<(\w+)>>")
_REPEAT = re.compile(r"\{(\d+)(,\d*)?\}\??")
_OPTION = re.compile(r"(?:\[[^\]]*\]|\(\?:[^()]*\)|[^(])(?:\?|\{0,\d+\})")
_GROUP = re.compile(r"\[[^\]]*\]|\(\?:[^()]*\)")
_GLUE = re.compile(r"[^a-z0-9_-]+")
_CHOICE = re.compile(r"\(\?:([^|()]*)[^()]*\)")
_WORD_AND_NUMBER = re.compile(rb"[A-Za-z]{3,}[0-9]{1,3}[!?#$%*+-]?")
_RELAXED = 8  # a trigger counts no further: long counters are what makes an automaton big


class RuleText(msgspec.Struct, frozen=True):
    """One kind of secret, in words."""

    id: str
    pattern: str
    trigger: str
    tail: str
    keywords: tuple[str, ...]
    sample: str
    family: str
    before: int
    entropy: float
    least: int
    must: tuple[str, ...]
    allow: tuple[str, ...]


class RuleBook(msgspec.Struct, frozen=True):
    """All of them, and the patterns they name as allowed."""

    allow: dict[str, str]
    rules: tuple[RuleText, ...]


def prepared(data: bytes) -> RuleBook | None:
    """What was made ready of exactly these bytes; None: nothing was, or it is not as it was written."""
    try:
        written = READY.read_bytes()
    except FileNotFoundError:
        return None
    digest, body = written[:_DIGEST], written[_DIGEST + 1 :]
    return msgspec.json.decode(body, type=RuleBook) if digest == _digest(data, body) else None


def ready(data: bytes) -> bytes:
    """The whole file, for `prepared` to find."""
    body = msgspec.json.encode(checked(data)) + b"\n"
    return _digest(data, body) + b"\n" + body


def _digest(data: bytes, body: bytes) -> bytes:
    return hashlib.sha256(data + b"\0" + body).hexdigest().encode()


def checked(data: bytes) -> RuleBook:
    """Worked out, and sound: some rules, no two of one name, each of them compiles, each wakes."""
    import tomllib  # noqa: PLC0415 - only where nothing is prepared

    tables = tomllib.loads(data.decode())
    parts = cast(Mapping[str, str], tables["parts"])
    entries = tuple(_entry(entry, parts) for entry in cast(list[dict[str, object]], tables["rule"]))
    if not entries or len({entry.id for entry in entries}) != len(entries):
        raise ValueError("no rules, or two of one name")
    compiled("|".join(relaxed(entry.pattern) for entry in entries), groups=False)  # each is well formed
    return RuleBook(dict(cast(Mapping[str, str], tables["allow"])), entries)


def _entry(entry: dict[str, object], parts: Mapping[str, str]) -> RuleText:
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
    return RuleText(
        id=cast(str, entry["id"]),
        pattern=filled(text, parts),
        trigger=trigger,
        tail=tail,
        keywords=tuple(keywords),
        sample=f'{spoken(near)}_key = "«{entry["sample"]}»"' if near else cast(str, entry["sample"]),
        family=cast(str, entry.get("family", "near" if near else "token")),
        before=cast(int, entry.get("before", 0)),
        entropy=float(cast(float, entry.get("entropy", 0.0))),
        least=cast(int, entry.get("least", 0)),
        must=tuple(cast(list[str], entry.get("must", ["mixed"] if near else []))),
        allow=tuple(cast(list[str], entry.get("allow", []))),
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


_MARKS = frozenset(b"!@#$%^&*+~?")


@dataclass(frozen=True, slots=True)
class SecretRule:
    """One kind of secret."""

    id: str
    pattern: LazyPattern
    trigger: str
    tail: str  # what must follow the trigger; one and the same for all rules of a kind keeps their automaton small
    keywords: tuple[bytes, ...]
    sample: str
    family: str
    before: int = 0
    entropy: float = 0.0
    least: int = 0
    must: tuple[Callable[[bytes], bool], ...] = ()
    allow: tuple[LazyPattern, ...] = ()

    def secret(self, match: PatternMatch, data: bytes) -> tuple[int, int] | None:
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

    all: tuple[SecretRule, ...]
    random: Callable[[bytes], bool]


def load(data: bytes) -> Rules:
    """All the rules or a closed gate: one broken rule is a hole nobody sees."""
    try:
        return _rules(prepared(data) or checked(data))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ClosedGateError(
            f"the gate's rules cannot be read: {type(error).__name__} {error}", hint="reinstall memlane"
        ) from None


def _rules(entries: RuleBook) -> Rules:
    allow = {name: LazyPattern(text) for name, text in entries.allow.items()}

    def random(secret: bytes) -> bool:
        return secret.isascii() and not allow["words"].now.search(secret)

    def said(secret: bytes) -> bool:
        """After "the password is": also `hunter2`, which is a word and a number; not `sha256-based` or `v2/login`."""
        return random(secret) or _WORD_AND_NUMBER.fullmatch(secret.rstrip(b".,;!?")) is not None

    checks: Mapping[str, Callable[[bytes], bool]] = {"mixed": mixed, "symbol": symbol, "random": random, "said": said}
    return Rules(tuple(_rule(entry, allow, checks) for entry in entries.rules), random)


def _rule(
    entry: RuleText, allow: Mapping[str, LazyPattern], checks: Mapping[str, Callable[[bytes], bool]]
) -> SecretRule:
    return SecretRule(
        id=entry.id,
        pattern=LazyPattern(entry.pattern),
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
