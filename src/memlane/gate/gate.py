"""The gate itself: text in, text without secrets out, or an error. Never the text as it was.

Knows the scanner and the shapes text comes in; does not know who asks.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

from memlane.domain import Facts, Turn
from memlane.errors import ClosedGateError
from memlane.gate.mask import Markers, SecretFinding, as_findings, encoded, marker, put
from memlane.gate.rules import load, source
from memlane.gate.sample import SecretSample, made
from memlane.gate.scanner import Scanner, SecretSpan
from memlane.gate.strings import Leaf, leaves_of, over_borders, rebuilt, suspects, under_names

SHORTEST = 8  # characters; no rule finds a secret in fewer, names and ids are many
ROUNDS = 8  # of masking what masking brought to light; two are rare, three are an attack
TOO_DEEP, UNSETTLED = "too-deep", "unsettled"

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")


def _closing(verb: Callable[P, R]) -> Callable[P, R]:
    """The one place that catches everything: whatever broke, the answer is no text."""

    @wraps(verb)
    def closed(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return verb(*args, **kwargs)
        except ClosedGateError:
            raise
        except Exception as error:  # noqa: BLE001 - said as what it means, without its frames, which hold the text
            raise ClosedGateError(f"the secret scanner failed: {type(error).__name__}", hint="lane doctor") from None

    return closed


class Gate:
    """Built once, used for every text. Fails closed: any fault while loading or scanning is a ClosedGateError."""

    @_closing
    def __init__(self) -> None:
        self._rules = load(source())
        self._scanner = Scanner(self._rules)
        self._markers = Markers([*(rule.id for rule in self._rules.all), TOO_DEEP, UNSETTLED])

    @cached_property
    def version(self) -> str:
        """Changes when the rules or the code that applies them change: what was masked before wants another look."""
        digest = hashlib.sha256()
        for file in sorted(Path(__file__).parent.iterdir(), key=lambda file: file.name):
            if file.name.endswith((".py", ".toml", ".json")):
                digest.update(file.read_bytes())
        return digest.hexdigest()[:16]

    @_closing
    def mask(self, text: str) -> str:
        """The text itself if there is nothing to hide in it."""
        return self._masked(text)

    @_closing
    def findings(self, text: str) -> tuple[SecretFinding, ...]:
        data = encoded(text)
        spans = self._scanner.spans(self._markers.hidden(data))
        return tuple(as_findings(data, self._markers.settled(data, spans)))

    def mask_turn(self, turn: Turn) -> Turn:
        return self.mask_values(turn)

    def mask_facts(self, facts: Facts) -> Facts:
        return self.mask_values(facts)

    @_closing
    def mask_values(self, value: T) -> T:
        """Every string in it, keys too, also what only two of them together give away."""
        found = leaves_of(value)
        texts = self._all_masked(found)
        if all(new is leaf.text for new, leaf in zip(texts, found, strict=True)):
            return value
        return cast(T, rebuilt(value, iter(texts).__next__))

    @_closing
    def marked(self, value: object) -> Counter[str]:
        """What was masked in it: how many of each rule."""
        found = Counter[str]()
        for leaf in leaves_of(value):
            found.update(self._markers.rules_in(leaf.text))
        return found

    def samples(self, seed: int) -> Iterator[tuple[str, SecretSample]]:
        """A made-up secret of every kind: what a check plants to see that nothing comes through."""
        for rule in self._rules.all:
            yield rule.id, made(rule.sample, seed)

    def _all_masked(self, found: Sequence[Leaf]) -> list[str]:
        """One look over all of them says which are worth one of their own."""
        texts = [leaf.text for leaf in found]
        worth = suspects([self._markers.hidden(encoded(text)) for text in texts], self._scanner)
        more: defaultdict[int, list[SecretSpan]] = defaultdict(list)
        for number, span in (*over_borders(found, self._scanner), *under_names(found, self._scanner)):
            more[number].append(span)
        for number in worth.union(more):
            texts[number] = self._masked(texts[number], more[number])
        return [marker(TOO_DEEP) if leaf.too_deep else text for leaf, text in zip(found, texts, strict=True)]

    def _masked(self, text: str, more: Sequence[SecretSpan] = ()) -> str:
        if len(text) < SHORTEST and not more:
            return text
        for _ in range(ROUNDS):
            data = encoded(text)
            spans = self._scanner.spans(self._markers.hidden(data))
            spans.update(more)
            settled = self._markers.settled(data, spans) if spans else ()
            if not settled:
                return text
            text, more = put(data, settled), ()
        return marker(UNSETTLED)
