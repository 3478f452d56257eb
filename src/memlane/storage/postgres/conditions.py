"""Which Runs and Chunks a filter means, as SQL, the Reader first."""

from __future__ import annotations

from dataclasses import dataclass

from memlane.domain import Reader, RunFilter


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of SQL that is true or false, and the values for its holes."""

    sql: str
    values: tuple[object, ...]


def run_condition(which: RunFilter, reader: Reader) -> Condition:
    conditions, values = ["runs.owner = %s"], list[object]([reader.user])
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
            "EXISTS (SELECT FROM labels WHERE labels.run = runs.id AND labels.owner = runs.owner"
            " AND %s = ANY(labels.tags))"
        )
        values.append(which.tag)
    return Condition(" AND ".join(conditions), tuple(values))


def about_runs(which: RunFilter) -> bool:
    asked = (which.agent, which.machine, which.project, which.tag, which.since, which.until)
    return which.only is not None or any(asked)


def chunk_condition(which: RunFilter, reader: Reader, owner: int) -> Condition:
    """All of it: what is asked of the Run, and of the Chunk itself."""
    conditions, values = ["chunks.owner = %s"], list[object]([owner])
    for column, value in (("author", which.author), ("tool", which.tool)):
        if value:
            conditions.append(f"chunks.{column} = %s")
            values.append(value)
    if about_runs(which):
        runs = run_condition(which, reader)
        conditions.append(f"chunks.run IN (SELECT runs.id FROM runs WHERE {runs.sql})")
        values += runs.values
    if which.file:
        ends = ending_condition(which.file)
        conditions.append(
            "(chunks.run, chunks.turn, chunks.step) IN"
            f" (SELECT run, turn, step FROM touches WHERE touches.owner = %s AND {ends.sql})"
        )
        values += (owner, *ends.values)
    return Condition(" AND ".join(conditions), tuple(values))


def ending(path: str) -> str:
    """The parts of a path in reverse, so that paths with the same end begin alike."""
    return "/".join(reversed(path.split("/"))) + "/"


def ending_condition(path: str) -> Condition:
    start = ending(path)
    sql = (
        "hashtextextended(split_part(touches.ending, '/', 1), 0) = hashtextextended(%s, 0)"
        " AND touches.ending >= %s AND touches.ending < %s"
    )
    return Condition(sql, (start.partition("/")[0], start, start + "\U0010ffff"))
