"""Insights: what work took, when it happens, what memories are worth, what keeps coming back. Every number leads to its
list, and none is about a person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Idea, Memory, Outcome, Recall, RunSummary, Selection, Tally, Type
from memlane.surfaces import schema
from memlane.surfaces.api import RouteRequest
from memlane.surfaces.schema import Schema
from memlane.surfaces.web.dates import Month, firsts, midnight, months_of
from memlane.surfaces.web.formats import tool
from memlane.surfaces.web.pages.runs import SINCE
from memlane.surfaces.web.recoveries import recoveries
from memlane.surfaces.web.views import PageView, field, view

if TYPE_CHECKING:
    from memlane.app import Lane

RECALLS = 10_000  # newest ones
BARS = 60
BEST = 5
YEAR = 12  # months
CORRECTIONS = Selection(states=STANDING, type=Type.CORRECTION.value)
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
PERIODS = {"": "any time", "7d": "last week", "30d": "last month", "365d": "last year"}
TAKES: Mapping[str, Schema] = {
    "since": schema.one_of(list(PERIODS), "how far back"),
    "agent": schema.text("only of this agent", 60, least=0),
    "machine": schema.text("only of this machine", 60, least=0),
}


@dataclass(frozen=True, slots=True)
class TokenBar:
    """Tokens of some days: what was read, written, and read again from a cache."""

    first: date
    last: date
    read: int
    written: int
    cached: int

    @property
    def called(self) -> str:
        days = "" if self.first == self.last else f" to {self.last.day} {self.last:%b}"
        return f"{self.first.day} {self.first:%b}{days}"


@dataclass(frozen=True, slots=True)
class MemoryUsage:
    """How a Memory did: in how many Runs it was told, what it took there, thumbs."""

    memory: Memory
    runs: int
    tokens: int
    up: int
    down: int


def page(lane: Lane, want: RouteRequest) -> PageView:
    now = lane.home.clock()
    every, recalls = chosen(lane, want), _recalls(lane, want, now)
    told = [one for one in recalls if one.outcome is Outcome.SHOWN]
    served = _served(lane, told)
    days = {run.ended.astimezone().date() for run in every if run.ended}
    return view(
        "insights.html",
        "Insights",
        runs=every,
        turns=sum(run.person_turns for run in every),
        read=sum(run.tokens.input for run in every),
        written=sum(run.tokens.output for run in every),
        cached=sum(run.tokens.cached for run in every),
        days=len(days),
        recalls=len(recalls),
        told=len(told),
        judged=sum(one.up + one.down for one in served),
        down=sum(one.down for one in served),
        hours=_hours(every),
        weekdays=WEEKDAYS,
        spent=(spent := _spent(every)),
        most=max((bar.read + bar.written for bar in spent), default=0) or 1,
        helps=sorted((one for one in served if one.up > one.down), key=lambda one: one.down - one.up)[:BEST],
        costs=sorted((one for one in served if not one.up), key=lambda one: -one.tokens)[:BEST],
        corrections=_corrections(lane, now),
        asks=_asks(lane),
        agents=sorted({run.agent for run in every}),
        machines=sorted({run.machine for run in every}),
        periods=PERIODS,
        later=want.asked.path.rstrip("/") + "/work",
    )


def chosen(lane: Lane, want: RouteRequest) -> Sequence[RunSummary]:
    """Newest first."""
    from memlane.domain import RunFilter  # noqa: PLC0415 - loaded with the first question

    since = SINCE.get(field(want, "since"))
    start = lane.home.clock() - since if since else None
    which = RunFilter(agent=field(want, "agent"), machine=field(want, "machine"), since=start)
    return lane.runs.select(which)


def _recalls(lane: Lane, want: RouteRequest, now: datetime) -> Sequence[Recall]:
    since, agent = SINCE.get(field(want, "since")), field(want, "agent")
    found = lane.recall.newest(RECALLS)
    return [one for one in found if (not since or one.at >= now - since) and agent in ("", one.query.agent)]


def _served(lane: Lane, told: Sequence[Recall]) -> Sequence[MemoryUsage]:
    verdicts = lane.recall.feedback.given_on(told)
    runs, memories = dict[str, set[str]](), dict[str, Memory]()
    tokens, up, down = Counter[str](), Counter[str](), Counter[str]()
    for recall in told:
        for match in recall.shown:
            memory = match.memory
            memories[memory.id] = memory
            runs.setdefault(memory.id, set()).add(recall.query.run)
            tokens[memory.id] += len(memory.text) // 4
            if verdict := verdicts.get((recall.id, memory.id)):
                (up if verdict.up else down)[memory.id] += 1
    return [MemoryUsage(one, len(runs[id_]), tokens[id_], up[id_], down[id_]) for id_, one in memories.items()]


def _hours(runs: Sequence[RunSummary]) -> Sequence[Sequence[tuple[int, int]]]:
    """For each weekday, each hour: how many Runs began then, and how dark that is, 0 to 4."""
    counted = Counter[tuple[int, int]]()
    for run in runs:
        if run.started is not None:
            began = run.started.astimezone()
            counted[began.weekday(), began.hour] += 1
    most = max(counted.values(), default=1)
    return [[(n := counted[day, hour], -(-4 * n // most)) for hour in range(24)] for day in range(len(WEEKDAYS))]


def _spent(runs: Sequence[RunSummary]) -> Sequence[TokenBar]:
    """By day; by several days where they are many."""
    dated = [(run.ended.astimezone().date(), run.tokens) for run in runs if run.ended]
    if not dated:
        return []
    first, last = min(day for day, _ in dated), max(day for day, _ in dated)
    each = max(1, -(-((last - first).days + 1) // BARS))
    found = dict[int, list[int]]()
    for day, tokens in dated:
        into = found.setdefault((day - first).days // each, [0, 0, 0])
        into[0] += max(0, tokens.input)
        into[1] += tokens.output
        into[2] += tokens.cached
    bars = range((last - first).days // each + 1)
    begins = [first + timedelta(days=n * each) for n in bars]
    return [
        TokenBar(begin, min(last, begin + timedelta(days=each - 1)), *found.get(n, (0, 0, 0)))
        for n, begin in zip(bars, begins, strict=True)
    ]


def _corrections(lane: Lane, now: datetime) -> Sequence[Month]:
    here = now.astimezone()
    edges = [midnight(first) for first in firsts(here.date(), YEAR + 1)]
    counts = lane.memories.over_time(edges, "", CORRECTIONS)
    return months_of([sum(one.values()) for one in counts], here.date())


def _asks(lane: Lane) -> Sequence[Idea]:
    """What people keep asking for, as the last dream that looked found it."""
    reports = lane.dream.reports()
    last = next((told.dream for told in reports if not told.undone and not told.dream.failed), None)
    return [idea for idea in last.ideas if idea.kind == "skill"] if last else []


AT_ONCE = 0.4  # seconds of reading at each look: others wait for an answer too
TOOLS = 14
MENDED = 12


@dataclass(frozen=True, slots=True)
class ToolUse:
    name: str
    calls: int
    failed: int
    runs: int


def work(lane: Lane, want: RouteRequest) -> PageView:
    runs = chosen(lane, want)
    found = lane.runs.tallies.of(runs, AT_ONCE)
    mended = recoveries(lane, [run for run in runs if run.id in found], found)
    return view(
        "work.html",
        "Work",
        tools=_tools(list(found.values()))[:TOOLS],
        looked=len(found),
        all=len(runs),
        recoveries=mended[:MENDED],
        moments=sum(one.times for one in mended),
        remembered=sum(one.memory is not None for one in mended),
        kinds=len(mended),
    )


def _tools(tallies: Sequence[Tally]) -> Sequence[ToolUse]:
    """One agent's `Bash` is another's `bash`: they are one."""
    calls, failed, runs, called = Counter[str](), Counter[str](), Counter[str](), dict[str, str]()
    for tally in tallies:
        for name, count in tally.calls.items():
            key = tool(name).casefold()
            called[key] = min(called.get(key, tool(name)), tool(name))
            calls[key] += count
            failed[key] += tally.failures.get(name, 0)
            runs[key] += 1
    return [ToolUse(called[key], count, failed[key], runs[key]) for key, count in calls.most_common()]
