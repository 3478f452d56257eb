"""`lane why`: what the agent was told last, and why; or why it was told nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from memlane.domain import Match, Outcome, Recall
from memlane.errors import NotFoundError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import long_ago, one_line, padded, width, wrapped
from memlane.surfaces.documents import of_recall


@frame.command()
@click.argument("which", required=False, default="")
@click.option("--run", default="", metavar="RUN", help="The last recall in this run.")
@click.option("--near-misses", is_flag=True, help="All that just missed, part by part.")
def command(screen: Screen, which: str, run: str, near_misses: bool) -> None:
    """What the agent was told last, here or in RUN, and why. WHICH: a recall's id, or a number from `lane recalls`."""
    given = screen.meant(which) if which else ""
    with screen.lane() as lane:
        if not given and not lane.recalling.newest(1):
            _nothing_yet(screen)
            return
        wanted = lane.reading.run(screen.meant(run)).id if run else ""
        if given.startswith("l_"):
            recall = lane.recalling.recorded(given)
        else:
            recall = lane.recalling.why(Path.cwd(), run=wanted)
        if given.startswith("m_"):
            recall = _only(recall, given)
    screen.remember_list([match.memory.id for match in recall.shown])
    if screen.json:
        screen.emit("lane.why/1", of_recall(recall))
        return
    for line in told(screen, recall, near_misses=near_misses):
        screen.line(line)


def _nothing_yet(screen: Screen) -> None:
    if screen.json:
        screen.emit("lane.why/1", None)
    else:
        screen.say("Nothing has been recalled yet. It happens when an agent is asked something.")


def _only(recall: Recall, memory: str) -> Recall:
    shown = tuple(match for match in recall.shown if match.memory.id.startswith(memory))
    if not shown:
        raise NotFoundError(f"{memory} was not told then", hint="lane recalls")
    return replace(recall, shown=shown)


def told(screen: Screen, recall: Recall, *, near_misses: bool = False, recorded: bool = True) -> Iterator[str]:
    query = recall.query
    room = screen.columns if screen.terminal else 100
    if recorded:
        where = [long_ago(recall.at, screen.now), query.agent, query.project.name, query.run]
        yield f"{', '.join(part for part in where if part)}   {recall.id}"
    asked = one_line(query.words)
    yield screen.cut(f'Looked for: "{asked}"', room) if asked else f"At: {query.moment.value} of a run"
    yield ""
    yield _outcome(recall)
    for number, match in enumerate(recall.shown, 1):
        yield from _match(screen, number, match, room)
    if recall.near:
        yield ""
        yield "Just missed:"
        for match in recall.near if near_misses else recall.near[:3]:
            title = one_line(match.memory.title)
            stale = "  stale" if match.source == "stale" else ""
            yield screen.cut(
                f'  {match.memory.type.value} {match.similarity:.0%}{stale}  "{title}"  {match.memory.id[:6]}', room
            )
            if near_misses:
                yield f"    {_sum(match)}"


def _outcome(recall: Recall) -> str:
    """Four different things in four different texts."""
    match recall.outcome:
        case Outcome.SHOWN if recall.holdout:
            return "Withheld: this run is in the share that is told nothing, to measure what recall is worth."
        case Outcome.SHOWN:
            return f"Told, {recall.tokens} tokens, {recall.milliseconds:.0f} ms:"
        case Outcome.QUESTION:
            names = "; ".join(f'"{one.raw}" may be {" or ".join(one.choices)}' for one in recall.asks)
            return f"The agent was told to ask which one is meant: {names}."
        case Outcome.SILENT:
            return f"Nothing was told: {recall.why}."
        case Outcome.NOT_LOOKED:
            return f"It did not look: {recall.why}."
        case Outcome.TOO_SLOW:
            return f"Too slow: {recall.why or f'it gave up after {recall.milliseconds:.0f} ms'}."


def _match(screen: Screen, number: int, match: Match, room: int) -> Iterator[str]:
    memory = match.memory
    head = f"{number}  {memory.type.value:<12} {match.similarity:>4.0%}  "
    title = screen.cut(one_line(memory.title), room - width(head) - 8)
    yield f"{head}{padded(title, room - width(head) - 8)}  {memory.id[:6]}"
    if match.parts:
        yield from (f"   {line}" for line in wrapped(_sum(match), room - 3))
    for evidence in memory.evidence[:1]:
        yield f"   from {evidence.step or evidence.run}"


def _sum(match: Match) -> str:
    """The score and its parts, which add up to it."""
    parts = " ".join(f"{name} {_short(part)}" for name, part in match.parts.items() if part)
    return f"{_short(match.score)} = {parts}"


def _short(number: float) -> str:
    return f"{number:.2f}".removeprefix("0")
