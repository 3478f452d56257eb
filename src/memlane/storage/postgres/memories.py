"""Memories and what they mention, Entities made by hand, and what people said names mean, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import msgspec

from memlane.domain import Entity, Memory, NameAnswer, Reader, Selection, State, Traits, Type
from memlane.storage.memory_lookup import lookup_keys, places, spot
from memlane.storage.postgres.connection import Connection, Row, digest, encoded
from memlane.storage.postgres.memory_lookup import ENTER, NAME, MemoryKeys, Tallies, entered, naming
from memlane.storage.postgres.memory_vectors import GONE, TICK, MemoryVectors, cueing, saying
from memlane.storage.values import EVERYWHERE, MemoryBounds, MemoryMatch, NameCount, level_of, named, said_by
from memlane.storage.vectors import Floats

_decoder = msgspec.json.Decoder(Memory)
_COLUMNS = "body, (SELECT count(*) FROM recalled WHERE memory = memories.id)"
_PUT = f"""
WITH {TICK},
said AS (SELECT %s::text AS memory, %s::uuid[] AS raws),
gone AS (DELETE FROM mentions USING said WHERE mentions.memory = said.memory AND NOT mentions.raw = ANY(said.raws)),
new AS (INSERT INTO mentions (memory, raw) SELECT memory, raw FROM said, unnest(raws) AS raw ON CONFLICT DO NOTHING),
{ENTER},
{NAME},
cues AS (SELECT %s::text AS memory, %s::uuid AS digest),
cues_gone AS (DELETE FROM cue_vectors USING cues
  WHERE cue_vectors.memory = cues.memory AND cue_vectors.digest IS DISTINCT FROM cues.digest)
INSERT INTO memories (id, owner, state, type, scope, project_key, saved, digest, place, spot, high, observed, sure,
  agents, body, project, category, level, formed, seen, said, cued, changed)
SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, n FROM clock
ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, state = excluded.state, type = excluded.type,
  scope = excluded.scope, project_key = excluded.project_key, saved = excluded.saved, digest = excluded.digest,
  place = excluded.place, spot = excluded.spot, high = excluded.high, observed = excluded.observed,
  sure = excluded.sure, agents = excluded.agents, body = excluded.body, changed = excluded.changed,
  project = excluded.project, category = excluded.category, level = excluded.level, formed = excluded.formed,
  seen = excluded.seen, said = excluded.said, cued = excluded.cued
"""
_OF_ONE = ("mentions", "names_in", "memory_vectors", "cue_vectors", "subjects", "memory_words", "memory_runs")
_FOREMOST = (
    "spot = %s AND owner = %s AND state = 'active' AND (agents = '' OR position(%s in agents) > 0)"
    " ORDER BY high DESC, observed DESC, sure DESC, id LIMIT %s"
)


class PostgresMemories:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._vectors = MemoryVectors(connection)
        self._keys = MemoryKeys(connection)
        self._tallies = Tallies(connection)

    def put(self, memory: Memory) -> None:
        keys = lookup_keys(memory)
        self._db.run(
            _PUT,
            (
                memory.id,
                [digest(name) for name in named(memory)],
                *entered(memory, keys),
                *naming(memory),
                memory.id,
                cueing(memory),
                memory.id,
                memory.owner,
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
            ),
        )

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None:
        row = self._db.row("SELECT body FROM memories WHERE id = %s AND owner = %s", (memory, owner))
        if row:
            self.put(replace(_decoder.decode(str(row[0])), state=state, superseded_by=superseded_by))

    def drop(self, memory: str, owner: str) -> None:
        with self._db.transaction():
            if self._db.run("DELETE FROM memories WHERE id = %s AND owner = %s", (memory, owner)):
                self._db.run(GONE)
                for table in _OF_ONE:
                    self._db.run(f"DELETE FROM {table} WHERE memory = %s", (memory,))

    def get(self, memory: str, reader: Reader) -> Memory | None:
        row = self._db.row(f"SELECT {_COLUMNS} FROM memories WHERE id = %s AND owner = %s", (memory, reader.user))
        return _memory(row) if row else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM memories WHERE id >= %s AND id < %s AND owner = %s ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        return self._some("state = ANY(%s)", [state.value for state in states], reader)

    def count(self, states: Sequence[State], reader: Reader) -> int:
        return self._db.number(
            "SELECT count(*) FROM memories WHERE owner = %s AND state = ANY(%s)",
            (reader.user, [state.value for state in states]),
        )

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        there = "SELECT 1 FROM memories WHERE owner = %s AND state = ANY(%s) LIMIT 1"
        return self._db.row(there, (reader.user, [state.value for state in states])) is not None

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        ids = self._tallies.found(which, reader)
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", ids, reader)}
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

    def version(self, reader: Reader) -> int:  # noqa: ARG002 - one clock for all
        return self._vectors.tick()

    def foremost(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        found: list[Row] = []
        for place in places(here):
            values = (spot(reader.user, place), reader.user, f"\n{agent}\n", limit - len(found))
            found += self._db.rows(f"SELECT {_COLUMNS} FROM memories WHERE {_FOREMOST}", values)
        return [_memory(row) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._some("id = ANY(%s::text[])", self._keys.sharing(terms, here, reader, limit), reader)

    def from_run(self, run: str, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        found = self._some("id IN (SELECT memory FROM memory_runs WHERE run = %s)", run, reader)
        return [memory for memory in found if memory.state in states]

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        return self._some("id IN (SELECT memory FROM mentions WHERE raw = %s)", digest(raw.casefold()), reader)

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        return self._keys.subjects(type_, reader)

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.waiting(model, limit)]

    def give(self, model: str, memories: Sequence[Memory], vectors: Floats) -> None:
        self._vectors.give(model, memories, vectors)

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
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", [id for id, _likeness in near], reader)}
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
        found = {one.id: one for one in self._some("id = ANY(%s::text[])", [id for id, _note, _cue in near], reader)}
        return [MemoryMatch(found[id], note, cue) for id, note, cue in near if id in found]

    def prepare(self, model: str, reader: Reader) -> None:
        self._vectors.prepare(model, reader)

    def scrub(self) -> None:
        """Vectors of what no Memory says any more."""
        self._db.run(
            "DELETE FROM memory_vectors WHERE NOT EXISTS (SELECT 1 FROM memories"
            " WHERE memories.id = memory AND memories.digest = memory_vectors.digest)"
        )

    def _some(self, condition: str, value: object, reader: Reader) -> list[Memory]:
        """Newest first."""
        found = self._db.rows(
            f"SELECT {_COLUMNS} FROM memories WHERE owner = %s AND {condition} ORDER BY saved DESC, id",
            (reader.user, value),
        )
        return [_memory(row) for row in found]


def _memory(row: Row) -> Memory:
    memory, recalled = _decoder.decode(str(row[0])), int(str(row[1]))
    return replace(memory, recall_count=recalled) if recalled else memory  # most never were, and a copy costs 5 µs


_entity = msgspec.json.Decoder(Entity)
_answer = msgspec.json.Decoder(NameAnswer)


class PostgresEntities:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, entity: Entity, owner: str) -> None:
        self._db.run(
            "INSERT INTO entities (owner, digest, type, slug, body) VALUES (%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, digest) DO UPDATE SET body = excluded.body",
            (owner, digest(encoded([entity.type, entity.slug])), entity.type, entity.slug, encoded(entity)),
        )

    def listed(self, reader: Reader) -> Sequence[Entity]:
        found = self._db.rows("SELECT body FROM entities WHERE owner = %s ORDER BY type, slug", (reader.user,))
        return [_entity.decode(str(row[0])) for row in found]

    def answer(self, answer: NameAnswer, owner: str) -> None:
        raw = answer.raw.casefold()
        self._db.run(
            "INSERT INTO name_answers (owner, digest, raw, project_key, body) VALUES (%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, digest) DO UPDATE SET body = excluded.body",
            (owner, digest(encoded([raw, answer.project_key])), raw, answer.project_key, encoded(answer)),
        )

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        asked = "SELECT body FROM name_answers WHERE owner = %s ORDER BY raw, project_key"
        return [_answer.decode(str(row[0])) for row in self._db.rows(asked, (reader.user,))]
