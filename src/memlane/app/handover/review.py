"""A year, or any span, on one page to keep: numbers, and the highlights behind them. From summaries alone. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from memlane.app.handover.recap import Span
from memlane.domain import Memory, RunSummary

TOP = 5
NIGHT = range(5)  # hours after midnight


@dataclass(frozen=True, slots=True)
class Highlight:
    """Something worth remembering, and the Run or Memory it was."""

    title: str
    text: str
    link: str = ""


@dataclass(frozen=True, slots=True)
class Wrapped:
    span: Span
    numbers: dict[str, int]
    highlights: tuple[Highlight, ...]
    agents: tuple[tuple[str, int], ...]
    projects: tuple[tuple[str, int], ...]
    months: tuple[tuple[str, int], ...]  # prompts in each that had some
    hours: tuple[int, ...]  # Runs begun in each of the 24


def wrap(span: Span, runs: Sequence[RunSummary], memories: Sequence[Memory], zone: tzinfo | None) -> Wrapped:
    """`runs` with subagents; `memories` that were formed in the span."""
    own = [run for run in runs if run.relation != "subagent"]
    days = Counter(_day(run, zone) for run in own)
    numbers = {
        "runs": len(own),
        "subagents": len(runs) - len(own),
        "prompts": sum(run.person_turns for run in own),
        "tool calls": sum(run.tool_calls for run in runs),
        "files touched": len({path for run in runs for path in run.files}),
        "tokens written": sum(run.tokens.output for run in runs),
        "projects": len({run.project.key for run in own if run.project.key}),
        "machines": len({run.machine for run in own}),
        "active days": len(days),
        "longest streak of days": len(_streak(sorted(days))),
        "new memories": len(memories),
    }
    return Wrapped(
        span,
        numbers,
        tuple(_highlights(own, days, memories, zone)),
        tuple(Counter(run.agent for run in own).most_common(TOP)),
        tuple(Counter(run.project.name for run in own if run.project.name).most_common(TOP)),
        tuple(_months(own, zone)),
        tuple(Counter(_local(run.started, zone).hour for run in own if run.started).get(hour, 0) for hour in range(24)),
    )


def _highlights(
    runs: Sequence[RunSummary], days: Counter[date], memories: Sequence[Memory], zone: tzinfo | None
) -> Iterator[Highlight]:
    if not runs:
        return
    streak = _streak(sorted(days))
    first = min(runs, key=lambda run: (str(run.started), run.id))
    yield Highlight("The first run", f"{_name(first)} on {_when(first, zone)}", first.id)
    longest = max(runs, key=lambda run: (run.person_turns, run.id))
    yield Highlight(
        "The longest talk",
        f"{_name(longest)}, {_many(longest.person_turns, 'prompt')}",
        longest.id,
    )
    busiest, count = days.most_common(1)[0]
    yield Highlight("The busiest day", f"{_date(busiest)}, {_many(count, 'run')}")
    if len(streak) > 1:
        yield Highlight("The longest streak", f"{len(streak)} days, {_date(streak[0])} to {_date(streak[-1])}")
    late = [run for run in runs if run.started and _local(run.started, zone).hour in NIGHT]
    if late:
        latest = max(late, key=lambda run: _clock(run, zone))
        yield Highlight("The latest night", f"{_name(latest)} at {_clock(latest, zone)}", latest.id)
    stubborn = max(runs, key=lambda run: (run.errors, run.id))
    if stubborn.errors:
        failed = _many(stubborn.errors, "failed call")
        yield Highlight("The most stubborn problem", f"{_name(stubborn)}, {failed}", stubborn.id)
    told = max(memories, key=lambda memory: (memory.recall_count, memory.id), default=None)
    if told is not None and told.recall_count:
        yield Highlight("The memory told most", f"“{told.title}” in {_many(told.recall_count, 'run')}", told.id)


def _months(runs: Sequence[RunSummary], zone: tzinfo | None) -> Iterator[tuple[str, int]]:
    counted = Counter[tuple[int, int]]()
    for run in runs:
        day = _day(run, zone)
        counted[day.year, day.month] += run.person_turns
    yield from ((f"{date(year, month, 1):%b %Y}", count) for (year, month), count in sorted(counted.items()))


def _streak(days: Sequence[date]) -> Sequence[date]:
    """The longest row of days, the first of several."""
    best, row = list[date](), list[date]()
    for day in days:
        row = [*row, day] if row and day - row[-1] == timedelta(days=1) else [day]
        best = row if len(row) > len(best) else best
    return best


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _local(at: datetime, zone: tzinfo | None) -> datetime:
    return at.astimezone(zone)


def _day(run: RunSummary, zone: tzinfo | None) -> date:
    at = run.started or run.ended
    return _local(at, zone).date() if at else date.min


def _name(run: RunSummary) -> str:
    return f"“{run.title.rstrip('.')}”" if run.title else run.id


def _when(run: RunSummary, zone: tzinfo | None) -> str:
    return _date(_day(run, zone))


def _date(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _clock(run: RunSummary, zone: tzinfo | None) -> str:
    return f"{_local(run.started, zone):%H:%M}" if run.started else ""


def wrapped_page(wrapped: Wrapped) -> Iterator[str]:
    """As Markdown."""
    yield f"# {wrapped.span.name}, wrapped"
    yield ""
    if not wrapped.numbers["runs"]:
        yield "Nothing was recorded."
        return
    yield from (f"- {name.capitalize()}: **{count:,}**" for name, count in wrapped.numbers.items() if count)
    yield ""
    yield "## Highlights"
    yield ""
    for one in wrapped.highlights:
        yield f"- **{one.title}**: {one.text}" + (f" (`{one.link}`)" if one.link else "")
    for heading, rows in (("Agents", wrapped.agents), ("Projects", wrapped.projects), ("Months", wrapped.months)):
        if rows:
            yield ""
            yield f"## {heading}"
            yield ""
            unit = "prompt" if heading == "Months" else "run"
            yield from (f"- {name}: {_many(count, unit)}" for name, count in rows)
