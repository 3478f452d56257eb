"""What people share of their own: what is meant by a name they type, and what a grant opens now.

It gives and takes nothing: grants are Central's (`app/control/grants`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from memlane.app.control import Grant, GrantType, Reading
from memlane.app.home import Home
from memlane.app.loans import loan_of
from memlane.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from memlane.app.memories import Memories
    from memlane.app.runs import Runs

FEW = 5  # titles


@dataclass(frozen=True, slots=True)
class GrantPreview:
    """What a grant opens now."""

    memories: int
    runs: int
    titles: Sequence[str]


class GrantPlans:
    def __init__(self, home: Home, runs: Runs, memories: Memories, given: Callable[[], Sequence[Grant]]) -> None:
        """`given`: what this person shares now, as far as it is known here."""
        self._home, self._runs, self._memories, self._given = home, runs, memories, given

    def seen_by(self) -> Mapping[str, Sequence[str]]:
        """Each run and memory of this person that somebody else may read → who, by the names of people and groups."""
        found = dict[str, list[str]]()
        for grant in self._given():
            opened = loan_of([grant], self._home.storage(), self._home.reader)
            for id in (*opened.runs, *opened.memories):
                found[id] = sorted({*found.get(id, ()), grant.whom})
        return found

    def meant(self, what: str, whom: str, reading: Reading, until: str, *, tree: bool = False) -> Grant:
        """A grant that nobody has yet, of a run, a memory, tag:NAME or else a project."""
        type_, name = self._named(what, tree=tree)
        if tree and type_ is not GrantType.TREE:
            raise UsageError("--tree belongs to a run", hint="lane share RUN --tree --with WHOM")
        title = self.title(type_, name)
        return Grant("", self._home.config.user, type_, name, title, whom, reading=reading, until=until)

    def end_of(self, day: str) -> str:
        """A share ends with its last day, as days are counted here; "": it stays."""
        if not day:
            return ""
        try:
            end = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time.min).astimezone()
        except (ValueError, OverflowError):
            end = None
        if end is None or end <= self._home.clock():
            raise UsageError(f"{day} is no day to come", hint="a day like 2027-01-31")
        return end.isoformat()

    def _named(self, what: str, *, tree: bool) -> tuple[GrantType, str]:
        if what.startswith("r_"):
            return GrantType.TREE if tree else GrantType.RUN, self._runs.get(what).id
        if what.startswith("m_"):
            return GrantType.MEMORY, self._memories.get(what).id
        if what.startswith("tag:"):
            return GrantType.TAG, what.removeprefix("tag:")
        return GrantType.PROJECT, self._runs.project_called(what).key

    def title(self, type_: GrantType, name: str) -> str:
        """What people call it. NotFoundError: it is not there (any more)."""
        return " ".join(self._title(type_, name).split())[:80] or name

    def _title(self, type_: GrantType, name: str) -> str:
        if type_ in (GrantType.RUN, GrantType.TREE):
            run = self._runs.get(name)
            return run.title or run.first.text
        if type_ is GrantType.MEMORY:
            return self._memories.get(name).title
        if type_ is GrantType.TAG:
            return f"tag:{name}"
        known = (one for one in self._home.storage().runs.projects(self._home.reader) if one.key == name)
        if (project := next(known, None)) is None:
            raise NotFoundError(f"there is no project {name}", hint="lane runs")
        return project.name

    def preview(self, grant: Grant) -> GrantPreview:
        opened = loan_of([grant], self._home.storage(), self._home.reader)
        titles = self._memories.titles(sorted(opened.memories)[:FEW])
        return GrantPreview(len(opened.memories), len(opened.runs), list(titles.values()))
