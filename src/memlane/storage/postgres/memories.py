"""Memories and what they mention, Entities made by hand, and what people said names mean, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

import msgspec

from memlane.domain import Entity, Memory, NameAnswer, Project, Reader, Selection, State, Traits, Type
from memlane.storage.memory_lookup import lookup_keys, places, spot
from memlane.storage.postgres.builds import Builds
from memlane.storage.postgres.connection import Connection, Row, digest, encoded, moment
from memlane.storage.postgres.memory_lookup import ENTER, NAME, MemoryKeys, Tallies, entered, naming
from memlane.storage.postgres.memory_vectors import GONE, TICK, MemoryVectors, cueing, saying
from memlane.storage.postgres.project_rows import filed_place
from memlane.storage.values import EVERYWHERE, MemoryBounds, MemoryMatch, NameCount, level_of, named, said_by
from memlane.storage.vectors import Floats

_decoder = msgspec.json.Decoder(Memory)
_TOLD = "SELECT count(*) FROM recalled WHERE owner = memories.owner AND build = memories.build AND memory = memories.id"
_COLUMNS = f"body, ({_TOLD})"
_OF = "owner = %s AND build = %s"
_PUT = f"""
WITH {TICK},
whose AS (SELECT owner, build, %s::text AS memory FROM clock),
said AS (SELECT whose.*, %s::uuid[] AS raws FROM whose),
gone AS (DELETE FROM mentions AS old USING said WHERE old.owner = said.owner AND old.build = said.build
  AND old.memory = said.memory AND NOT old.raw = ANY(said.raws)),
new AS (INSERT INTO mentions (owner, build, raw, memory) SELECT owner, build, raw, memory FROM said, unnest(raws) AS raw
  ON CONFLICT DO NOTHING),
{ENTER},
{NAME},
cues AS (SELECT whose.*, %s::uuid AS digest FROM whose),
cues_gone AS (DELETE FROM cue_vectors AS old USING cues WHERE old.owner = cues.owner AND old.build = cues.build
  AND old.memory = cues.memory AND old.digest IS DISTINCT FROM cues.digest)
INSERT INTO memories (owner, build, changed, id, state, type, scope, project_key, saved, digest, place, spot, high,
  observed, sure, agents, body, project, category, level, formed, seen, said, cued, always, filed, filed_key)
SELECT owner, build, n, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s
FROM clock
ON CONFLICT (owner, build, id) DO UPDATE SET state = excluded.state, type = excluded.type,
  scope = excluded.scope, project_key = excluded.project_key, saved = excluded.saved, digest = excluded.digest,
  place = excluded.place, spot = excluded.spot, high = excluded.high, observed = excluded.observed,
  sure = excluded.sure, agents = excluded.agents, body = excluded.body, changed = excluded.changed,
  project = excluded.project, category = excluded.category, level = excluded.level, formed = excluded.formed,
  seen = excluded.seen, said = excluded.said, cued = excluded.cued, always = excluded.always, filed = excluded.filed,
  filed_key = excluded.filed_key
"""
_OF_ONE = ("mentions", "names_in", "memory_vectors", "cue_vectors", "subjects", "memory_words", "memory_runs")
_FOREMOST = (
    f"{_OF} AND spot = %s AND state = 'active' AND (agents = '' OR position(%s in agents) > 0)"
    " ORDER BY high DESC, observed DESC, sure DESC, id LIMIT %s"
)
_STANDING = (
    f"{_OF} AND spot = %s AND state = 'active' AND always AND (agents = '' OR position(%s in agents) > 0)"
    " ORDER BY observed DESC, sure DESC, id LIMIT %s"
)


class PostgresMemories:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds
        self._vectors = MemoryVectors(connection, builds)
        self._keys = MemoryKeys(connection, builds)
        self._tallies = Tallies(connection, builds)

    def put(self, memory: Memory) -> None:
        whose = self._builds.made_for(memory.owner)
        where = filed_place(self._db, "memories", whose, memory.id, Project(memory.project, memory.project_key))
        memory = replace(memory, project=where.now.name, project_key=where.now.key)
        keys = lookup_keys(memory)
        self._db.run(
            _PUT,
            (
                *whose,
                memory.id,
                [digest(name) for name in named(memory)],
                *entered(memory, keys),
                *naming(memory),
                cueing(memory),
                memory.id,
                memory.state.value,
                memory.type.value,
                memory.scope.value,
                memory.project_key,
                memory.saved_at.timestamp(),
                saying(memory),
                keys.place,
                spot(memory.owner, keys.place),
                keys.high,
                memory.times_observed,
                memory.confidence,
                keys.agents,
                encoded(replace(memory, recall_count=0)),
                memory.project,
                memory.category,
                level_of(memory),
                memory.formed_at.timestamp(),
                memory.last_observed_at.timestamp(),
                said_by(memory),
                cueing(memory),
                memory.always,
                where.filed.name,
                where.filed.key,
            ),
        )

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None:
        asked = f"SELECT body FROM memories WHERE {_OF} AND id = %s"
        row = self._db.row(asked, (*self._builds.of(owner), memory))
        if row:
            self.put(replace(_decoder.decode(str(row[0])), state=state, superseded_by=superseded_by))

    def drop(self, memory: str, owner: str) -> None:
        with self._db.transaction():
            whose = self._builds.of(owner)
            if self._db.run(f"DELETE FROM memories WHERE {_OF} AND id = %s", (*whose, memory)):
                self._db.run(GONE, whose)
                for table in _OF_ONE:
                    self._db.run(f"DELETE FROM {table} WHERE {_OF} AND memory = %s", (*whose, memory))

    def get(self, memory: str, reader: Reader) -> Memory | None:
        asked = f"SELECT {_COLUMNS} FROM memories WHERE {_OF} AND id = %s"
        row = self._db.row(asked, (*self._builds.of(reader.user), memory))
        return _memory(row) if row else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            f"SELECT id FROM memories WHERE {_OF} AND id >= %s AND id < %s ORDER BY id LIMIT 10",
            (*self._builds.of(reader.user), prefix, prefix + "\U0010ffff"),
        )
        return [str(row[0]) for row in found]

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        return self._some("state = ANY(%s)", reader, [state.value for state in states])

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return self._db.number(
            f"SELECT count(*) FROM memories WHERE {_OF} AND state = ANY(%s)",
            (*self._builds.of(reader.user), [state.value for state in states]),
        )

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        there = f"SELECT 1 FROM memories WHERE {_OF} AND state = ANY(%s) LIMIT 1"
        return self._db.row(there, (*self._builds.of(reader.user), [state.value for state in states])) is not None

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        ids = self._tallies.found(which, reader)
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", reader, ids)}
        return [found[id] for id in ids if id in found]

    def tallied(self, which: Selection, reader: Reader) -> Mapping[Traits, int]:
        return self._tallies.tallied(which, reader)

    def over_time(
        self, edges: Sequence[datetime], by: str, which: Selection, reader: Reader
    ) -> Sequence[Mapping[str, int]]:
        return self._tallies.over_time(edges, by, which, reader)

    def names(self, reader: Reader, *, known: bool) -> Sequence[NameCount]:
        return self._tallies.names(reader, known=known)

    def most_named(self, which: Selection, reader: Reader, limit: int) -> tuple[Sequence[tuple[str, int]], int]:
        return self._tallies.most_named(which, reader, limit)

    def types(self, states: Sequence[State], reader: Reader) -> Sequence[tuple[str, Type]]:
        return self._tallies.types(states, reader)

    def version(self, reader: Reader) -> int:
        return self._vectors.tick(self._builds.of(reader.user))

    def foremost(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._holding(_FOREMOST, here, agent, reader, limit)

    def standing(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._holding(_STANDING, here, agent, reader, limit)

    def _holding(self, which: str, here: str, agent: str, reader: Reader, limit: int) -> list[Memory]:
        """Of the project first."""
        found, whose = list[Row](), self._builds.of(reader.user)
        for place in places(here):
            values = (*whose, spot(reader.user, place), f"\n{agent}\n", limit - len(found))
            found += self._db.rows(f"SELECT {_COLUMNS} FROM memories WHERE {which}", values)
        return [_memory(row) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._some("id = ANY(%s::text[])", reader, self._keys.sharing(terms, here, reader, limit))

    def sayings(self, after: str, limit: int, reader: Reader) -> Sequence[tuple[str, str]]:
        found = self._db.rows(
            f"SELECT id, said FROM memories WHERE {_OF} AND id > %s AND state <> %s ORDER BY id LIMIT %s",
            (*self._builds.of(reader.user), after, State.FORGOTTEN.value, limit),
        )
        return [(str(id), str(said)) for id, said in found]

    def changed_since(self, version: int, reader: Reader) -> Sequence[str]:
        sql = f"SELECT id FROM memories WHERE {_OF} AND changed > %s ORDER BY id"
        return [str(row[0]) for row in self._db.rows(sql, (*self._builds.of(reader.user), version))]

    def from_run(self, run: str, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        those = f"id IN (SELECT memory FROM memory_runs WHERE {_OF} AND run = %s)"
        found = self._some(those, reader, *self._builds.of(reader.user), run)
        return [memory for memory in found if memory.state in states]

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        those = f"id IN (SELECT memory FROM mentions WHERE {_OF} AND raw = %s)"
        return self._some(those, reader, *self._builds.of(reader.user), digest(raw.casefold()))

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        return self._keys.subjects(type_, reader)

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.waiting(model, limit)]

    def embedded(self, memory: str, reader: Reader) -> Sequence[tuple[str, datetime]]:
        found = self._db.rows(
            "SELECT v.model, v.at FROM memory_vectors AS v JOIN memories AS m"
            " ON m.owner = v.owner AND m.build = v.build AND m.id = v.memory AND m.digest = v.digest"
            " WHERE v.owner = %s AND v.build = %s AND m.id = %s ORDER BY v.at DESC, v.model",
            (*self._builds.of(reader.user), memory),
        )
        return [(str(model), at) for model, when in found if (at := moment(when)) is not None]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats, at: datetime) -> None:
        self._vectors.give(model, memories, vectors, at)

    def cues_waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.cues_waiting(model, limit)]

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        self._vectors.give_cues(model, memories, vectors)

    def meanings(self, model: str, reader: Reader) -> Mapping[str, Floats]:
        return self._vectors.all(model, reader)

    def nearest(
        self,
        vector: Floats,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[tuple[Memory, float]]:
        near = self._vectors.nearest(vector, model, states, reader, limit, where)
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", reader, [id for id, _likeness in near])}
        return [(found[id], likeness) for id, likeness in near if id in found]

    def nearest_with_cues(
        self,
        vector: Floats,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[MemoryMatch]:
        near = self._vectors.nearest_with_cues(vector, model, states, reader, limit, where)
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", reader, [id for id, _note, _cue in near])}
        return [MemoryMatch(found[id], note, cue) for id, note, cue in near if id in found]

    def prepare(self, model: str, reader: Reader) -> None:
        self._vectors.prepare(model, reader)

    def scrub(self) -> None:
        """Vectors of what no Memory says any more."""
        mine = self._builds.mine
        self._db.run(
            f"DELETE FROM memory_vectors AS v WHERE {_OF} AND NOT EXISTS (SELECT 1 FROM memories AS m"
            " WHERE m.owner = %s AND m.build = %s AND m.id = v.memory AND m.digest = v.digest)",
            (*mine, *mine),
        )

    def _some(self, condition: str, reader: Reader, *values: object) -> list[Memory]:
        """Newest first."""
        found = self._db.rows(
            f"SELECT {_COLUMNS} FROM memories WHERE {_OF} AND {condition} ORDER BY saved DESC, id",
            (*self._builds.of(reader.user), *values),
        )
        return [_memory(row) for row in found]


def _memory(row: Row) -> Memory:
    memory, recalled = _decoder.decode(str(row[0])), int(str(row[1]))
    return replace(memory, recall_count=recalled) if recalled else memory  # most never were, and a copy costs 5 µs


_entity = msgspec.json.Decoder(Entity)
_answer = msgspec.json.Decoder(NameAnswer)


_ANSWERS = (
    "SELECT a.body, a.project_key FROM name_answers AS a WHERE a.owner = %s AND a.build = %s ORDER BY raw, project_key"
)
_JOINED = "SELECT key, project_key FROM project_joins WHERE owner = %s AND build = %s AND project_key IS NOT NULL"


class PostgresEntities:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def put(self, entity: Entity, owner: str) -> None:
        self._db.run(
            "INSERT INTO entities (owner, build, digest, type, slug, body) VALUES (%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, build, digest) DO UPDATE SET body = excluded.body",
            (
                *self._builds.made_for(owner),
                digest(encoded([entity.type, entity.slug])),
                entity.type,
                entity.slug,
                encoded(entity),
            ),
        )

    def listed(self, reader: Reader) -> Sequence[Entity]:
        asked = f"SELECT body FROM entities WHERE {_OF} ORDER BY type, slug"
        return [_entity.decode(str(row[0])) for row in self._db.rows(asked, self._builds.of(reader.user))]

    def answer(self, answer: NameAnswer, owner: str) -> None:
        raw = answer.raw.casefold()
        self._db.run(
            "INSERT INTO name_answers (owner, build, digest, raw, project_key, body) VALUES (%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, build, digest) DO UPDATE SET body = excluded.body",
            (
                *self._builds.made_for(owner),
                digest(encoded([raw, answer.project_key])),
                raw,
                answer.project_key,
                encoded(answer),
            ),
        )

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        """Each holds in the project that the one it was given in belongs to by now."""
        whose = self._builds.of(reader.user)
        joined = dict(cast("list[tuple[str, str]]", self._db.rows(_JOINED, whose)))
        return [
            replace(answer, project_key=joined[key]) if key in joined else answer
            for body, key in cast("list[tuple[str, str]]", self._db.rows(_ANSWERS, whose))
            for answer in (_answer.decode(body),)
        ]
