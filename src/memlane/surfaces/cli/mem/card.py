"""`lane mem show`: one memory as a card: what it says, why it was kept, the words it stands on, what it replaces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import click

from memlane.domain import WITHHELD, Feedback, Maturity, Memory, Mention, Recall, Scope, State
from memlane.domain.door import plain
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.mem.group import command
from memlane.surfaces.cli.text import ago, clock, cut, day, many, one_line, padded, width, wrapped
from memlane.surfaces.documents import of_embedded

if TYPE_CHECKING:
    from memlane.app import Lane
    from memlane.app.memories import EvidenceView

WIDEST = 80
ENDS = ".!?。"
INDENT = 12
QUOTE_LINES = 3
TOLD = 3  # of the runs it was told in
LISTED = 20  # of them, for programs
LOOKED_BACK = 1_000  # recalls
AUTHORS = {"person": "you", "agent": "an agent"}
MAKERS = {"embedded": "built-in classifier"}
SPEAKERS = {"person": "you", "agent": "agent", "tool": "tool", "program": "program", "system": "system"}


@dataclass(frozen=True, slots=True)
class MemoryCard:
    """A memory with what stands around it."""

    memory: Memory
    spoken: Sequence[EvidenceView]
    replaces: Sequence[Memory]
    told: Sequence[Recall] = ()  # the last of each run, newest first
    verdicts: Sequence[Feedback] = ()
    embedded: tuple[str, datetime] | None = None  # its vector: by which model, since when
    seen_by: Sequence[str] = ()  # people and groups that its owner shares it with
    mine: bool = True


def card_of(lane: Lane, memory: Memory) -> MemoryCard:
    spoken, replaces = lane.memories.spoken(memory), lane.memories.replaced_by(memory)
    told = {recall.query.run: recall for recall in reversed(lane.recall.that_told(memory.id, LOOKED_BACK))}
    newest = sorted(told.values(), key=lambda recall: recall.at, reverse=True)
    verdicts, embedded = lane.recall.feedback.verdicts(memory.id), lane.memories.embedded(memory.id)
    seen_by, mine = lane.grant_plans.seen_by().get(memory.id, ()), memory.owner == lane.config.user
    return MemoryCard(memory, spoken, replaces, newest, verdicts, embedded, seen_by, mine)


@frame.command("show", of=command)
@click.argument("memory")
def show(screen: Screen, memory: str) -> None:
    """Show one memory with its evidence."""
    with screen.lane() as lane:
        card = card_of(lane, lane.memories.read(screen.meant(memory)))
    if screen.json:
        said = [
            {"run": s.evidence.run or None, "step": s.evidence.step, "author": s.author or None, "here": bool(s.run)}
            for s in card.spoken
        ]
        told = [
            {"recall": r.id, "run": r.query.run or None, "at": r.at, "query": r.query.words} for r in card.told[:LISTED]
        ]
        ups = sum(one.up for one in card.verdicts)
        votes = {"up": ups, "down": len(card.verdicts) - ups, "by_agents": sum(bool(v.by) for v in card.verdicts)}
        shown = {"said": said, "told": told, "votes": votes, "seen_by": list(card.seen_by)}
        meta = {**shown, "replaces": [old.id for old in card.replaces]}
        screen.emit("lane.mem.show/1", of_embedded(card.memory, card.embedded), meta)
        return
    for line in drawn(screen, card):
        screen.line(line)
    if not card.mine:
        return
    screen.line()
    for verb in ("edit", "history"):
        screen.line(screen.styled(f"{f'{verb}:':<10}lane mem {verb} {card.memory.id}", "dim"))


def drawn(screen: Screen, card: MemoryCard) -> Iterator[str]:
    memory, room = card.memory, min(screen.columns, WIDEST) if screen.terminal else WIDEST
    proven = ", proven" if memory.maturity is Maturity.PROVEN else ""
    head = f"{memory.type.value}   confidence {memory.confidence}   {memory.state.value}{proven}"
    yield padded(head, max(width(head) + 2, room - width(memory.id))) + memory.id
    if not memory.title and memory.state is State.FORGOTTEN:
        yield "Its text was deleted."
        return
    yield from (screen.styled(line, "bold") for line in wrapped(one_line(memory.title), room))
    body = _beyond(plain(memory.title), plain(memory.content))
    if body:
        yield ""
        yield from wrapped(body, room)
    yield ""
    for name, what in _facts(screen, card):
        if what:
            first, *rest = [*wrapped(one_line(what), room - INDENT)]
            yield f"{name:<{INDENT}}{first}"
            yield from (f"{'':<{INDENT}}{line}" for line in rest)
    said = f"{_plain(memory.title)}\n{_plain(memory.content)}"
    yield from _quotes(screen, [one for one in card.spoken if _plain(one.evidence.quote) not in said], room)


def _plain(text: str) -> str:
    return one_line(plain(text)).strip().rstrip(ENDS)


def _beyond(title: str, content: str) -> str:
    """What a text says beyond its title, where it begins with it."""
    body = content.strip()
    if not body.startswith(title.strip()):
        return "" if _plain(body) == _plain(title) else body
    rest = body[len(title.strip()) :].lstrip(ENDS)
    return rest.strip() if not rest or rest[0].isspace() else body


def _doubt(mention: Mention) -> str:
    """A file that nobody has a page for is that file."""
    return "" if mention.resolved or mention.type == "file" else " (which one?)"


def _facts(screen: Screen, card: MemoryCard) -> list[tuple[str, str]]:
    memory = card.memory
    about = [f"{m.type} {m.slug or m.raw}{_doubt(m)}" for m in memory.related_entities]
    old = [f'{old.id} "{cut(one_line(old.title), 50)}" ({day(old.formed_at, screen.now)})' for old in card.replaces]
    return [
        ("Why held", memory.held_because if memory.state is State.HELD else ""),
        ("Why kept", memory.reasoning),
        ("About", ", ".join(about)),
        ("Applies to", (memory.project or "no project") if memory.scope is Scope.PROJECT else memory.scope.value),
        ("Category", memory.category),
        ("For", ", ".join(memory.target_agents)),
        ("When", "; ".join(filter(None, (memory.when, "always (a standing rule)" if memory.always else "")))),
        *(("Cues" if n == 0 else "", f'"{cue}"') for n, cue in enumerate(memory.cues)),
        ("Instead of", "; ".join(memory.alternatives)),
        ("Said by", _said_by(memory, mine=card.mine)),
        ("Formed", _formed(screen, memory)),
        ("Evidence", _seen(screen, memory)),
        ("Used", _used(card)),
        *(("Recalled in" if n == 0 else "", _told(screen, recall)) for n, recall in enumerate(card.told[:TOLD])),
        *(("Source" if n == 0 else "", _place(screen, spoken)) for n, spoken in enumerate(card.spoken)),
        ("Replaces", "; ".join(old)),
        ("Replaced by", memory.superseded_by),
        ("Shared by", "" if card.mine else f"{memory.owner}{_unseen(memory)}"),
        ("Visible to", ", ".join(("you", *card.seen_by)) if card.seen_by else "only you" if card.mine else ""),
    ]


def _unseen(memory: Memory) -> str:
    quotes = sum(one == WITHHELD for one in memory.evidence)
    return f" ({many(quotes, 'quote')}, not shared)" if quotes else ""


def _said_by(memory: Memory, *, mine: bool) -> str:
    authors = AUTHORS if mine else {**AUTHORS, "person": memory.owner}
    author, maker = authors.get(memory.trust.value, memory.trust.value), memory.maker.partition("@")[0]
    return author if maker in ("", "person") else f"{author} ({MAKERS.get(maker, maker)})"


def _used(card: MemoryCard) -> str:
    ups = sum(one.up for one in card.verdicts)
    votes = [f"{what} {count}" for what, count in (("useful", ups), ("not useful", len(card.verdicts) - ups)) if count]
    votes += [f"{n} of these by {who}" for who, n in Counter(one.by for one in card.verdicts if one.by).items()]
    times = f"recalled in {many(len(card.told), 'run')}" if card.told else "not yet"
    said = next((one for one in reversed(card.verdicts) if not one.up and one.because), None)
    words = f' ({f"{said.by}: " if said.by else ""}"{one_line(said.because)}")' if said else ""
    return "; ".join([times, ", ".join(votes)] if votes else [times]) + words


def _told(screen: Screen, recall: Recall) -> str:
    query = recall.query
    words = f'"{cut(one_line(query.words), 40)}"' if query.words else ", ".join(query.files) or query.moment.value
    return f"{query.run or 'no run'}  {query.agent}  {ago(recall.at, screen.now)}  {words}".replace("    ", "  ")


def _formed(screen: Screen, memory: Memory) -> str:
    formed, saved = (f"{day(at, screen.now)} {clock(at)}" for at in (memory.formed_at, memory.saved_at))
    return f"{formed}, saved {saved}"


def _seen(screen: Screen, memory: Memory) -> str:
    first, last = day(memory.first_observed_at, screen.now), day(memory.last_observed_at, screen.now)
    return f"seen {many(memory.times_observed, 'time')}, {first}{f' to {last}' if last != first else ''}"


def _place(screen: Screen, spoken: EvidenceView) -> str:
    evidence, run = spoken.evidence, spoken.run
    if evidence == WITHHELD:
        return ""
    if not evidence.run:
        return f"{evidence.step} line {evidence.line}"
    if run is None:
        return f"{evidence.step or evidence.run}  (the run is gone)"
    at = f"{day(run.started, screen.now)} {clock(run.started)}"
    return f"{evidence.step or evidence.run}  {run.agent} @{run.machine}  {at}".rstrip()


def _quotes(screen: Screen, said: Sequence[EvidenceView], room: int) -> Iterator[str]:
    quoted = [spoken for spoken in said if spoken.evidence.quote.strip()]
    names = [
        SPEAKERS.get(spoken.author, spoken.author) or ("file" if not spoken.evidence.run else "") for spoken in quoted
    ]
    wide = max(map(width, names), default=0)
    for n, (name, spoken) in enumerate(zip(names, quoted, strict=True)):
        if n == 0:
            yield ""
        lines = [*wrapped(plain(spoken.evidence.quote).strip(), room - wide - 4)]
        shown = lines[:QUOTE_LINES] if len(lines) <= QUOTE_LINES else [*lines[: QUOTE_LINES - 1], screen.ellipsis]
        yield from (f"  {padded(name if row == 0 else '', wide)}  {line}" for row, line in enumerate(shown))
