"""Which keys mean one Project, in PostgreSQL. A join moves the rows it concerns; who asks reads them as ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import FiledProject, Project, ProjectJoin, Reader, RunSummary
from memlane.storage.memory_lookup import place_of, spot
from memlane.storage.postgres.builds import Builds
from memlane.storage.postgres.connection import Connection, digest, encoded
from memlane.storage.postgres.memories import PostgresMemories
from memlane.storage.postgres.runs import PostgresRuns
from memlane.storage.project_place import moved

_run = msgspec.json.Decoder(RunSummary)
_decoder = msgspec.json.Decoder(ProjectJoin)
_FILED = (
    "SELECT filed, filed_key, sum(runs)::int, sum(memories)::int FROM"
    " (SELECT filed, filed_key, 1 AS runs, 0 AS memories FROM runs WHERE owner = %s AND build = %s"
    " UNION ALL SELECT filed, filed_key, 0, 1 FROM memories"
    " WHERE owner = %s AND build = %s AND state <> 'forgotten')"
    ' AS every GROUP BY filed_key, filed ORDER BY filed_key COLLATE "C", filed COLLATE "C"'
)
_JOINS = "FROM project_joins WHERE owner = %s AND build = %s"
_UNDER = (
    "WHERE owner = %s AND build = %s AND hashtextextended(filed_key, 0) = hashtextextended(%s, 0) AND filed_key = %s"
)


class PostgresProjects:
    def __init__(self, connection: Connection, builds: Builds, runs: PostgresRuns, memories: PostgresMemories) -> None:
        self._db = connection
        self._builds = builds
        self._runs, self._memories = runs, memories

    def put(self, join: ProjectJoin, owner: str) -> None:
        with self._db.transaction():
            whose, before = self._builds.made_for(owner), self._settled(owner)
            self._db.run(
                "INSERT INTO project_joins (owner, build, digest, key, body) VALUES (%s,%s,%s,%s,%s)"
                " ON CONFLICT (owner, build, digest) DO UPDATE SET body = excluded.body",
                (*whose, digest(join.key), join.key, encoded(join)),
            )
            for key, now in moved(self.joins(Reader(owner)), before).items():
                self._db.run(
                    "UPDATE project_joins SET project = %s, project_key = %s"
                    " WHERE owner = %s AND build = %s AND digest = %s",
                    (now.name if now else None, now.key if now else None, *whose, digest(key)),
                )
                self._move(key, owner)

    def _settled(self, owner: str) -> dict[str, Project]:
        sql = f"SELECT key, project, project_key {_JOINS} AND project_key IS NOT NULL"
        found = self._db.rows(sql, self._builds.of(owner))
        return {str(key): Project(str(name), str(root)) for key, name, root in found}

    def _move(self, key: str, owner: str) -> None:
        """A Run as it was indexed: what a person calls it stands elsewhere."""
        those = (*self._builds.of(owner), key, key)
        for row in self._db.rows(f"SELECT body, filed FROM runs {_UNDER}", those):
            self._runs.put(replace(_run.decode(str(row[0])), project=Project(str(row[1]), key)))
        for row in self._db.rows(f"SELECT id, filed FROM memories {_UNDER}", those):
            if (memory := self._memories.get(str(row[0]), Reader(owner))) is not None:
                self._memories.put(replace(memory, project=str(row[1]), project_key=key))

    def joins(self, reader: Reader) -> Sequence[ProjectJoin]:
        found = self._db.rows(f"SELECT body {_JOINS} ORDER BY key", self._builds.of(reader.user))
        return [_decoder.decode(str(row[0])) for row in found]

    def of(self, project: Project, reader: Reader) -> Project:
        sql = f"SELECT project, project_key {_JOINS} AND digest = %s AND project_key IS NOT NULL"
        row = self._db.row(sql, (*self._builds.of(reader.user), digest(project.key)))
        return Project(str(row[0]), str(row[1])) if row else project

    def filed(self, reader: Reader) -> Sequence[FiledProject]:
        whose = self._builds.of(reader.user)
        return [
            FiledProject(Project(str(name), str(key)), cast(int, runs), cast(int, memories))
            for name, key, runs, memories in self._db.rows(_FILED, (*whose, *whose))
        ]

    def filed_as(self, memory: str, runs: Sequence[str], reader: Reader) -> Project | None:
        whose = self._builds.of(reader.user)
        for table, id in (("memories", memory), *(("runs", run) for run in runs[:1])):
            asked = f"SELECT filed, filed_key FROM {table} WHERE owner = %s AND build = %s AND id = %s"
            row = self._db.row(asked, (*whose, id))
            if row is not None:
                return Project(str(row[0]), str(row[1]))
        return None

    def holds(self, key: str, reader: Reader) -> bool:
        place = place_of("project", key)
        there = (
            "SELECT 1 FROM memories WHERE owner = %s AND build = %s AND spot = %s AND place = %s"
            " AND state = 'active' LIMIT 1"
        )
        return self._db.row(there, (*self._builds.of(reader.user), spot(reader.user, place), place)) is not None

    def runs(self, key: str, reader: Reader, limit: int | None = None) -> Sequence[RunSummary]:
        sql = f"SELECT id FROM runs {_UNDER} ORDER BY ended DESC NULLS LAST, id LIMIT %s"
        ids = [str(row[0]) for row in self._db.rows(sql, (*self._builds.of(reader.user), key, key, limit))]
        return [run for id in ids if (run := self._runs.get(id, reader)) is not None]
