"""The rules woken by what is in the bytes: one automaton per family looks, the rules it woke decide.

Knows nothing of encodings (that is `views`) and nothing of what happens to what is found (`mask`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memlane.gate.engine import Match, Pattern, Words, compiled
from memlane.gate.rules import Rule

LONG = 512  # a hit this long that was no secret is not looked into again: work stays linear
NEARBY = 48  # of several rules that would match here the shortest made the hit; the others' keywords are close
AFTER = 1100  # how far behind its trigger a rule that starts before it may end


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A secret's place, in bytes. Never the secret."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Family:
    """Rules that look alike enough to be looked for in one pass."""

    trigger: Pattern
    words: Words
    rules: Sequence[Sequence[Rule]]  # those a word wakes

    def spans(self, data: bytes) -> list[Span]:
        found: list[Span] = []
        refused: dict[str, int] = {}
        hit, position = self.trigger.search(data), 0
        while hit:
            start, end = hit.span()
            reached = start
            for rule, match in self._woken(data, hit, position, refused):
                if secret := rule.secret(match, data):
                    found.append(Span(*secret, rule.id))
                    reached = max(reached, match.end())
                else:
                    refused[rule.id] = match.end()
            if reached == start and end - start > LONG:
                reached = end
            position = max(reached, start + 1)
            hit = self.trigger.search(data, position)
        return found

    def _woken(self, data: bytes, hit: Match, floor: int, refused: Mapping[str, int]) -> Iterator[tuple[Rule, Match]]:
        """Not a rule that refused what it saw here: one long non-secret is weighed once, not at each of its bytes."""
        start, end = hit.span()
        for index in self.words.found(data[start : end + NEARBY].lower()):
            for rule in self.rules[index]:
                if refused.get(rule.id, 0) > start:
                    continue
                match = _around(rule, data, hit, floor) if rule.before else rule.pattern.now.match(data, start)
                if match:
                    yield rule, match


def _around(rule: Rule, data: bytes, hit: Match, floor: int) -> Match | None:
    """The match this hit is part of, none that ended before it or starts behind it."""
    start, end = hit.span()
    match = rule.pattern.now.search(data, max(floor, start - rule.before), end + AFTER)
    while match and match.end() <= start:
        match = rule.pattern.now.search(data, match.end(), end + AFTER)
    return match if match and match.start() <= start else None


def families(rules: Iterable[Rule]) -> tuple[Family, ...]:
    grouped: dict[str, list[Rule]] = {}
    for rule in rules:
        grouped.setdefault(rule.family, []).append(rule)
    return tuple(_family(group) for group in grouped.values())


def _family(rules: Iterable[Rule]) -> Family:
    triggers: dict[str, dict[str, None]] = {}
    index: dict[bytes, list[Rule]] = {}
    for rule in rules:
        triggers.setdefault(rule.tail, {})[rule.trigger] = None
        for keyword in rule.keywords:
            index.setdefault(keyword, []).append(rule)
    kinds = (f"(?:{'|'.join(f'(?:{head})' for head in heads)}){tail}" for tail, heads in triggers.items())
    return Family(compiled("|".join(kinds), groups=False), Words(tuple(index)), tuple(index.values()))
