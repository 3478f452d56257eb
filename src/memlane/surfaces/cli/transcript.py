"""How a run looks on a screen: who said what, in order, with one line for each tool call."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import cast

from memlane.domain import BESIDE, Address, Author, Kind, RunSummary, Step, ToolCall, Turn
from memlane.domain.door import plain
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, day, many, one_line, padded, size, width, wrapped

WIDEST = 100  # columns of running text; longer lines are hard to read
LINES_OF_A_TOOL = 40
_WHO = {
    Author.PERSON: ("you", "bold green"),
    Author.AGENT: ("agent", "bold cyan"),
    Author.TOOL: ("tool", "yellow"),
    Author.SYSTEM: ("system", "dim"),
    Author.PROGRAM: ("program", "bold magenta"),
}
_SAYS = {  # what a step is, where its author alone does not tell
    Kind.THINKING: "thinks",
    Kind.ANSWER: "answers",
    Kind.INTERRUPT: "interrupts",
    Kind.SUMMARY: "summary of what went before",
    Kind.COMMAND: "runs",
    Kind.ERROR: "error",
    Kind.META: "note",
}
_TELLING = ("command", "cmd", "pattern", "query", "file_path", "path", "url", "prompt", "question", "skill", "input")


class RunPage:
    """Lines for one run; `tools` opens what tools were given and gave back, `whole` however long it is."""

    def __init__(self, screen: Screen, *, tools: bool, thinking: bool, whole: bool) -> None:
        self._screen = screen
        self._tools = tools
        self._thinking = thinking
        self._columns = min(screen.columns, WIDEST) if screen.terminal else 0
        self._most = None if whole or not screen.terminal else LINES_OF_A_TOOL

    def head(self, run: RunSummary, *, source_gone: bool, told: int = 0) -> Iterator[str]:
        screen = self._screen
        title = one_line(run.title or run.first.text) or "(no title)"
        yield from (screen.styled(line, "bold") for line in self._lines(title))
        where = f"{run.project.name} ({one_line(run.branch)})" if run.branch else run.project.name
        began, ended = run.started, run.ended
        span = f"{day(began, screen.now)} {clock(began)} to {clock(ended)}" if began else ""
        about = [f"{run.agent} @{run.machine}", where, span, many(run.turns, "turn"), size(run.bytes)]
        for line in self._lines("  ".join(one_line(part) for part in about if part)):
            yield screen.styled(line, "dim")
        yield screen.styled(run.id + (f"  {run.relation} of {run.parent}" if run.parent else ""), "dim")
        if told:
            yield screen.styled(f"{many(told, 'memory', 'memories')} recalled here: lane recalls --run {run.id}", "dim")
        if source_gone:
            yield "note: the agent deleted its file; this copy is kept"
        if run.broken:
            yield f"note: {many(len(run.broken), 'line')} could not be read; --raw has every byte"
        yield ""

    def turn(self, run: RunSummary, turn: Turn, *, wanted: int | None = None) -> Iterator[str]:
        called = "beside the transcript" if turn.n == BESIDE else f"turn {turn.n}"
        yield self._rule(called, str(Address(run.id, turn.n)), turn)
        folded = False
        for step in turn.steps:
            if step.kind is Kind.THINKING and not self._thinking and step.n != wanted:
                continue
            if step.n != wanted and self._folds(step):
                if not folded:
                    yield ""
                folded = True
                yield self._folded(step)
                continue
            folded = False
            yield ""
            yield from self._step(step, wanted=step.n == wanted)
        yield ""

    def _folds(self, step: Step) -> bool:
        """Tools, and what the agent's own program put there: one line each, opened by `--tools` or by their address."""
        return not self._tools and (step.call is not None or step.kind in (Kind.META, Kind.SUMMARY))

    def _rule(self, left: str, right: str, turn: Turn) -> str:
        at = f"{day(turn.at, self._screen.now)} {clock(turn.at)}".strip()
        line = "─" if self._screen.unicode else "-"
        left = f"{line}{line} {left}  {at} "
        room = max(0, (self._columns or 80) - width(left) - width(right) - 1)
        return self._screen.styled(f"{left}{line * room} {right}", "dim")

    def _step(self, step: Step, *, wanted: bool) -> Iterator[str]:
        who, style = _WHO[step.author]
        says = f" {_SAYS[step.kind]}" if step.kind in _SAYS else ""
        ours = "  (from Memory Lane)" if step.ours else ""
        number = self._screen.styled(f"  .{step.n}", "dim") if wanted else ""
        yield f"{self._screen.styled(f'{who}{says}', style)}{ours}{number}"
        if step.call is not None:
            yield from self._open(step.call)
        if step.text:
            yield from self._body(step.text)

    def _body(self, text: str, indent: str = "  ") -> Iterator[str]:
        lines = self._lines(plain(text).strip("\n"), len(indent))
        yield from (f"{indent}{line}".rstrip() for line in lines)

    def _lines(self, text: str, indent: int = 0) -> Iterable[str]:
        return wrapped(text, self._columns - indent) if self._columns else text.split("\n")

    def _folded(self, step: Step) -> str:
        call = step.call
        failed = call is not None and call.error
        what = f"{call.name}  {telling(call.input)}" if call else f"({_SAYS[step.kind]})  {step.text[:400]}"
        line = f"  {'!' if failed else '>'} {one_line(what)}"
        tail = f"{'  (failed)' if failed else ''}  .{step.n}"
        if self._columns:
            room = self._columns - len(tail)
            line = padded(self._screen.cut(line, room), room)
        return self._screen.styled(line + tail, "red" if failed else "dim")

    def _open(self, call: ToolCall) -> Iterator[str]:
        yield f"  {one_line(call.name)}{'  (failed)' if call.error else ''}"
        for name, value in call.input.items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            if "\n" in shown or len(shown) > (self._columns or 80) - len(name) - 6:
                yield f"    {one_line(name)}:"
                yield from self._clipped(self._body(shown, "      "))
            else:
                yield f"    {one_line(name)}: {one_line(shown)}"
        if call.result:
            yield "  gave"
            yield from self._clipped(self._body(call.result, "    "))

    def _clipped(self, lines: Iterator[str]) -> Iterator[str]:
        yield from islice(lines, self._most)
        left = sum(1 for _line in lines)
        if left:
            yield f"      {self._screen.ellipsis} {many(left, 'more line')}"


def telling(given: Mapping[str, object]) -> str:
    """What a call was about, in a few words: the command, the file, the question."""
    for name in _TELLING:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return one_line(value)
        if isinstance(value, list) and value:
            return one_line(" ".join(map(str, cast(list[object], value))))
    return one_line(json.dumps(given, ensure_ascii=False)) if given else ""
