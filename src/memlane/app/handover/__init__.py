"""What does whoever goes on need to know? Hand-overs of Runs, each line with its Step; titles and summaries."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from memlane.app.handover.digest import CitedText, FileWork, RunDigest, RunEnd, digest, short
from memlane.app.handover.page import HandOver, first_prompt, markdown
from memlane.app.handover.recap import Recap, Span, recap_page, touches
from memlane.app.handover.review import Highlight, Wrapped, wrap, wrapped_page
from memlane.app.handover.story import Keep, Story, everything, merge, naming, story_page, touching
from memlane.app.home import Home
from memlane.app.runs import RunBranch, Runs
from memlane.domain import STANDING, Memory, Order, RunFilter, RunSummary, Selection, State, Turn
from memlane.errors import DamagedError, NotFoundError

__all__ = [
    "CitedText",
    "FileWork",
    "HandOver",
    "HandOvers",
    "Highlight",
    "Recap",
    "RunDigest",
    "RunEnd",
    "Span",
    "Story",
    "Wrapped",
    "first_prompt",
    "markdown",
    "recap_page",
    "story_page",
    "without_subagents",
    "wrapped_page",
]


class HandOvers:
    def __init__(self, home: Home, runs: Runs) -> None:
        self._home, self._runs = home, runs
        self._read = dict[tuple[str, int, int], RunDigest]()  # while a Run stays as it is, it is read once

    def of(self, runs: Sequence[RunSummary], title: str = "", *, read: bool = False) -> HandOver:
        """Of these Runs, in the order they began. `read`: by the model of the settings, which may cost money."""
        if not runs:
            raise NotFoundError("there is no such run", hint="lane runs")
        ordered = sorted(runs, key=lambda run: (str(run.started), run.id))
        found = tuple(self._digest(run, read=read) for run in ordered)
        name = self._home.config.text("catch.model") if read else "rules"
        return HandOver(title or found[0].run.title, found, name)

    def recap(self, span: Span, seconds: float | None = None, which: RunFilter | None = None) -> Recap:
        """As many of its Runs as that time allows; those that were read before come at once."""
        chosen = replace(which or RunFilter(), since=span.since, until=span.until)
        runs = sorted(without_subagents(self._runs.select(chosen)), key=lambda run: (str(run.started), run.id))
        there = [run for run in runs if touches(run, span)]
        until = time.monotonic() + (seconds if seconds is not None else float("inf"))
        found = list[RunDigest]()
        for run in there:
            key = (run.id, run.generation, run.bytes)
            if key not in self._read and time.monotonic() < until:
                self._read[key] = self._digest(run, read=False)
            if key in self._read:
                found.append(replace(self._read[key], run=run))
        return Recap(span, tuple(found), tuple(self._formed(span)), len(there) - len(found))

    def wrapped(self, span: Span, which: RunFilter | None = None) -> Wrapped:
        chosen = replace(which or RunFilter(), since=span.since, until=span.until)
        runs = [run for run in self._runs.select(chosen) if run.started and span.since <= run.started < span.until]
        return wrap(span, runs, self._formed(span), span.since.tzinfo)

    def _formed(self, span: Span) -> Sequence[Memory]:
        which = Selection(states=STANDING, since=span.since, until=span.until, order=Order.OLD)
        return self._home.storage().memories.found(which, self._home.reader)

    # -- several runs as one ----------------------------------------------------------------------------------------

    def story(self, runs: Sequence[str], title: str = "", names: Collection[str] = ()) -> Story:
        """These Runs; with `names`, only the turns that say one of them."""
        found = [self._runs.get(one) for one in dict.fromkeys(runs)]
        return self._story(found, title, naming(names) if names else everything)

    def story_of_tree(self, given: str) -> Story:
        return self._story(without_subagents(self.family(given)), "", everything)

    def story_of_file(self, path: str, which: RunFilter) -> Story:
        """The turns that changed it, in every Run that did."""
        edits = self._runs.edits(path, which)
        spots = {(touch.run, touch.turn) for one in edits for touch in one.touches}
        return self._story([one.run for one in edits], path, touching(spots))

    def _story(self, runs: Sequence[RunSummary], title: str, keep: Keep) -> Story:
        if not runs:
            raise NotFoundError("no run is about that", hint="lane search, lane runs")
        ordered = sorted(runs, key=lambda run: (str(run.started), run.id))
        told = [(run, self._turns(run)) for run in ordered]
        return merge(title or ordered[0].title or ordered[0].id, told, keep)

    def _turns(self, run: RunSummary) -> Iterator[Turn]:
        with suppress(DamagedError):  # `lane doctor` says so; the other runs are still told
            yield from self._runs.cut(run.id, short)

    def family(self, given: str) -> Sequence[RunSummary]:
        """A Run, those that came out of it, and those it came out of."""
        run = self._runs.get(given)
        roots = self._runs.tree(RunFilter())
        for root in roots:
            inside = list(_flat(root))
            if any(one.id == run.id for one in inside):
                return inside
        return [run]

    def _digest(self, run: RunSummary, *, read: bool) -> RunDigest:
        try:
            turns = list(self._runs.cut(run.id, short))
        except DamagedError:  # `lane doctor` says so; the rest of a day is still told
            return RunDigest(run)
        memories = self._home.storage().memories.from_run(run.id, [State.ACTIVE, State.HELD], self._home.reader)
        found = digest(run, turns, memories)
        if read:
            from memlane.app.handover.reader import read as read_by_model

            return read_by_model(self._home, found, turns)
        return found


def _flat(branch: RunBranch) -> Iterator[RunSummary]:
    yield branch.run
    for child in branch.children:
        yield from _flat(child)


def without_subagents(runs: Iterable[RunSummary]) -> list[RunSummary]:
    """Their words are in the Run that started them."""
    return [run for run in runs if run.relation != "subagent"]
