"""A dream's report on a screen: counts first, then each change with its reason, then what a person may decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memlane.domain import Change, Done, Dream, Memory
from memlane.surfaces.cli.frame import Screen
from memlane.surfaces.cli.text import clock, day, different, many, one_line, wrapped
from memlane.surfaces.dreamt import ABOUT, counted, of_sort, untouched

Title = Callable[[str], str]
Reworded = Callable[[Done], tuple[Memory, Memory] | None]  # as it was, and as it is now

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
        yield from wrapped(f"It failed, and nothing was changed: {report.failed}", screen.columns)
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
    rows = [(change.value, counted(report, change), ABOUT[change]) for change in Change if of_sort(report, change)]
    rows += [("to decide", str(len(report.doubts)), "both could be true")] if report.doubts else []
    rows += [("refused", str(len(report.refused)), "a rule said no")] if report.refused else []
    rows.append(("left as they are", f"{untouched(report):,}", ""))
    for name, count, about in rows:
        yield screen.cut(f"  {name:<16} {count:<12} {about}".rstrip(), screen.columns)


def _changes(screen: Screen, done: list[Done], title: Title, reworded: Reworded) -> Iterator[str]:
    for one in done[:MOST]:
        yield from _change(screen, one, title)
        yield from _words(screen, one, reworded)
    if len(done) > MOST:
        yield f"  and {len(done) - MOST:,} more: lane dream report --json"


def _change(screen: Screen, one: Done, title: Title) -> Iterator[str]:
    if one.change is Change.MERGED:
        taken = " + ".join(name[:SHORT] for name in one.memories)
        yield _cut(screen, f"  {taken} -> {_named(one.result, title)}")
    else:
        yield _cut(screen, f"  {_named(one.memories, title)}")
        if one.result and one.result != one.memories:
            yield _cut(screen, f"   -> {_named(one.result, title)}")
    yield from (f"      {line}" for line in wrapped(one_line(one.because), screen.columns - 6))


def _words(screen: Screen, one: Done, reworded: Reworded) -> Iterator[str]:
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
        yield from ("", screen.styled("to decide", "bold"))
    for doubt in report.doubts:
        yield _cut(screen, "  " + "  <->  ".join(_named((name,), title) for name in doubt.memories))
        yield from (f"      {line}" for line in wrapped(one_line(doubt.because), screen.columns - 6))
    if report.doubts:
        yield "      keep one: lane mem forget the other   keep both: nothing, or say when each holds: lane mem edit"
    if report.ideas:
        yield from ("", screen.styled("ideas", "bold"))
    for idea in report.ideas:
        yield _cut(
            screen, f"  {idea.kind}: {one_line(idea.title)}   {' '.join(name[:SHORT] for name in idea.memories)}"
        )
    if report.refused:
        yield from ("", screen.styled("refused", "bold"))
    for refusal in report.refused:
        names = " ".join(name[:SHORT] for name in refusal.memories)
        yield _cut(screen, f"  {refusal.change}: {names}   {refusal.rule}")


def _last_words(report: Dream, *, dry_run: bool) -> Iterator[str]:
    if report.untouched or not report.done or not dry_run:
        yield ""
    if report.untouched:
        never = ", ".join(f"{why} ({count})" for why, count in sorted(report.untouched.items()))
        yield f"Never touched by a dream: {never}"
    if report.done and not dry_run:
        one = report.done[0].memories[0]
        undo = f"lane dream undo {report.id[:SHORT]}"
        yield f"undo all: {undo}     undo one: {undo} {one[:SHORT]}"
    elif not report.done:
        yield f"Nothing to do: {many(report.new + report.older, 'memory', 'memories')} as they were."


def _named(names: tuple[str, ...], title: Title) -> str:
    return ", ".join(f'{name[:SHORT]}  "{one_line(title(name))}"' for name in names)


def _cut(screen: Screen, text: str) -> str:
    return screen.cut(text, screen.columns)
