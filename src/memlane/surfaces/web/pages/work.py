"""What Runs did, counted from their transcripts, a piece at each look: tools, and errors with what came of them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memlane.domain import STANDING, Memory, Mended, RunSummary, Tally
from memlane.surfaces.api import Want
from memlane.surfaces.web.look import one_line, tool
from memlane.surfaces.web.pages.insights import chosen
from memlane.surfaces.web.views import View, view

if TYPE_CHECKING:
    from memlane.app import Lane

AT_ONCE = 0.4  # seconds of reading at each look: others wait for an answer too
TOOLS = 14
MENDED = 12
_CHANGING = re.compile(r"[0-9a-f]{7,}|\d+|/\S+/")
_TAGS = re.compile(r"</?\w+>")
_SAYS_NOTHING = re.compile(r"(exit code:? \d+|error:?|failed|\W*output truncated\W*|\W*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tool:
    name: str
    calls: int
    failed: int
    runs: int


@dataclass(frozen=True, slots=True)
class Recovery:
    """The same failure, wherever it came up; `memory` is what was learnt from it, if anything was."""

    mended: Mended
    run: RunSummary
    times: int
    runs: int
    memory: Memory | None

    @property
    def error(self) -> str:
        return _error(self.mended)

    @property
    def command(self) -> str:
        """What has it remembered, as a person would say it."""
        said = f"{one_line(self.mended.did, 90)} works where {one_line(self.mended.tried, 90)} fails"
        return f"lane remember {shlex.quote(said)}"


def page(lane: Lane, want: Want) -> View:
    runs = chosen(lane, want)
    found = lane.runs.tallies.of(runs, AT_ONCE)
    recoveries = _recoveries(lane, [run for run in runs if run.id in found], found)
    return view(
        "work.html",
        "Work",
        tools=_tools(list(found.values()))[:TOOLS],
        looked=len(found),
        all=len(runs),
        recoveries=recoveries[:MENDED],
        moments=sum(one.times for one in recoveries),
        remembered=sum(one.memory is not None for one in recoveries),
        kinds=len(recoveries),
    )


def _tools(tallies: Sequence[Tally]) -> Sequence[Tool]:
    """One agent's `Bash` is another's `bash`: they are one."""
    calls, failed, runs, called = Counter[str](), Counter[str](), Counter[str](), dict[str, str]()
    for tally in tallies:
        for name, count in tally.calls.items():
            key = tool(name).casefold()
            called[key] = min(called.get(key, tool(name)), tool(name))
            calls[key] += count
            failed[key] += tally.failures.get(name, 0)
            runs[key] += 1
    return [Tool(called[key], count, failed[key], runs[key]) for key, count in calls.most_common()]


def _recoveries(lane: Lane, runs: Sequence[RunSummary], tallies: Mapping[str, Tally]) -> Sequence[Recovery]:
    """Those that came up most first, then the newest."""
    learnt = _learnt(lane, [run.id for run in runs if tallies[run.id].mended])
    found = dict[str, list[tuple[RunSummary, Mended]]]()
    for run in runs:
        for mended in tallies[run.id].mended:
            found.setdefault(_CHANGING.sub("#", _error(mended)).casefold(), []).append((run, mended))
    made = [_recovery(some, learnt) for some in found.values()]
    return sorted(made, key=lambda one: (-one.runs, one.memory is None, -one.times))


def _error(mended: Mended) -> str:
    """What was said about it; where that is only that it failed, what was tried too."""
    said = _TAGS.sub("", mended.error).strip()
    return f"{one_line(mended.tried, 80)}: {said or 'failed'}" if _SAYS_NOTHING.fullmatch(said) else said


def _recovery(
    some: Sequence[tuple[RunSummary, Mended]], learnt: Mapping[str, Sequence[tuple[int, Memory]]]
) -> Recovery:
    run, mended = some[0]
    memory = next(
        (
            known
            for one, each in some
            for turn, known in learnt.get(one.id, ())
            if each.failed.turn <= turn <= each.worked.turn
        ),
        None,
    )
    return Recovery(mended, run, len(some), len({one.id for one, _mended in some}), memory)


def _learnt(lane: Lane, runs: Sequence[str]) -> Mapping[str, Sequence[tuple[int, Memory]]]:
    """By Run: in which Turn which Memory stands."""
    found = dict[str, list[tuple[int, Memory]]]()
    for run in runs:
        for memory in lane.memories.formed_in(run):
            for evidence in memory.evidence:
                if memory.state in STANDING and evidence.run == run and (place := re.search(r"#t(\d+)", evidence.step)):
                    found.setdefault(run, []).append((int(place[1]), memory))
    return found
