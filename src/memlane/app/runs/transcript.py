"""A long Run read a part at a time: where everything stands in it, and the Steps of one part, masked.

A Step has a place of its own here, counted from 0 over the whole Run, so that a part can begin and end anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memlane.app.runs.library import RunLibrary
from memlane.domain import Address, Author, Kind, RunSummary, Step, Turn

BESIDE = 20  # Steps on either side that are masked along: two of them together may give a secret away
MAPS = 16  # Runs whose map is kept
EXCERPT = 160  # characters of a prompt in the outline


@dataclass(frozen=True, slots=True)
class StepAt:
    """A Step, its Turn's number, and where it stands in the Run."""

    place: int
    turn: int
    step: Step


@dataclass(frozen=True, slots=True)
class OutlineMark:
    """A line of the outline: a prompt, an error, what came right after errors."""

    place: int
    turn: int
    step: int
    what: str  # prompt, error, recovery, correction
    text: str


@dataclass(frozen=True, slots=True)
class TranscriptPart:
    """Steps from `first` on; `total` is what the whole Run has, `asked` where the Step is that was asked for."""

    run: RunSummary
    steps: Sequence[StepAt]
    first: int
    total: int
    asked: int | None = None

    @property
    def end(self) -> int:
        return self.first + len(self.steps)


@dataclass(frozen=True, slots=True)
class _StepMap:
    """Where everything stands in a Run: each Turn with the numbers of its Steps, and the outline."""

    turns: Sequence[tuple[int, Sequence[int]]]
    marks: Sequence[OutlineMark]
    total: int

    def place(self, address: Address) -> int | None:
        before = 0
        for turn, steps in self.turns:
            if turn == address.turn:
                return before if address.step is None else _found(steps, address.step, before)
            before += len(steps)
        return None


class TranscriptPages:
    def __init__(self, runs: RunLibrary) -> None:
        self._runs = runs
        self._maps: dict[tuple[str, int, int], _StepMap] = {}

    def part(self, given: str, first: int, most: int) -> TranscriptPart:
        """From a place on."""
        run = self._runs.get(given)
        total = self._map(run).total
        return self._cut(run, max(0, min(first, total)), most, total)

    def around(self, address: Address, most: int) -> TranscriptPart:
        """With the Step in it, a third of the way down."""
        run = self._runs.get(address.run)
        known = self._map(run)
        asked = known.place(address)
        first = 0 if asked is None else max(0, min(asked - most // 3, known.total - most))
        return replace(self._cut(run, first, most, known.total), asked=asked)

    def outline(self, given: str) -> Sequence[OutlineMark]:
        """Prompts and errors in their order; only their words are read, and masked."""
        return self._map(self._runs.get(given)).marks

    def every(self, given: str) -> Iterator[StepAt]:
        """All of its Steps, masked, in their order."""
        place = 0
        for turn in self._runs.cut(given, lambda turn: turn):
            for step in turn.steps:
                yield StepAt(place, turn.n, step)
                place += 1

    def _map(self, run: RunSummary) -> _StepMap:
        """Read once for as long as the Run does not grow."""
        key = (run.id, run.generation, run.bytes)
        if key not in self._maps:
            while len(self._maps) >= MAPS:
                self._maps.pop(next(iter(self._maps)))
            self._maps[key] = _mapped(self._runs.cut(run.id, _outlined))
        return self._maps[key]

    def _cut(self, run: RunSummary, first: int, most: int, total: int) -> TranscriptPart:
        seen, found = 0, list[StepAt]()

        def inside(turn: Turn) -> Turn | None:
            nonlocal seen
            begins, seen = seen, seen + len(turn.steps)
            low, high = max(0, first - BESIDE - begins), min(len(turn.steps), first + most + BESIDE - begins)
            return replace(turn, steps=turn.steps[low:high]) if low < high else None

        at = max(0, first - BESIDE)
        for turn in self._runs.cut(run.id, inside):
            found += [StepAt(at + n, turn.n, step) for n, step in enumerate(turn.steps)]
            at += len(turn.steps)
            if at >= first + most + BESIDE:
                break
        return TranscriptPart(run, [one for one in found if first <= one.place < first + most], first, total)


def _mapped(turns: Iterator[Turn]) -> _StepMap:
    marks, known, place, failing = list[OutlineMark](), list[tuple[int, Sequence[int]]](), 0, False
    for turn in turns:
        known.append((turn.n, [step.n for step in turn.steps]))
        for step in turn.steps:
            mark = _mark(turn, step, place, failing=failing)
            marks += [mark] if mark else []
            failing = step.call.error if step.call else failing
            place += 1
    return _StepMap(known, marks, place)


def _found(steps: Sequence[int], step: int, before: int) -> int | None:
    return before + steps.index(step) if step in steps else None


def _outlined(turn: Turn) -> Turn:
    return replace(turn, steps=tuple(_shortened(step) for step in turn.steps))


def _shortened(step: Step) -> Step:
    if _is_prompt(step):
        return replace(step, text=step.text[:EXCERPT])
    call = replace(step.call, input={}, result="", files=()) if step.call else None
    return replace(step, text="", call=call)


def _is_prompt(step: Step) -> bool:
    return step.kind in (Kind.PROMPT, Kind.ANSWER) and step.author in (Author.PERSON, Author.PROGRAM) and not step.ours


def _mark(turn: Turn, step: Step, place: int, *, failing: bool) -> OutlineMark | None:
    if _is_prompt(step):
        return OutlineMark(place, turn.n, step.n, "prompt" if step.kind is Kind.PROMPT else "answer", step.text)
    if step.kind is Kind.ERROR or (step.call is not None and step.call.error):
        return OutlineMark(place, turn.n, step.n, "error", step.call.name if step.call else "error")
    if step.call is not None and failing:
        return OutlineMark(place, turn.n, step.n, "recovery", step.call.name)
    return None
