"""Where the secrets are in some bytes, however they are written: plain, over two lines, encoded twice.

Knows the places, not what becomes of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memlane.domain.privacy import PRIVATE, UNCLOSED
from memlane.gate.engine import Pattern, PatternMatch, WordSet, compiled
from memlane.gate.rules import Rules, SecretRule, mixed
from memlane.gate.views import ByteView, Views

DEPTH = 2  # base64 in a JSON string in a URL is three; the plain reading is depth 0
_TAG = r"(?i)(?:<|\\u003c|&lt;|%3c)(/?)private(?:\s[^<>]{0,200})?(?:>|\\u003e|&gt;|%3e)"
_NAMED = re.compile(rb"[A-Za-z_][\w.]*(?:[:=][^=]|:$)")  # a name with a value of its own goes on nothing


class Scanner:
    """Every rule, ready to look."""

    def __init__(self, rules: Rules) -> None:
        self._rules = {rule.id: rule for rule in rules.all}
        self._random = rules.random
        self._families: tuple[Family, ...] = families(rules.all)
        self._views = Views()
        self._tag = compiled(_TAG)

    def spans(self, data: bytes) -> set[SecretSpan]:
        return self._look(data, DEPTH, {data})

    def suspicious(self, data: bytes, starts: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Where `spans` would find something or have to look closer; odd places once for each part."""
        yield from ((span.start, span.end) for span in self._look(data, DEPTH, {data}, rarer=False))
        position = 0
        while (hit := self._views.odd_place(data, position)) >= 0:
            yield hit, hit + 1
            position = starts[bisect_right(starts, hit)]

    def _look(
        self, data: bytes, depth: int, seen: set[bytes], *, complete: bool = True, rarer: bool = True
    ) -> set[SecretSpan]:
        found = self._plain(data)
        if b"\n" in data:
            found.update(self._over_lines(data, found))
        more = rarer and self._views.odd_place(data, 0) >= 0
        if more and complete:
            found.update(self._private(data))
        if depth and (more or b"\\" in data):
            for view in self._views.of(data, rarer=more):
                if view.part or view.data not in seen:
                    seen.add(view.data)
                    found.update(_placed(self._look(view.data, depth - 1, seen, complete=view.complete), view))
        return found

    def _plain(self, data: bytes) -> set[SecretSpan]:
        found: set[SecretSpan] = set()
        for family in self._families:
            found.update(family.spans(data))
        return found

    def _over_lines(self, data: bytes, plain: set[SecretSpan]) -> Iterator[SecretSpan]:
        for view in self._views.as_one_line(data):
            known = {span.start for span in plain}
            for span in _placed(self._plain(view.data), view):
                pieces = data[span.start : span.end].split(b"\n")
                if self._is_one(pieces, self._rules[span.rule], first_half_found=span.start in known):
                    yield span

    def _is_one(self, pieces: Sequence[bytes], rule: SecretRule, *, first_half_found: bool) -> bool:
        """Whether these lines are one secret, and not a word and the first word of the next line."""
        words = [piece.strip() for piece in pieces]
        if len(words) < 2 or not words[-1] or _NAMED.match(words[-1]):
            return False
        if not first_half_found and rule.allows(words[0]):
            return False
        sure = not first_half_found and len(words) == 2
        return sure or all(mixed(word) and self._random(word) for word in words[1:])

    def _private(self, data: bytes) -> Iterator[SecretSpan]:
        """From the first opening tag to its own closing one, to the end if nobody closed it."""
        start, nested = -1, 0
        for tag in self._tag.finditer(data):
            nested += -1 if tag[1] else 1
            if nested == 1 and start < 0:
                start = tag.start()
            elif nested == 0 and start >= 0:
                yield SecretSpan(start, tag.end(), PRIVATE)
                start = -1
            nested = max(0, nested)
        if start >= 0:
            yield SecretSpan(start, len(data), UNCLOSED)


def _placed(spans: set[SecretSpan], view: ByteView) -> Iterator[SecretSpan]:
    for span in spans:
        yield SecretSpan(*view.origin(span.start, span.end), span.rule)


LONG = 512  # a hit this long that was no secret is not looked into again: work stays linear
NEARBY = 48  # of several rules that would match here the shortest made the hit; the others' keywords are close
AFTER = 1100  # how far behind its trigger a rule that starts before it may end


@dataclass(frozen=True, slots=True, order=True)
class SecretSpan:
    """A secret's place, in bytes. Never the secret."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True, slots=True)
class Family:
    """Rules that look alike enough to be looked for in one pass."""

    trigger: Pattern
    words: WordSet
    rules: Sequence[Sequence[SecretRule]]  # those a word wakes

    def spans(self, data: bytes) -> list[SecretSpan]:
        found: list[SecretSpan] = []
        refused: dict[str, int] = {}
        hit, position = self.trigger.search(data), 0
        while hit:
            start, end = hit.span()
            reached = start
            for rule, match in self._woken(data, hit, position, refused):
                if secret := rule.secret(match, data):
                    found.append(SecretSpan(*secret, rule.id))
                    reached = max(reached, match.end())
                else:
                    refused[rule.id] = match.end()
            if reached == start and end - start > LONG:
                reached = end
            position = max(reached, start + 1)
            hit = self.trigger.search(data, position)
        return found

    def _woken(
        self, data: bytes, hit: PatternMatch, floor: int, refused: Mapping[str, int]
    ) -> Iterator[tuple[SecretRule, PatternMatch]]:
        """Not a rule that refused what it saw here: one long non-secret is weighed once, not at each of its bytes."""
        start, end = hit.span()
        for index in self.words.found(data[start : end + NEARBY].lower()):
            for rule in self.rules[index]:
                if refused.get(rule.id, 0) > start:
                    continue
                match = _around(rule, data, hit, floor) if rule.before else rule.pattern.now.match(data, start)
                if match:
                    yield rule, match


def _around(rule: SecretRule, data: bytes, hit: PatternMatch, floor: int) -> PatternMatch | None:
    """The match this hit is part of, none that ended before it or starts behind it."""
    start, end = hit.span()
    match = rule.pattern.now.search(data, max(floor, start - rule.before), end + AFTER)
    while match and match.end() <= start:
        match = rule.pattern.now.search(data, match.end(), end + AFTER)
    return match if match and match.start() <= start else None


def families(rules: Iterable[SecretRule]) -> tuple[Family, ...]:
    grouped: dict[str, list[SecretRule]] = {}
    for rule in rules:
        grouped.setdefault(rule.family, []).append(rule)
    return tuple(_family(group) for group in grouped.values())


def _family(rules: Iterable[SecretRule]) -> Family:
    triggers: dict[str, dict[str, None]] = {}
    index: dict[bytes, list[SecretRule]] = {}
    for rule in rules:
        triggers.setdefault(rule.tail, {})[rule.trigger] = None
        for keyword in rule.keywords:
            index.setdefault(keyword, []).append(rule)
    kinds = (f"(?:{'|'.join(f'(?:{head})' for head in heads)}){tail}" for tail, heads in triggers.items())
    return Family(compiled("|".join(kinds), groups=False), WordSet(tuple(index)), tuple(index.values()))
