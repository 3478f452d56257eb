"""Recalls as they were written down: the newest, those of a Run, those that told a Memory, the last one."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from memlane.app.home import SHORTEST_PREFIX, Home
from memlane.domain import Match, Recall, RecallMoment, run_id
from memlane.errors import NotFoundError

LOOKED_BACK = 20  # recalls
LOOKED_THROUGH = 500  # recalls, for a run that is not captured yet
BETWEEN_LOOKS = 1.0  # seconds, and
AT_ONCE = 100  # recalls that may be made in them


class PastRecalls:
    def __init__(self, home: Home) -> None:
        self._home = home

    def newest(self, limit: int | None = None, *, run: str = "") -> Sequence[Recall]:
        return self._with_lent(self._home.storage().recalls.newest(limit, self._home.reader, run=run))

    def follow(self, *, run: str = "", every: float = BETWEEN_LOOKS) -> Iterator[Recall]:
        """Each Recall from now on, as it is written down, the oldest first. It ends when the caller stops."""
        return self._after({one.id for one in self.newest(AT_ONCE, run=run)}, run, every)

    def _after(self, seen: set[str], run: str, every: float) -> Iterator[Recall]:
        while True:
            for one in reversed(self.newest(AT_ONCE, run=run)):
                if one.id not in seen:
                    seen.add(one.id)
                    yield one
            time.sleep(every)

    def told_since(self, since: datetime) -> Mapping[str, datetime]:
        """Memories that were told then or later, and when last."""
        return self._home.storage().recalls.told_since(since, self._home.reader)

    def told_in(self, run: str) -> Sequence[Recall]:
        """What a Run was told, oldest first: not the titles at its start, nor what was withheld."""
        found = self._with_lent(self._home.storage().recalls.shown_in(run, self._home.reader))
        return [one for one in found if one.query.moment.tells_what_fits and not one.holdout]

    def that_told(self, memory: str, limit: int | None = None) -> Sequence[Recall]:
        """Where a Memory was told, the newest first: not where only its title stood at a start, nor where withheld."""
        found = self._home.storage().recalls.that_showed(memory, limit, self._home.reader)
        return [one for one in found if one.query.moment.tells_what_fits and not one.holdout]

    def recorded(self, given: str) -> Recall:
        found = self._home.storage().recalls.get(given, self._home.reader)
        if found is None:
            raise NotFoundError(f"there is no recall {given}", hint="lane recalls")
        return self._with_lent([found])[0]

    def _with_lent(self, recalls: Sequence[Recall]) -> Sequence[Recall]:
        """The journal says only whose Memory it was; what it says is known for as long as it is shared."""
        return [self._whole(one) for one in recalls]

    def _whole(self, recall: Recall) -> Recall:
        shown, near = (tuple(map(self._as_shared, some)) for some in (recall.shown, recall.near))
        return recall if (shown, near) == (recall.shown, recall.near) else replace(recall, shown=shown, near=near)

    def _as_shared(self, match: Match) -> Match:
        if match.memory.owner == self._home.config.user:
            return match
        found = self._home.recalled().memories.get(match.memory.id, self._home.reader)
        return replace(match, memory=found) if found is not None else match

    def run_of(self, agent: str, native_id: str) -> str:
        """The Run that an agent on this Machine calls so."""
        return run_id(self._home.machine, agent, native_id)

    def run_called(self, given: str) -> str:
        """The Run that is meant; also one that nothing but its Recalls is known of yet."""
        home = self._home
        if len(given) >= SHORTEST_PREFIX and not home.storage().runs.starting_with(given, home.reader):
            recent = (one.query.run for one in self.newest(LOOKED_THROUGH) if one.query.run.startswith(given))
            if (found := next(recent, None)) is not None:
                return found
        return home.whole_id(given, home.storage().runs.starting_with)

    def why(self, cwd: Path, *, run: str = "") -> Recall:
        """The last recall in this folder, else the last anywhere."""
        return self._with_lent([self._last(cwd, run)])[0]

    def _last(self, cwd: Path, run: str) -> Recall:
        recalls, reader = self._home.storage().recalls, self._home.reader
        here = recalls.newest(1, reader, run=run, cwd="" if run else str(cwd))
        found = here or (() if run else recalls.newest(1, reader))
        if not found:
            raise NotFoundError("no recalls yet", hint="recalls happen when you prompt an agent")
        if found[0].query.moment is not RecallMoment.START or found[0].shown:
            return found[0]
        same = recalls.newest(
            LOOKED_BACK, reader, run=found[0].query.run
        )  # a resumed run begins again and says nothing
        return next((one for one in same if one.query.moment is not RecallMoment.START), found[0])
