"""`lane dream`: tidy up what is remembered, report each change with its reason, and undo any of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

import click

from memlane.domain import AppliedChange, Change, Dream, Memory
from memlane.surfaces.cli import frame
from memlane.surfaces.cli.frame import Column, Screen, VerbGroup
from memlane.surfaces.cli.mem.folder import findings_of
from memlane.surfaces.cli.text import ago, clock, day, different, iso, many, one_line, wrapped
from memlane.surfaces.documents import of_dream
from memlane.surfaces.phrases import CHANGE_REASONS, counted, headline, of_sort, untouched

if TYPE_CHECKING:
    from memlane.app.dream import DreamReport

FAILED = 1
TO_DECIDE, IDEAS, REFUSED, LEFT = "to decide", "ideas", "refused", "left as they are"
NEVER_TOUCHED, FAILURE = "Dreams never touch", "Failed, nothing was changed"
EXAMPLES = """
lane dream --dry-run
lane dream
lane dream report
lane dream undo d_5af5 m_41c9
"""


@frame.command(kind=VerbGroup, examples=EXAMPLES)
@click.option("--dry-run", is_flag=True, help="Show what would happen and change nothing.")
@click.option("--now", is_flag=True, help="Run even while an agent is in use.")
def command(screen: Screen, dry_run: bool, now: bool) -> None:
    """Merge duplicates, settle contradictions, retire stale memories. Every step can be undone."""
    with screen.lane() as lane:
        if dry_run:
            decided = lane.dream.dry_run(steps_aside=not now)
            report, made = decided.report, {m.id: m.title for one in decided.kept for m in one.after}
            _told(screen, report, lambda name: made.get(name) or lane.dream.title(name), decided.reworded, dry_run=True)
        else:
            report = lane.dream.run(steps_aside=not now)
            _told(screen, report, lane.dream.title, partial(lane.dream.reworded, report), dry_run=False)
        for one in findings_of(lane.folder.told):  # what people changed in the memory folder
            screen.note(f"{one.what}{f' ({one.hint})' if one.hint else ''}")
    if report.failed:
        screen.leave(FAILED)


@frame.command("report", of=cast(click.Group, command), lists=True)
@click.argument("dream", required=False, default="")
@click.option("--list", "list_", is_flag=True, help="List all dreams, newest first.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="At most this many.")
def report(screen: Screen, dream: str, list_: bool, limit: int) -> None:
    """Show what the last dream (or DREAM) did, and why."""
    with screen.lane() as lane:
        if list_:
            _listed(screen, lane.dream.reports()[:limit])
            return
        told = lane.dream.report(screen.meant(dream))
        reworded = partial(lane.dream.reworded, told.dream)
        schema = "lane.dream.report/1"
        _told(screen, told.dream, lane.dream.title, reworded, dry_run=False, undone=told.undone, schema=schema)


@frame.command("undo", of=cast(click.Group, command))
@click.argument("dream")
@click.argument("memory", required=False, default="")
def undo(screen: Screen, dream: str, memory: str) -> None:
    """Undo a dream, entirely or for one memory."""
    with screen.lane() as lane:
        undone = lane.dream.undo(screen.meant(dream), screen.meant(memory) if memory else "")
        titles = {name: lane.dream.title(name) for name in undone.names}
    redo = f"lane undo {undone.by}"
    if screen.json:
        data = {"dream": undone.act.dream, "names": undone.names, "left": undone.left}
        screen.emit("lane.dream.undo/1", data, {"undo": redo})
    elif screen.terminal:
        screen.line(f"Undone: {many(len(undone.names), 'memory', 'memories')} of {undone.act.dream}")
        for name, title in titles.items():
            screen.line(screen.cut(f"  {name[:6]}  {title}", screen.columns))
        screen.line(f"  redo: {redo}")
    else:
        screen.record(undone.act.dream, undone.by, *undone.names)
    if undone.left:
        screen.note(f"{', '.join(undone.left)} changed since and was left unchanged")


def _told(
    screen: Screen,
    report: Dream,
    title: Title,
    reworded: Reworded,
    *,
    dry_run: bool,
    undone: bool = False,
    schema: str = "lane.dream/1",
) -> None:
    if screen.json:
        screen.emit(schema, of_dream(report), {"dry_run": dry_run, "undone": undone})
        return
    if not screen.terminal:
        for fields in _records(report):
            screen.record(*fields)
    else:
        screen.paged(drawn(screen, report, title, reworded, dry_run=dry_run, undone=undone))
    if report.failed:
        screen.note(f"nothing was changed: {report.failed}")


def _records(report: Dream) -> Iterator[tuple[str, str, str, str]]:
    """For a pipe, in the words of the screen: what, which memories, what they are now, why. What was left is last."""
    if report.failed:
        yield FAILURE, "", "", report.failed
        return
    for one in report.done:
        yield one.change.value, " ".join(one.memories), " ".join(one.result), one.because
    for doubt in report.doubts:
        yield TO_DECIDE, " ".join(doubt.memories), "", doubt.because
    for idea in report.ideas:
        yield IDEAS, " ".join(idea.memories), "", f"{idea.kind}: {idea.title}"
    for refusal in report.refused:
        yield REFUSED, " ".join(refusal.memories), "", f"{refusal.change}: {refusal.rule}"
    yield LEFT, "", "", many(untouched(report), "memory", "memories")
    if report.untouched:
        yield NEVER_TOUCHED, "", "", _never_touched(report)


def _listed(screen: Screen, reports: Sequence[DreamReport]) -> None:
    screen.remember_list([told.dream.id for told in reports])
    numbers = {told.dream.id: str(n) for n, told in enumerate(reports, 1)}
    columns = [
        Column(lambda t: numbers[t.dream.id], None, "dim", right=True),
        Column(lambda t: t.dream.id[:6], lambda t: t.dream.id),
        Column(lambda t: ago(t.dream.ended, screen.now), lambda t: iso(t.dream.ended), right=True),
        Column(lambda t: "undone" if t.undone else "", lambda t: "undone" if t.undone else "done"),
        Column(lambda t: headline(t.dream), lambda t: headline(t.dream), stretch=True),
    ]
    screen.listing("lane.dream.list/1", reports, lambda t: of_dream(t.dream) | {"undone": t.undone}, columns)
    if not reports and not screen.json:
        screen.say("No dream has run yet.")


Title = Callable[[str], str]
Reworded = Callable[[AppliedChange], tuple[Memory, Memory] | None]  # as it was, and as it is now

REWORDS = frozenset({Change.EXACT, Change.SHORTER})
SHORT = 6  # characters of an id
MOST = 20  # changes of one kind that are told one by one


def drawn(
    screen: Screen, report: Dream, title: Title, reworded: Reworded, *, dry_run: bool, undone: bool = False
) -> Iterator[str]:
    """As in UX 3.6. A dry run is the same in other words."""
    when = f"{day(report.began, screen.now)} {clock(report.began)} to {clock(report.ended)}"
    lead = "Dry run, nothing was written" if dry_run else f"Dream {report.id[:SHORT]}   {when}"
    yield f"{lead}   {report.reader}, {report.tokens} paid tokens{'   undone' if undone else ''}"
    yield f"Read {report.new:,} new and {report.older:,} older memories."
    if report.failed:
        yield ""
        yield from wrapped(f"{FAILURE}: {report.failed}", screen.columns)
        return
    yield ""
    yield from _table(screen, report)
    for change in Change:
        if of_sort(report, change):
            yield ""
            yield screen.styled(change.value, "bold")
            yield from _changes(screen, of_sort(report, change), title, reworded)
    yield from _decisions(screen, report, title)
    yield from _last_words(report, dry_run=dry_run or undone)


def _table(screen: Screen, report: Dream) -> Iterator[str]:
    rows = [
        (change.value, counted(report, change), CHANGE_REASONS[change]) for change in Change if of_sort(report, change)
    ]
    rows += [(TO_DECIDE, str(len(report.doubts)), "both could be true")] if report.doubts else []
    rows += [(REFUSED, str(len(report.refused)), "a rule said no")] if report.refused else []
    rows.append((LEFT, f"{untouched(report):,}", ""))
    for name, count, about in rows:
        yield screen.cut(f"  {name:<16} {count:<12} {about}".rstrip(), screen.columns)


def _changes(screen: Screen, done: list[AppliedChange], title: Title, reworded: Reworded) -> Iterator[str]:
    for one in done[:MOST]:
        yield from _change(screen, one, title)
        yield from _words(screen, one, reworded)
    if len(done) > MOST:
        yield f"  and {len(done) - MOST:,} more: lane dream report --json"


def _change(screen: Screen, one: AppliedChange, title: Title) -> Iterator[str]:
    if one.change is Change.MERGED:
        taken = " + ".join(name[:SHORT] for name in one.memories)
        yield _cut(screen, f"  {taken} -> {_named(one.result, title)}")
    else:
        yield _cut(screen, f"  {_named(one.memories, title)}")
        if one.result and one.result != one.memories:
            yield _cut(screen, f"   -> {_named(one.result, title)}")
    yield from (f"      {line}" for line in wrapped(one_line(one.because), screen.columns - 6))


def _words(screen: Screen, one: AppliedChange, reworded: Reworded) -> Iterator[str]:
    """Where a text was changed: the title, or else the stretch below it."""
    found = reworded(one) if one.change in REWORDS else None
    if found is None:
        return
    was, became = found
    texts = (was.title, became.title) if was.title != became.title else (was.content, became.content)
    before, after = different(*texts, screen.columns - 14)
    yield _cut(screen, f"      before: {before or 'nothing'}")
    yield _cut(screen, f"      after:  {after or 'nothing'}")


def _decisions(screen: Screen, report: Dream, title: Title) -> Iterator[str]:
    if report.doubts:
        yield from ("", screen.styled(TO_DECIDE, "bold"))
    for doubt in report.doubts:
        yield _cut(screen, "  " + "  <->  ".join(_named((name,), title) for name in doubt.memories))
        yield from (f"      {line}" for line in wrapped(one_line(doubt.because), screen.columns - 6))
    if report.doubts:
        yield "      keep one: lane mem forget the other   keep both: do nothing, or edit when each applies"
    if report.ideas:
        yield from ("", screen.styled(IDEAS, "bold"))
    for idea in report.ideas:
        yield _cut(
            screen, f"  {idea.kind}: {one_line(idea.title)}   {' '.join(name[:SHORT] for name in idea.memories)}"
        )
    if report.refused:
        yield from ("", screen.styled(REFUSED, "bold"))
    for refusal in report.refused:
        names = " ".join(name[:SHORT] for name in refusal.memories)
        yield _cut(screen, f"  {refusal.change}: {names}   {refusal.rule}")


def _last_words(report: Dream, *, dry_run: bool) -> Iterator[str]:
    if report.untouched or not report.done or not dry_run:
        yield ""
    if report.untouched:
        yield f"{NEVER_TOUCHED}: {_never_touched(report)}"
    if report.done and not dry_run:
        one = report.done[0].memories[0]
        undo = f"lane dream undo {report.id[:SHORT]}"
        yield f"undo all: {undo}     undo one: {undo} {one[:SHORT]}"
    elif not report.done:
        yield f"Nothing to do: {many(report.new + report.older, 'memory', 'memories')} unchanged."


def _never_touched(report: Dream) -> str:
    return ", ".join(f"{why} ({count})" for why, count in sorted(report.untouched.items()))


def _named(names: tuple[str, ...], title: Title) -> str:
    return ", ".join(f'{name[:SHORT]}  "{one_line(title(name))}"' for name in names)


def _cut(screen: Screen, text: str) -> str:
    return screen.cut(text, screen.columns)
