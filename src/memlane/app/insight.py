"""What the people of a Central learn, in numbers alone: for an admin, who reads no content.

A project's name is content too: it is told where two people at least know that project by it; all else is "" here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from memlane.app.control import PersonBook, of_owner
from memlane.app.home import Home
from memlane.domain import Project, Selection, State

WEEKS = 8
TOGETHER = 2  # people who know a project, before its name is told
_WEEK = timedelta(weeks=1)
_LEARNED = (State.ACTIVE,)
Key = tuple[date, str, str]


@dataclass(frozen=True, slots=True)
class LearnedCount:
    """How many memories of one type were formed in the week of this Monday; `project` is "" for all others."""

    week: date
    project: str
    type: str
    memories: int


def learned(home: Home, people: PersonBook) -> Sequence[LearnedCount]:
    """`home`: Central's own. The newest week first."""
    edges, names = _edges(home.clock()), people.names()
    told = _told([_projects(one) for one in _parts(home, names)])
    counted = Counter[Key]()
    for one in _parts(home, names):
        counted.update(_of_one(one, edges, told))
    ordered = sorted(counted.items(), key=lambda found: (-found[0][0].toordinal(), found[0][1] == "", found[0][1:]))
    return [LearnedCount(*key, count) for key, count in ordered if count]


def _edges(now: datetime) -> Sequence[datetime]:
    """Mondays, and the end of this week."""
    today = now.astimezone()
    monday = datetime.combine(today.date() - timedelta(days=today.weekday()), time.min).astimezone()
    return [monday + n * _WEEK for n in range(1 - WEEKS, 2)]


def _parts(home: Home, names: Sequence[str]) -> Iterator[Home]:
    """Of each person of whom something was indexed."""
    for name in names:
        theirs = Home(of_owner(home.config, name), home.clock, read_only=True)
        try:
            if theirs.engine.serving() is not None:
                yield theirs
        finally:
            theirs.close()


def _projects(home: Home) -> Sequence[Project]:
    return [one for one in home.storage().runs.projects(home.reader) if one.name and one.key]


def _told(known: Sequence[Sequence[Project]]) -> Mapping[Project, str]:
    """Each that several people know, by one key and one name."""
    people = Counter(one for projects in known for one in set(projects))
    return {one: one.name for one, count in people.items() if count >= TOGETHER}


def _of_one(home: Home, edges: Sequence[datetime], told: Mapping[Project, str]) -> Mapping[Key, int]:
    """One person's. Two projects of theirs with one name are counted with the others, unless both are told."""
    by_name = dict[str, list[Project]]()
    for one in _projects(home):
        by_name.setdefault(one.name, []).append(one)
    counted = Counter(_counts(home, edges, ""))
    for name in (name for name, projects in by_name.items() if all(one in told for one in projects)):
        for (week, _project, type_), count in _counts(home, edges, name).items():
            counted[week, name, type_] += count
            counted[week, "", type_] -= count
    return counted


def _counts(home: Home, edges: Sequence[datetime], project: str) -> Mapping[Key, int]:
    """By week and type; `project`: of this name alone."""
    which = Selection(states=_LEARNED, project=project)
    weeks = home.storage().memories.over_time(edges, "type", which, home.reader)
    return {(at.date(), "", type_): n for at, found in zip(edges, weeks, strict=False) for type_, n in found.items()}
