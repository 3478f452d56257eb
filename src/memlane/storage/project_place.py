"""Where a row was filed, and which Project it belongs to by now: the same in both engines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memlane.domain import Project, ProjectJoin
from memlane.domain.project import settled

# What stands in the row by now, if it is there, and what is about to be written: each with what it belongs to.
PLACED = """
SELECT one.filed, one.filed_key, coalesce(project_joins.project, one.filed),
  coalesce(project_joins.project_key, one.filed_key)
FROM (SELECT 1 AS n, owner, filed, filed_key FROM {table} WHERE id = {hole}
  UNION ALL SELECT 2, {text}, {text}, {text}) AS one
LEFT JOIN project_joins ON project_joins.owner = one.owner{c}
  AND project_joins.key = one.filed_key{c} ORDER BY n
"""


@dataclass(frozen=True, slots=True)
class FiledPlace:
    """The Project as it was written down, and the one it belongs to."""

    filed: Project
    now: Project


def filing(rows: Iterable[Sequence[object]]) -> FiledPlace:
    """Whoever writes a row back as they read it means where it was filed."""
    *was, given = (FiledPlace(Project(str(a), str(b)), Project(str(c), str(d))) for a, b, c, d in rows)
    return was[0] if was and was[0].now == given.filed else given


def moved(joins: Sequence[ProjectJoin], before: Mapping[str, Project]) -> Mapping[str, Project | None]:
    """Keys that belong elsewhere by these joins than they did before, and where; None: to themselves."""
    after = settled(joins)
    return {join.key: after.get(join.key) for join in joins if after.get(join.key) != before.get(join.key)}
