"""`lane show`: read a run, a turn or a step. Masked, except with `--raw`: the archived bytes and nothing else."""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from memlane.domain import Address, Recall, RunSummary, Step, Turn
from memlane.errors import NotFoundError, UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.transcript import RunPage
from memlane.surfaces.documents import of_run, of_turn
from memlane.system.files import is_there

if TYPE_CHECKING:
    from memlane.app import Lane

RUN = re.compile(r"r_[a-z2-7]{2,13}$")


@frame.command()
@click.argument("run", metavar="RUN[#tN[.S]]")
@click.option("-C", "context", type=click.IntRange(0, 1000), default=0, help="Steps of context around it.")
@click.option("--tools", is_flag=True, help="Show tool input and output in full.")
@click.option("--thinking", is_flag=True, help="Show the agent's reasoning.")
@click.option("--raw", is_flag=True, help="Print the archived bytes exactly.")
@click.option("--no-pager", is_flag=True, help="Do not use a pager.")
def command(screen: Screen, run: str, context: int, tools: bool, thinking: bool, raw: bool, no_pager: bool) -> None:
    """Read a run, a turn (RUN#t41) or a step (RUN#t41.7). A number is a line of the last list.

    Of a search it is the turn that was found."""
    given = screen.meant(run)
    with screen.lane() as here, _holding(screen, here, given) as lane:
        if raw:
            if screen.json:
                raise UsageError("--raw is bytes, --json is a document", hint="one of the two")
            for piece in lane.runs.raw(given):
                sys.stdout.buffer.write(piece)
            return
        address = lane.runs.address(given)
        whole = given != run and not context  # a number of a search: the turn it was found in
        wanted = replace(address, step=None) if whole else address
        shown = lane.runs.show(f"{address.run}" if context else f"{wanted}")
        turns = _around(shown.turns, wanted, context)
        if screen.json:
            found = list(turns)
            _must_hold(found, address, given)
            data = {
                "run": of_run(shown.run),
                "address": str(address),
                "turns": [of_turn(address.run, t) for t in found],
            }
            gone = source_gone(shown.run, lane.config.machine)
            screen.emit("lane.show/1", data, {"source_gone": gone, "told": _told(lane.recall.told_in(address.run))})
            return
        step = wanted.step is not None
        page = RunPage(screen, tools=tools or step, thinking=thinking or step, whole=step)
        heading = _Heading(
            gone=source_gone(shown.run, lane.config.machine),
            told=len({match.memory.id for one in lane.recall.told_in(address.run) for match in one.shown}),
        )
        screen.paged(_lines(page, shown.run, turns, address, given, heading), pager=not no_pager)


@contextmanager
def _holding(screen: Screen, lane: Lane, given: str) -> Generator[Lane]:
    """Where the run is: here, or, fetched from Central, among the copies of other machines' runs."""
    try:
        lane.runs.address(given)
    except NotFoundError as error:
        run = given.partition("#")[0]
        copy = lane.elsewhere(run) if RUN.match(run) else None
        if copy is None:
            raise error from None
        screen.note("of another machine: fetched from Central")
        with copy:
            yield copy
    else:
        yield lane


@dataclass(frozen=True, slots=True)
class _Heading:
    """What is known about a run beside what was said in it."""

    gone: bool  # the agent's own file
    told: int  # memories


def _told(recalls: Sequence[Recall]) -> list[dict[str, object]]:
    """From a run to its memories."""
    return [
        {"recall": one.id, "at": one.at, "query": one.query.words, "memories": [m.memory.id for m in one.shown]}
        for one in recalls
    ]


def source_gone(run: RunSummary, machine: str) -> bool:
    """The agent's own file is no longer where it was; only a run of this computer can be asked."""
    return run.machine == machine and bool(run.source_path) and not is_there(run.source_path)


def _lines(
    page: RunPage, run: RunSummary, turns: Iterable[Turn], address: Address, given: str, heading: _Heading
) -> Iterator[str]:
    if address.turn is None:
        yield from page.head(run, source_gone=heading.gone, told=heading.told)
    empty = True
    for turn in turns:
        empty = False
        yield from page.turn(run, turn, wanted=address.step)
    if empty and address.turn is not None:
        raise _no_such(address, given)


def _must_hold(found: list[Turn], address: Address, given: str) -> None:
    if not found and address.turn is not None:
        raise _no_such(address, given)


def _no_such(address: Address, given: str) -> NotFoundError:
    what = f"turn {address.turn}" if address.step is None else f"step {address.turn}.{address.step}"
    return NotFoundError(f"{given.partition('#')[0]} has no {what}", hint=f"lane show {address.run}")


def _around(turns: Iterable[Turn], address: Address, context: int) -> Iterator[Turn]:
    """Only the steps asked for, and so many before and behind them, across turns."""
    if address.turn is None:
        yield from turns
        return
    before: list[tuple[Turn, Step]] = []
    after = -1
    for turn in turns:
        kept: list[Step] = []
        for step in turn.steps:
            if turn.n == address.turn and address.step in (None, step.n):
                kept += [s for t, s in before if t is turn]
                yield from _grouped([(t, s) for t, s in before if t is not turn])
                before, after = [], context
                kept.append(step)
            elif after > 0:
                kept.append(step)
                after -= 1
            elif after < 0:
                before = [*before, (turn, step)][-context:] if context else []
        if kept:
            yield replace(turn, steps=tuple(kept))
        if after == 0 and turn.n >= address.turn:
            return


def _grouped(pairs: list[tuple[Turn, Step]]) -> Iterator[Turn]:
    for turn in dict.fromkeys(id(turn) for turn, _step in pairs):
        steps = [(t, s) for t, s in pairs if id(t) == turn]
        yield replace(steps[0][0], steps=tuple(s for _t, s in steps))
