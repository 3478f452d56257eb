"""Which keys mean one Project, in SQLite. A join moves the rows it concerns; who asks reads them as ever."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import msgspec

from memlane.domain import FiledProject, Project, ProjectJoin, Reader, RunSummary
from memlane.storage.embedded.conditions import most
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.memories import EmbeddedMemories
from memlane.storage.embedded.runs import EmbeddedRuns
from memlane.storage.memory_lookup import place_of
from memlane.storage.project_place import moved

_run = msgspec.json.Decoder(RunSummary)
_decoder = msgspec.json.Decoder(ProjectJoin)
_FILED = (
    "SELECT filed, filed_key, sum(runs), sum(memories) FROM"
    " (SELECT filed, filed_key, 1 AS runs, 0 AS memories FROM runs WHERE owner = ?1"
    " UNION ALL SELECT filed, filed_key, 0, 1 FROM memories WHERE owner = ?1 AND state <> 'forgotten')"
    " GROUP BY filed_key, filed ORDER BY filed_key, filed"
)


class EmbeddedProjects:
    def __init__(self, connection: Connection, runs: EmbeddedRuns, memories: EmbeddedMemories) -> None:
        self._db = connection
        self._runs, self._memories = runs, memories

    def put(self, join: ProjectJoin, owner: str) -> None:
        with self._db.transaction():
            before = self._settled(owner)
            self._db.run(
                "INSERT INTO project_joins (owner, key, body) VALUES (?,?,?)"
                " ON CONFLICT DO UPDATE SET body = excluded.body",
                (owner, join.key, msgspec.json.encode(join).decode()),
            )
            for key, now in moved(self.joins(Reader(owner)), before).items():
                self._db.run(
                    "UPDATE project_joins SET project = ?, project_key = ? WHERE owner = ? AND key = ?",
                    (now.name if now else None, now.key if now else None, owner, key),
                )
                self._move(key, owner)

    def _settled(self, owner: str) -> dict[str, Project]:
        sql = "SELECT key, project, project_key FROM project_joins WHERE owner = ? AND project_key IS NOT NULL"
        return {str(key): Project(str(name), str(root)) for key, name, root in self._db.rows(sql, (owner,))}

    def _move(self, key: str, owner: str) -> None:
        """A Run as it was indexed: what a person calls it stands elsewhere."""
        for row in self._db.rows("SELECT body, filed FROM runs WHERE owner = ? AND filed_key = ?", (owner, key)):
            self._runs.put(replace(_run.decode(str(row[0])), project=Project(str(row[1]), key)))
        for row in self._db.rows("SELECT id, filed FROM memories WHERE owner = ? AND filed_key = ?", (owner, key)):
            if (memory := self._memories.get(str(row[0]), Reader(owner))) is not None:
                self._memories.put(replace(memory, project=str(row[1]), project_key=key))

    def joins(self, reader: Reader) -> Sequence[ProjectJoin]:
        found = self._db.rows("SELECT body FROM project_joins WHERE owner = ? ORDER BY key", (reader.user,))
        return [_decoder.decode(str(row[0])) for row in found]

    def of(self, project: Project, reader: Reader) -> Project:
        sql = "SELECT project, project_key FROM project_joins WHERE owner = ? AND key = ? AND project_key IS NOT NULL"
        row = self._db.row(sql, (reader.user, project.key))
        return Project(str(row[0]), str(row[1])) if row else project

    def filed(self, reader: Reader) -> Sequence[FiledProject]:
        return [
            FiledProject(Project(str(name), str(key)), cast(int, runs), cast(int, memories))
            for name, key, runs, memories in self._db.rows(_FILED, (reader.user,))
        ]

    def filed_as(self, memory: str, runs: Sequence[str], reader: Reader) -> Project | None:
        for table, id in (("memories", memory), *(("runs", run) for run in runs[:1])):
            row = self._db.row(f"SELECT filed, filed_key FROM {table} WHERE id = ? AND owner = ?", (id, reader.user))
            if row is not None:
                return Project(str(row[0]), str(row[1]))
        return None

    def holds(self, key: str, reader: Reader) -> bool:
        there = "SELECT 1 FROM memories WHERE owner = ? AND place = ? AND state = 'active' LIMIT 1"
        return self._db.row(there, (reader.user, place_of("project", key))) is not None

    def runs(self, key: str, reader: Reader, limit: int | None = None) -> Sequence[RunSummary]:
        sql = "SELECT id FROM runs WHERE owner = ? AND filed_key = ? ORDER BY ended IS NULL, ended DESC, id LIMIT ?"
        ids = [str(row[0]) for row in self._db.rows(sql, (reader.user, key, most(limit)))]
        return [run for id in ids if (run := self._runs.get(id, reader)) is not None]
