"""`lane search`: where was it said? By words, over everything every agent wrote."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from memlane.domain import Address, Author
from memlane.errors import UsageError
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.choices import chosen, filters, named
from memlane.surfaces.cli.documents import of_hit
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import day, iso, many, one_line, padded, width, wrapped

if TYPE_CHECKING:
    from memlane.lane import FoundTurn, Search

LINES_OF_A_SNIPPET = 3


@frame.command(lists=True)
@click.argument("query", nargs=-1, required=True)
@filters
@click.option("--author", type=click.Choice([a.value for a in Author]), default=None, help="Who said it.")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="At most this many turns.")
@click.option("--fail-empty", is_flag=True, help="Exit 1 when nothing is found.")
def command(screen: Screen, query: tuple[str, ...], limit: int, fail_empty: bool, **given: Any) -> None:
    """Where was it said? Words, names, paths, error codes: any of them may match, the best come first."""
    words = " ".join(query)
    if not words.strip():
        raise UsageError("there is nothing to look for", hint='lane search "connection refused"')
    began = time.perf_counter()
    with screen.lane() as lane:
        found = lane.reading.search(words, chosen(screen, lane, given), limit)
        indexed, archived = lane.reading.indexed_share()
        took = (time.perf_counter() - began) * 1000
        ids = lane.reading.short_ids([hit.run.id for hit in found.best] if screen.terminal else [])
    screen.remember_list([str(Address(hit.chunk.run, hit.chunk.turn, hit.chunk.step)) for hit in found.best])
    meta = {
        "query": words,
        "turns": found.turns,
        "runs": found.runs,
        "mode": "words",
        "indexed": indexed,
        "archived": archived,
        "meant": found.meant,
        "ms": round(took, 1),
    }
    part = "" if indexed == archived else f" ({indexed:,} of {archived:,} runs indexed)"
    if screen.terminal and not screen.json and found.best and not screen.form.asked:
        screen.paged(_screen(screen, found, ids, f"by words{part}, {took:.0f} ms"))
    else:
        screen.listing("lane.search/1", found.best, of_hit, _COLUMNS, meta)
    if not found.best:
        _nothing(screen, words, found, f"Searched {indexed:,} of {archived:,} runs", named(given))
        if fail_empty:
            screen.leave(1)


_COLUMNS = [
    Column(None, lambda hit: str(Address(hit.chunk.run, hit.chunk.turn, hit.chunk.step))),
    Column(None, lambda hit: iso(hit.chunk.at)),
    Column(None, lambda hit: hit.run.agent),
    Column(None, lambda hit: hit.run.project.name),
    Column(None, lambda hit: hit.chunk.author),
    Column(None, lambda hit: f"{hit.score:.4f}"),
    Column(None, lambda hit: hit.snippet),
]


def _screen(screen: Screen, found: Search, ids: Mapping[str, str], how: str) -> list[str]:
    lines = [f"{many(found.runs, 'run')}, {many(found.turns, 'turn')}, {how}", ""]
    for number, hit in enumerate(found.best, 1):
        lines += [*_hit(screen, number, hit, ids[hit.run.id]), ""]
    left = found.turns - len(found.best)
    more = f"{many(left, 'more turn')} (--limit {len(found.best) * 3}).  " if left > 0 else ""
    return [*lines, f"{more}Read: lane show 1"]


def _hit(screen: Screen, number: int, hit: FoundTurn, short: str) -> list[str]:
    address = str(Address(short, hit.chunk.turn, hit.chunk.step))
    room = screen.columns - width(address) - 5
    title = screen.cut(one_line(hit.run.title or hit.run.first.text) or "(no title)", room)
    head = f"{number:<2} {screen.styled(padded(title, room), 'bold')}  {screen.styled(address, 'dim')}"
    who = f"{hit.run.agent} @{hit.run.machine}"
    place = [day(hit.chunk.at or hit.run.started, screen.now), f"turn {hit.chunk.turn} of {hit.run.turns}"]
    rest = "  ".join([*filter(None, place), hit.chunk.author])
    project = screen.cut(one_line(hit.run.project.name), max(4, screen.columns - width(who) - width(rest) - 7))
    about = [screen.styled(who, "cyan"), screen.styled(project, "green"), rest]
    snippet = list(wrapped(one_line(hit.snippet), screen.columns - 3))[:LINES_OF_A_SNIPPET]
    return [head, "   " + "  ".join(filter(None, about)), *(f"   {_marked(screen, line)}" for line in snippet)]


def _marked(screen: Screen, line: str) -> str:
    """Found words stand in brackets; with colour they are also bright, never only that."""
    if not screen.colour:
        return line
    pieces: list[str] = []
    for piece in line.split("["):
        word, close, rest = piece.partition("]")
        pieces.append(
            f"{screen.styled(f'[{word}]', 'bold yellow')}{rest}" if close and pieces else "[" * bool(pieces) + piece
        )
    return "".join(pieces)


def _nothing(screen: Screen, words: str, found: Search, searched: str, filtered: str) -> None:
    if screen.json:
        return
    screen.say(f'No match for "{one_line(words)}".')
    if found.meant:
        screen.say(f"  Did you mean: {_corrected(words, found)}?")
    screen.say(f"  {searched}, {f'with {filtered}' if filtered else 'all agents, projects and machines'}.")


def _corrected(words: str, found: Search) -> str:
    return " ".join(found.meant.get(word.lower(), word) for word in one_line(words).split())
