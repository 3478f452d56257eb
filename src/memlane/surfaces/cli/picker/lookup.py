"""The search behind the picker, in a thread and a Lane of its own, so that keys never wait for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from memlane.domain import Address, RunSummary, Turn
from memlane.domain.tokenizer import terms
from memlane.errors import LaneError
from memlane.surfaces.cli import search_report
from memlane.surfaces.cli.filters import chosen
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.picker.paint import plain
from memlane.surfaces.cli.picker.view import MOST_HITS, PickerAnswer, PickerChoice, PickerQuestion, Preview
from memlane.surfaces.cli.runs import labelled
from memlane.surfaces.cli.search_report import scores, title_of
from memlane.surfaces.cli.search_screen import look, notes
from memlane.surfaces.cli.text import day, many, one_line
from memlane.surfaces.cli.transcript import RunPage

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.search import FoundTurn

T = TypeVar("T")
BEFORE, BEHIND = 4, 30  # steps around the hit that a preview reads
SOME = 3  # lines above the telling one


class PickerLookup:
    """One at a time, in order; whoever asks looks whether the answer has come."""

    def __init__(self, screen: Screen, wake: Callable[[], None]) -> None:
        self._screen = screen
        self._wake = wake
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="looking")
        self._lane: Lane | None = None

    def ask(self, question: PickerQuestion) -> Future[PickerAnswer]:
        return self._begin(partial(answer, self._screen, question))

    def read(self, address: str, wanted: frozenset[str], columns: int) -> Future[Preview]:
        return self._begin(partial(preview, replace(self._screen, columns=columns), address, wanted))

    def page(self, address: str) -> Future[tuple[Sequence[str], int]]:
        return self._begin(partial(page, self._screen, address))

    def _begin(self, job: Callable[[Lane], T]) -> Future[T]:
        begun = self._thread.submit(lambda: job(self._opened()))
        begun.add_done_callback(lambda _done: self._wake())
        return begun

    def _opened(self) -> Lane:
        """In the thread that will use it."""
        from memlane.app import Lane

        if self._lane is None:
            self._lane = Lane(self._screen.config)
        return self._lane

    def close(self) -> None:
        self._thread.submit(lambda: self._lane.close() if self._lane else None)
        self._thread.shutdown(wait=True)


# -- hits --------------------------------------------------------------------------------------------------------------


def answer(screen: Screen, question: PickerQuestion, lane: Lane) -> PickerAnswer:
    """Whatever was typed: an answer, with what is wrong with it if something is."""
    try:
        return _found(screen, question, lane) if question.words else _newest(screen, question, lane)
    except LaneError as error:
        return PickerAnswer(question, said=one_line(f"{error.message} ({error.hint})" if error.hint else error.message))


def _found(screen: Screen, question: PickerQuestion, lane: Lane) -> PickerAnswer:
    given = question.given
    looked = look(screen, lane, question.words, given, quiet=True)
    asked = str(given["mode"])
    said = (
        f"{many(looked.runs, 'run')}, {many(looked.turns, 'turn')}, {search_report.BY[looked.mode]}, {looked.ms:.0f} ms"
    )
    hits = [_hit(screen, hit) for hit in looked.best]
    told = notes(question.words, looked, asked)
    return PickerAnswer(question, hits, said if hits else "no match", told, frozenset(terms(question.words)))


def _hit(screen: Screen, hit: FoundTurn) -> PickerChoice:
    chunk = hit.chunk
    about = _about(screen, hit.run, chunk.at, f"turn {chunk.turn}", one_line(chunk.tool) or chunk.author)
    address = str(Address(chunk.run, chunk.turn, chunk.step))
    return PickerChoice(address, title_of(hit), about, scores(hit), one_line(hit.snippet))


def _about(screen: Screen, run: RunSummary, at: datetime | None, where: str, by: str = "") -> str:
    """What tells two hits apart first: a narrow pane cuts the end."""
    about = (day(at or run.started, screen.now), where, run.agent, one_line(run.project.name), by)
    return "  ".join(filter(None, about))


def _newest(screen: Screen, question: PickerQuestion, lane: Lane) -> PickerAnswer:
    """Nothing is asked yet: the newest runs, to look around in."""
    runs = lane.runs.select(replace(chosen(screen, lane, question.given, quiet=True), limit=MOST_HITS))
    hits = [
        PickerChoice(
            address=str(Address(run.id, 1)),
            title=labelled(run),
            about=_about(screen, run, run.ended, many(run.turns, "turn")),
            scores="",
            snippet=one_line(run.first.text),
        )
        for run in runs
    ]
    return PickerAnswer(question, hits, "the newest runs: type what you remember" if hits else "no runs here")


# -- reading -----------------------------------------------------------------------------------------------------------


def preview(screen: Screen, address: str, wanted: frozenset[str], lane: Lane) -> Preview:
    """The turn around the hit, and the line to look at first."""
    try:
        shown = lane.runs.show(address.partition(".")[0])
        turn = next(iter(shown.turns), None)
    except LaneError as error:
        return Preview(address, [one_line(error.message)])
    if turn is None:
        return Preview(address, ["(this turn has no text yet)"])
    step = lane.runs.address(address).step
    drawn = RunPage(screen, tools=False, thinking=False, whole=True)
    lines, begin = _around(drawn, shown.run, turn, step)
    return Preview(address, lines, _telling(lines, begin, wanted))


def _around(drawn: RunPage, run: RunSummary, turn: Turn, step: int | None) -> tuple[Sequence[str], int]:
    at = next((n for n, one in enumerate(turn.steps) if one.n == step), 0)
    before = replace(turn, steps=turn.steps[max(0, at - BEFORE) : at])
    whole = replace(turn, steps=turn.steps[max(0, at - BEFORE) : at + BEHIND])
    lines = list(drawn.turn(run, whole, wanted=step))
    begin = len(list(drawn.turn(run, before, wanted=step))) - 1 if before.steps else 0
    return lines, begin + (not plain(lines[begin]).strip())


def _telling(lines: Sequence[str], begin: int, wanted: frozenset[str]) -> int:
    """The line that says most of the words, unless it is in sight anyway."""
    said = [len(wanted.intersection(terms(plain(line)))) for line in lines[begin:]]
    best = max(said, default=0)
    at = begin + said.index(best) if best else begin
    return at - SOME if at > begin + 2 * SOME else begin


def page(screen: Screen, address: str, lane: Lane) -> tuple[Sequence[str], int]:
    """The whole run as it reads, and the line where the turn begins."""
    from memlane.surfaces.cli.show import source_gone

    wanted = lane.runs.address(address)
    shown = lane.runs.show(wanted.run)
    drawn = RunPage(screen, tools=False, thinking=False, whole=False)
    lines = list(drawn.head(shown.run, source_gone=source_gone(shown.run, lane.config.machine)))
    begin = 0
    for turn in shown.turns:
        begin = len(lines) if turn.n == wanted.turn else begin
        lines += drawn.turn(shown.run, turn, wanted=wanted.step if turn.n == wanted.turn else None)
    return lines, begin
