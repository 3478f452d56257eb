"""Where the secrets are in some bytes, however they are written: plain, over two lines, encoded twice.

Knows the places, not what becomes of them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from memlane.gate.engine import compiled
from memlane.gate.families import Family, Span, families
from memlane.gate.rules import Rule, Rules, mixed
from memlane.gate.views import View, Views

DEPTH = 2  # base64 in a JSON string in a URL is three; the plain reading is depth 0
PRIVATE = "private"
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

    def spans(self, data: bytes) -> set[Span]:
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
    ) -> set[Span]:
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

    def _plain(self, data: bytes) -> set[Span]:
        found: set[Span] = set()
        for family in self._families:
            found.update(family.spans(data))
        return found

    def _over_lines(self, data: bytes, plain: set[Span]) -> Iterator[Span]:
        for view in self._views.as_one_line(data):
            known = {span.start for span in plain}
            for span in _placed(self._plain(view.data), view):
                pieces = data[span.start : span.end].split(b"\n")
                if self._is_one(pieces, self._rules[span.rule], first_half_found=span.start in known):
                    yield span

    def _is_one(self, pieces: Sequence[bytes], rule: Rule, *, first_half_found: bool) -> bool:
        """Whether these lines are one secret, and not a word and the first word of the next line."""
        words = [piece.strip() for piece in pieces]
        if len(words) < 2 or not words[-1] or _NAMED.match(words[-1]):
            return False
        if not first_half_found and rule.allows(words[0]):
            return False
        sure = not first_half_found and len(words) == 2
        return sure or all(mixed(word) and self._random(word) for word in words[1:])

    def _private(self, data: bytes) -> Iterator[Span]:
        """From the first opening tag to its own closing one, to the end if nobody closed it."""
        start, nested = -1, 0
        for tag in self._tag.finditer(data):
            nested += -1 if tag[1] else 1
            if nested == 1 and start < 0:
                start = tag.start()
            elif nested == 0 and start >= 0:
                yield Span(start, tag.end(), PRIVATE)
                start = -1
            nested = max(0, nested)
        if start >= 0:
            yield Span(start, len(data), PRIVATE)


def _placed(spans: set[Span], view: View) -> Iterator[Span]:
    for span in spans:
        yield Span(*view.origin(span.start, span.end), span.rule)
