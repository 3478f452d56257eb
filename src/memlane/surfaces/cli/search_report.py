"""How a found turn looks: title, address, whose, when, and why; and how much can be found by meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import BESIDE, Address
from memlane.surfaces.cli.frame import Column, Screen
from memlane.surfaces.cli.text import bright, day, iso, marked, one_line, padded, width, wrapped

if TYPE_CHECKING:
    from memlane.app.search import FoundTurn, SearchAnswer
    from memlane.app.vectors import VectorProgress

LINES_OF_A_SNIPPET = 3

COLUMNS = [
    Column(None, lambda hit: address_of(hit)),
    Column(None, lambda hit: iso(hit.chunk.at)),
    Column(None, lambda hit: hit.run.agent),
    Column(None, lambda hit: hit.run.project.name),
    Column(None, lambda hit: hit.chunk.author),
    Column(None, lambda hit: f"{hit.score:.4f}"),
    Column(None, lambda hit: hit.snippet),
]


def address_of(hit: FoundTurn) -> str:
    return str(Address(hit.chunk.run, hit.chunk.turn, hit.chunk.step))


def title_of(hit: FoundTurn) -> str:
    return one_line(hit.run.title or hit.run.first.text) or "(no title)"


def scores(hit: FoundTurn) -> str:
    """Both, as shares of what could be reached."""
    words = f"words {hit.lexical * 100:.0f} %" if hit.lexical else ""
    meaning = f"meaning {hit.semantic * 100:.0f} %" if hit.semantic is not None else ""
    return "  ".join(filter(None, (words, meaning)))


@dataclass(frozen=True, slots=True)
class TurnList:
    """One list of them, and whether one machine says it all."""

    screen: Screen
    several_machines: bool

    def lines(self, number: int, hit: FoundTurn, short: str) -> Iterator[str]:
        screen, chunk = self.screen, hit.chunk
        address = str(Address(short, chunk.turn, chunk.step))
        room = screen.columns - width(address) - 5
        title = padded(screen.cut(title_of(hit), room), room)
        yield f"{number:<2} {screen.styled(title, 'bold')}  {screen.styled(address, 'dim')}"
        yield f"   {self.about(hit, screen.columns - 3)}"
        snippet = list(wrapped(marked(hit.pieces), screen.columns - 3))[:LINES_OF_A_SNIPPET]
        yield from (f"   {line}" for line in bright(snippet, lambda word: screen.styled(word, "bold yellow")))

    def about(self, hit: FoundTurn, columns: int) -> str:
        """Whose, where, when; the scores at the end of the line, where there is room for them."""
        screen, chunk, scored = self.screen, hit.chunk, scores(hit)
        who = f"{hit.run.agent} @{hit.run.machine}" if self.several_machines else hit.run.agent
        project, by = one_line(hit.run.project.name), one_line(chunk.tool) or chunk.author
        beside = chunk.turn == BESIDE
        when, turn = day(chunk.at or hit.run.started, screen.now), "beside it" if beside else f"turn {chunk.turn}"
        counted = turn if beside else f"{turn} of {hit.run.turns}"
        forms = ((when, counted, by), (when, turn, by), (when, turn))
        rooms = [columns - width(who) - width("  ".join(filter(None, form))) - 4 for form in forms]
        enough = min(width(project), 8) + width(scored) + 2
        fits = next((n for n, room in enumerate(rooms) if room >= enough), None)
        if fits is None:
            scored = ""
            fits = next((n for n, room in enumerate(rooms) if room >= min(width(project), 8)), 2)
        told, room = "  ".join(filter(None, forms[fits])), rooms[fits]
        project = screen.cut(project, max(4, room - (width(scored) + 2) * bool(scored)))
        left = "  ".join(filter(None, (screen.styled(who, "cyan"), screen.styled(project, "green"), told)))
        gap = columns - width("  ".join(filter(None, (who, project, told)))) - width(scored)
        return f"{left}{' ' * gap}{screen.styled(scored, 'dim')}" if scored else left


MODES = ("auto", "words", "meaning")
BY: Mapping[str, str] = {"words": "by words", "hybrid": "by words and meaning", "meaning": "by meaning"}


def mode_of(found: SearchAnswer, meant: VectorProgress) -> str:
    """What was looked by, in the end: a model that knows no text yet found nothing."""
    return found.by if meant.done else "words"


def meaning_line(asked: str, found: SearchAnswer, meant: VectorProgress) -> str:
    """What a person should know before they trust the list; "" when there is nothing to say."""
    if asked == "words" or not meant.all:
        return ""
    if found.why:
        return f"{'words only' if found.by == 'words' else 'not all of it by meaning'}: {found.why}"
    if meant.done == meant.all:
        return ""
    built = f"{meant.done * 100 // meant.all} % indexed for meaning" if meant.done else "words only"
    why = meant.why or ("the rest is found by its words" if meant.done else "meaning is being built, 0 % so far")
    return f"{built}: {why}"


def meaning_document(found: SearchAnswer, meant: VectorProgress) -> dict[str, object]:
    why = found.why or meant.why
    return {"model": meant.model or None, "share": round(meant.share, 4), "why": why or None}
