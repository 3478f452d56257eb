"""Which Runs and Chunks a filter means, the Reader first: as SQL for Runs, as numbers for what looks at Chunks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import cast

from memlane.domain import Reader, RunFilter
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.names import Names
from memlane.storage.run_traits import asked


def most(limit: int | None) -> int:
    """As SQLite's LIMIT says it: without one, all."""
    return -1 if limit is None else limit


@dataclass(frozen=True, slots=True)
class ChunkBounds:
    """What may be looked at, of one owner. None: everything."""

    owner: int
    runs: frozenset[int] | None = None
    author: int | None = None
    tool: int | None = None
    chunks: frozenset[int] | None = None  # those of Steps that touched the file

    @property
    def everything(self) -> bool:
        return self.runs is self.author is self.tool is self.chunks is None


def chosen(which: RunFilter, reader: Reader, db: Connection, names: Names) -> ChunkBounds | None:
    """None: nothing can be found."""
    owner = names.find(reader.user)
    author, tool = (names.find(name) if name else None for name in (which.author, which.tool))
    if owner is None or (which.author and author is None) or (which.tool and tool is None):
        return None
    runs = _runs(which, reader, db) if _about_runs(which) else None
    chunks = _touching(which.file, owner, db) if which.file else None
    return None if runs == frozenset() or chunks == frozenset() else ChunkBounds(owner, runs, author, tool, chunks)


def _about_runs(which: RunFilter) -> bool:
    plain = (which.agent, which.machine, which.project, which.tag, which.entities, which.since, which.until)
    return which.only is not None or any(plain) or bool(which.outcome) or any(True for _trait in asked(which))


def _runs(which: RunFilter, reader: Reader, db: Connection) -> frozenset[int]:
    condition, values = run_condition(which, reader)
    return frozenset(cast(int, n) for (n,) in db.rows(f"SELECT n FROM runs WHERE {condition}", values))


def _touching(path: str, owner: int, db: Connection) -> frozenset[int]:
    condition, values = ending_condition(path)
    found = db.rows(
        "SELECT DISTINCT chunks.id FROM touches JOIN chunks USING (run, turn, step)"
        f" WHERE touches.owner = ? AND {condition}",
        (owner, *values),
    )
    return frozenset(cast(int, id) for (id,) in found)


def run_condition(which: RunFilter, reader: Reader) -> tuple[str, list[object]]:
    conditions, values = ["runs.owner = ?"], list[object]([reader.user])
    for column, value in (("agent", which.agent), ("machine", which.machine)):
        if value:
            conditions.append(f"runs.{column} = ?")
            values.append(value)
    if which.project:
        conditions.append("(runs.project = ? OR runs.project_key = ?)")
        values += [which.project, which.project]
    if which.since:
        conditions.append("runs.ended >= ?")
        values.append(which.since.timestamp())
    if which.until:
        conditions.append("runs.started <= ?")
        values.append(which.until.timestamp())
    if which.only is not None:
        conditions.append("runs.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(sorted(which.only)))
    if which.tag:
        conditions.append(
            "EXISTS (SELECT 1 FROM labels, json_each(labels.tags) AS tag"
            " WHERE labels.run = runs.id AND labels.owner = runs.owner AND tag.value = ?)"
        )
        values.append(which.tag)
    if which.entities:
        conditions.append("runs.id IN (SELECT run FROM run_entities WHERE key IN (SELECT value FROM json_each(?)))")
        values.append(json.dumps(sorted(which.entities)))
    for trait, value in asked(which):
        conditions.append("runs.id IN (SELECT run FROM run_traits WHERE trait = ? AND value = ?)")
        values += [trait, value]
    if which.outcome:
        conditions.append(
            "coalesce((SELECT CASE json_extract(results.body, '$.success') WHEN 1 THEN 'success' ELSE 'failure' END"
            " FROM results WHERE results.owner = runs.owner AND results.run = runs.id), 'none') = ?"
        )
        values.append(which.outcome)
    if which.file:
        ends, bounds = ending_condition(which.file)
        conditions.append(
            f"runs.n IN (SELECT touches.run FROM touches WHERE {ends}"
            " AND touches.owner = (SELECT n FROM names WHERE name = ?))"
        )
        values += [*bounds, reader.user]
    return " AND ".join(conditions), values


def ending(path: str) -> str:
    """The parts of a path in reverse, so that paths with the same end begin alike: also those of Windows."""
    return "/".join(reversed(path.replace("\\", "/").split("/"))) + "/"


def ending_condition(path: str) -> tuple[str, tuple[str, str]]:
    start = ending(path)
    return "touches.ending >= ? AND touches.ending < ?", (start, start + "\U0010ffff")
