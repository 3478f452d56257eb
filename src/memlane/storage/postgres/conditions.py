"""Which Runs and Chunks a filter means, as SQL, their owner first."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.domain import RunFilter
from memlane.storage.postgres.builds import Whose
from memlane.storage.postgres.connection import digest
from memlane.storage.run_traits import asked


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL that is true or false, and the values for its holes."""

    sql: str
    values: tuple[object, ...]


def run_condition(which: RunFilter, whose: Whose) -> Condition:
    conditions, values = ["runs.owner = %s AND runs.build = %s"], list[object](whose)
    for column, value in (("agent", which.agent), ("machine", which.machine)):
        if value:
            conditions.append(f"runs.{column} = %s")
            values.append(value)
    if which.project:
        conditions.append("(runs.project = %s OR runs.project_key = %s)")
        values += [which.project, which.project]
    if which.since:
        conditions.append("runs.ended >= %s")
        values.append(which.since.timestamp())
    if which.until:
        conditions.append("runs.started <= %s")
        values.append(which.until.timestamp())
    if which.only is not None:
        conditions.append("runs.id = ANY(%s::text[])")
        values.append(sorted(which.only))
    if which.tag:
        conditions.append(
            "runs.id IN (SELECT run FROM labels WHERE owner = %s AND build = %s AND %s = ANY(labels.tags))"
        )
        values += [*whose, which.tag]
    if which.entities:
        named = "SELECT run FROM run_entities AS e WHERE e.owner = %s AND e.build = %s AND e.digest = ANY(%s)"
        conditions.append(f"runs.id IN ({named})")
        values += [*whose, [digest(key) for key in sorted(which.entities)]]
    for trait, value in asked(which):
        having = "SELECT run FROM run_traits AS t WHERE t.owner = %s AND t.build = %s AND t.trait = %s AND t.value = %s"
        conditions.append(f"runs.id IN ({having})")
        values += [*whose, trait, digest(value)]
    if which.outcome:
        conditions.append(
            "coalesce((SELECT CASE results.body::json ->> 'success' WHEN 'true' THEN 'success' ELSE 'failure' END"
            " FROM results WHERE results.owner = %s AND results.build = %s AND results.run = runs.id), 'none') = %s"
        )
        values += [*whose, which.outcome]
    if which.file:
        ends = ending_condition(which.file)
        those = f"SELECT touches.run FROM touches WHERE touches.owner = %s AND touches.build = %s AND {ends.sql}"
        conditions.append(f"runs.id IN ({those})")
        values += [*whose, *ends.values]
    return Condition(" AND ".join(conditions), tuple(values))


def about_runs(which: RunFilter) -> bool:
    plain = (which.agent, which.machine, which.project, which.tag, which.entities, which.since, which.until)
    return which.only is not None or any(plain) or bool(which.outcome) or any(True for _trait in asked(which))


def chunk_condition(which: RunFilter, whose: Whose) -> Condition:
    """All of it: what is asked of the Run, and of the Chunk itself."""
    conditions, values = ["chunks.owner = %s AND chunks.build = %s"], list[object](whose)
    for column, value in (("author", which.author), ("tool", which.tool)):
        if value:
            conditions.append(f"chunks.{column} = %s")
            values.append(value)
    if about_runs(which):
        runs = run_condition(which, whose)
        conditions.append(f"chunks.run IN (SELECT runs.id FROM runs WHERE {runs.sql})")
        values += runs.values
    if which.file:
        ends = ending_condition(which.file)
        conditions.append(
            "(chunks.run, chunks.turn, chunks.step) IN"
            f" (SELECT run, turn, step FROM touches WHERE touches.owner = %s AND touches.build = %s AND {ends.sql})"
        )
        values += (*whose, *ends.values)
    return Condition(" AND ".join(conditions), tuple(values))


def ending(path: str) -> str:
    """The parts of a path in reverse, so that paths with the same end begin alike: also those of Windows."""
    return "/".join(reversed(path.replace("\\", "/").split("/"))) + "/"


def ending_condition(path: str) -> Condition:
    start = ending(path)
    sql = (
        "hashtextextended(split_part(touches.ending, '/', 1), 0) = hashtextextended(%s, 0)"
        " AND touches.ending >= %s AND touches.ending < %s"
    )
    return Condition(sql, (start.partition("/")[0], start, start + "\U0010ffff"))
