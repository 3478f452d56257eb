"""Window → Memory: each closed Window is read once, and what is made of it is journaled before it is stored."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Draft, Memory, RunSummary, Spot, State, Turn, Window, WindowDrafts
from memlane.domain.journal import MEMORY, STATE
from memlane.errors import UnreadError
from memlane.flow.index import turns_of
from memlane.flow.journal import understand, write_down
from memlane.flow.records import record_of
from memlane.flow.tools import Tools
from memlane.storage import CatchMark, MemoryBounds
from memlane.system.lazy_module import LazyModule

if TYPE_CHECKING:
    from memlane import archive, catch
    from memlane.catch import activation, opinion
    from memlane.catch import record as records
else:  # a prompt is answered without them
    archive, catch = LazyModule("memlane.archive"), LazyModule("memlane.catch")
    activation, opinion = LazyModule("memlane.catch.activation"), LazyModule("memlane.catch.opinion")
    records = LazyModule("memlane.catch.record")

SURER = {"agent", "model"}  # one language model reads as well as another, and better than the classifier


@dataclass(frozen=True, slots=True)
class CatchOutcome:
    """What became of what was read."""

    made: tuple[Memory, ...] = ()
    again: tuple[Memory, ...] = ()
    refused: tuple[catch.DraftRefusal, ...] = ()
    improved: tuple[Memory, ...] = ()  # as they are said now
    omitted: tuple[catch.Omission, ...] = ()
    windows: int = 0
    unread: tuple[str, ...] = ()  # Windows that stay open, and why
    replaced: tuple[Memory, ...] = ()  # by one of those that were made

    def __add__(self, other: CatchOutcome) -> CatchOutcome:
        made, again = (*self.made, *other.made), (*self.again, *other.again)
        refused, unread = (*self.refused, *other.refused), (*self.unread, *other.unread)
        improved, omitted = (*self.improved, *other.improved), (*self.omitted, *other.omitted)
        windows, replaced = self.windows + other.windows, (*self.replaced, *other.replaced)
        return CatchOutcome(made, again, refused, improved, omitted, windows, unread, replaced)


def catch_run(run: str, extractor: catch.Extractor, tools: Tools) -> CatchOutcome:
    """Every Window that is closed and that nobody as good has read. One that could not be read stays open, alone."""
    mark, closed, kept = tools.storage.work.indexed(run), windows_of(run, tools), CatchOutcome()
    open_ = unread(closed, extractor.name, tools)
    asks = extractor if isinstance(extractor, catch.ResumableExtractor) else None
    for n, window in enumerate(open_):
        if asks is not None:
            asks.ahead(open_[n:], partial(nearby, tools=tools))
        try:
            read = extractor.read(window, nearby(window, tools))
        except UnreadError as error:
            kept += CatchOutcome(unread=(f"{run}#{window.first}: {error.message}",))
            continue
        kept += keep(window, read, extractor, tools)
        if asks is not None:
            asks.done(window)
    if mark is not None and not kept.unread:
        looked = CatchMark(mark.generation, mark.size, mark.turn, closed.all_closed)
        with tools.lock.held():
            tools.storage.catches.look_done(run, tools.machine.user, looked)
    return kept


def windows_of(run: str, tools: Tools) -> catch.ClosedWindows:
    """Its closed Windows, masked; none where there is no such run, or it was forgotten."""
    folder, summary = tools.layout.find(run), tools.storage.runs.get(run, tools.reader)
    metadata = archive.load(tools.disk, folder) if folder else None
    if folder is None or metadata is None or summary is None:
        return catch.ClosedWindows((), all_closed=True)
    last = summary.ended or datetime.fromisoformat(metadata.newest.last_captured)
    headless = not summary.person_turns
    about = catch.WindowOrigin(run, summary.owner, summary.agent, metadata.newest.n, summary.project, headless=headless)
    turns = list(turns_of(metadata, folder, tools))
    copied = {turn.n for turn in turns if _copied(turn, summary, tools)}
    caught = catch.settled(tools.storage.catches.read(run, tools.reader))
    asked_before = partial(catch.asked_before, run=run, model=tools.meaning, storage=tools.storage, reader=tools.reader)
    return catch.closed(turns, about, tools.clock() - last, caught, copied, asked_before)


def _copied(turn: Turn, summary: RunSummary, tools: Tools) -> bool:
    """A fork repeats its parent's Turns: what they were worth was caught there."""
    native_id = turn.steps[0].native_id if turn.n and turn.steps and summary.parent else ""
    holders = tools.storage.prompts.holders(native_id, tools.reader) if native_id else ()
    return any(run == summary.parent and steps >= len(turn.steps) for run, _turn, steps in holders)


def unread(closed: catch.ClosedWindows, extractor: str, tools: Tools) -> list[Window]:
    """Those that nobody as good has read."""
    as_good = {extractor} | SURER
    if not closed.windows:
        return []
    done = tools.storage.catches.read(closed.windows[0].run, tools.reader)
    return [window for window in closed.windows if not done.get(window.key, frozenset()) & as_good]


def nearby(window: Window, tools: Tools) -> list[Memory]:
    """What is known about what is talked about here, for whoever reads it: nothing of other projects."""
    said = "\n".join(step.text for spot, step in window.steps() if spot >= window.first)
    bounds = MemoryBounds(here=window.project.key)
    near = catch.near(said[-catch.ENOUGH_SAID :], (), tools.meaning, tools.storage, tools.reader, bounds)
    stands = ((memory, likeness) for memory, likeness in near if memory.state in (State.ACTIVE, State.HELD))
    known = [(memory, likeness) for memory, likeness in stands if catch.belongs_to(memory, window.project.key)]
    really = (m for n, (m, likeness) in enumerate(known) if n < catch.NEAREST or likeness >= catch.NEAR_ENOUGH)
    return [*islice(really, catch.NEARBY)]


def keep(
    window: Window, read: WindowDrafts, extractor: catch.Extractor, tools: Tools, actor: str = "lane"
) -> CatchOutcome:
    """Each Draft judged, and all that comes of it in one write, ended by the line that says the Window was read."""
    half_read = _read_by_half(window, extractor.name, tools)
    guessed, given = _guessed(window, extractor, tools), _opinions(window, extractor)
    bench = _bench(window, extractor, half_read, guessed, given, tools)
    drafts = _with_teachings(window, read, extractor, tools)
    verdicts = catch.judge(drafts, window, bench)
    write = catch.WindowEntries(window, _maker(extractor), tools.machine, tools.clock(), actor)
    lines = [*write.taken_back(half_read.values(), verdicts), *write.down(verdicts)]
    lines += write.outdone(guessed.values(), verdicts)
    write_down([*lines, write.caught(read, verdicts, agrees=_agrees(read, given))], tools)
    understand(tools)
    told = zip(drafts, verdicts, strict=True)  # that a reader has said what was taught needs no word
    return _outcome([v for draft, v in told if not draft.taught or isinstance(v, catch.NewMemory)], windows=1)


def keep_some(
    window: Window, read: WindowDrafts, extractor: catch.Extractor, tools: Tools, actor: str = "lane"
) -> CatchOutcome:
    """The good part of an answer of which the rest is still being mended: the Window stays open until all of it came,
    and what is kept here is known then by its id."""
    guessed, given = _guessed(window, extractor, tools), _opinions(window, extractor)
    verdicts = catch.judge(read.drafts, window, _bench(window, extractor, (), guessed, given, tools))
    write_down(
        catch.WindowEntries(window, _maker(extractor), tools.machine, tools.clock(), actor).down(verdicts), tools
    )
    understand(tools)
    return _outcome(verdicts)


def _maker(extractor: catch.Extractor) -> str:
    return f"{extractor.name}@{extractor.version}"


def _guessed(window: Window, extractor: catch.Extractor, tools: Tools) -> dict[str, Memory]:
    """What the classifier made of this Window, where whoever reads it now is believed more."""
    return _made_by("embedded", window, tools) if _is_believed(extractor, tools) else {}


def _is_believed(extractor: catch.Extractor, tools: Tools) -> bool:
    return extractor.name in SURER and not records.on_probation(_record(_maker(extractor), tools))


def _bench(
    window: Window,
    extractor: catch.Extractor,
    half_read: Collection[str],
    guessed: Collection[str],
    given: Sequence[opinion.MomentOpinion] | None,
    tools: Tools,
) -> catch.Bench:
    """Of what was read by half nothing is known: it is made again. What was guessed may be worded better."""
    reader, storage, maker = tools.reader, tools.storage, _maker(extractor)
    there = storage.memories.from_run(window.run, list(State), reader)
    stands = [memory for memory in there if memory.state in (*STANDING, State.FORGOTTEN)]

    def known(memory: str) -> Memory | None:
        return None if memory in half_read else storage.memories.get(memory, reader)

    return catch.Bench(
        tools.gate(),
        tools.clock(),
        maker,
        known,
        partial(catch.near, model=tools.meaning, storage=storage, reader=reader),
        tools.meant,
        told={m.memory.id for recall in storage.recalls.shown_in(window.run, reader) for m in recall.shown},
        here=[memory for memory in stands if memory.id not in half_read and memory.id not in guessed],
        record=_record(maker, tools),
        opinion=_asked(given),
        by_hand=partial(is_by_hand, tools=tools),
        taught=[memory for memory in there if catch.is_taught(memory)],
    )


def _outcome(verdicts: Sequence[catch.Verdict], windows: int = 0) -> CatchOutcome:
    seen = [verdict for verdict in verdicts if isinstance(verdict, catch.NewObservation)]
    made = [verdict for verdict in verdicts if isinstance(verdict, catch.NewMemory)]
    return CatchOutcome(
        tuple(verdict.memory for verdict in made),
        tuple(one.better or one.memory for one in seen),
        tuple(verdict for verdict in verdicts if isinstance(verdict, catch.DraftRefusal)),
        tuple(verdict.memory for verdict in verdicts if isinstance(verdict, catch.Improvement)),
        tuple(verdict for verdict in verdicts if isinstance(verdict, catch.Omission)),
        windows,
        replaced=tuple(verdict.replaced for verdict in made if verdict.replaced),
    )


def _record(maker: str, tools: Tools) -> records.ExtractorRecord:
    """The classifier has none: it was measured before it was shipped."""
    read_by_a_model = maker.partition("@")[0] in SURER
    return record_of(maker, tools) if read_by_a_model else records.ExtractorRecord(records.name_of(maker))


def _opinions(window: Window, extractor: catch.Extractor) -> Sequence[opinion.MomentOpinion] | None:
    """The classifier's, of a Window that somebody else reads; they read without it where it cannot be loaded."""
    try:
        return opinion.opinions(window) if extractor.name in SURER else None
    except UnreadError:
        return None


def _asked(given: Sequence[opinion.MomentOpinion] | None) -> activation.Opinion:
    def of(spot: Spot) -> activation.ClassifierOpinion:
        found = opinion.opinion_at(spot, given or ())
        return activation.ClassifierOpinion(found.score, found.keeps) if found else activation.ClassifierOpinion()

    return of


def _agrees(read: WindowDrafts, given: Sequence[opinion.MomentOpinion] | None) -> bool | None:
    hearts = [draft.quotes[0].spot for draft in read.drafts if draft.quotes]
    return None if given is None else opinion.agrees(hearts, given)


def release(extractor: catch.Extractor, tools: Tools) -> Sequence[Memory]:
    """Memories that waited only for this model's probation to end, if it has ended."""
    record = record_of(_maker(extractor), tools)
    if records.on_probation(record):
        return ()
    held = tools.storage.memories.listed([State.HELD], tools.reader)
    because = activation.PROBATION.format(called=record.called)
    waiting = [m for m in held if m.held_because == because and records.name_of(m.maker) == record.name]
    if waiting:
        moved = catch.probation_over(waiting, tools.machine, tools.clock())
        write_down(moved, tools)
    return waiting


def is_by_hand(memory: str, tools: Tools) -> bool:
    """Whether a person made it, edited it or answered for it."""
    found = tools.storage.memories.get(memory, tools.reader)
    return (found is not None and found.maker == "person") or memory in _by_hand([memory], tools)


def _with_teachings(window: Window, read: WindowDrafts, extractor: catch.Extractor, tools: Tools) -> list[Draft]:
    """What the person taught in plain words beside what was read. What a believed reader is sure of comes first: it
    knows what the words are about, and the teaching is then known."""

    def known(memory: str) -> bool:
        return tools.storage.memories.get(memory, tools.reader) is not None

    taught = list(catch.taught_in(window, known)) if tools.teachings else []
    believed = _is_believed(extractor, tools)
    sure = [draft for draft in read.drafts if believed and draft.confidence >= catch.ACTIVE_FROM]
    return [*sure, *taught, *(draft for draft in read.drafts if draft not in sure)]


def _read_by_half(window: Window, extractor: str, tools: Tools) -> dict[str, Memory]:
    """Memories of a Window that was read before all of it had arrived: they are made again, or taken back."""
    done = tools.storage.catches.read(window.run, tools.reader)
    if not any(extractor in by and catch.overlaps(key, window) for key, by in done.items()):
        return {}
    return _made_by(extractor, window, tools)


def _made_by(extractor: str, window: Window, tools: Tools) -> dict[str, Memory]:
    """Out of this Window alone, and not touched by a person since."""
    standing = tools.storage.memories.from_run(window.run, [State.ACTIVE, State.HELD], tools.reader)
    found = {memory.id: memory for memory in standing if catch.only_from(memory, window, extractor)}
    theirs = _by_hand(found, tools)
    return {name: memory for name, memory in found.items() if name not in theirs}


def _by_hand(memories: Collection[str], tools: Tools) -> set[str]:
    """Those a person has edited or answered for: what they said stands."""
    if not memories:
        return set()
    lines = archive.entries_with(tools.disk, tools.layout, *memories)
    acts = [entry for entry in lines if entry.actor == "person" and entry.kind in (MEMORY, STATE)]
    return {entry.id if entry.kind == MEMORY else str(entry.data["memory"]) for entry in acts}
