"""Memories and what they mention, Entities made by hand, and what people said names mean, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from memlane.domain import Entity, Memory, NameAnswer, Reader, Selection, State, Traits, Type
from memlane.storage.embedded.connection import Connection, Row, moment
from memlane.storage.embedded.memory_lookup import MemoryKeys, Tallies, cue_digest, digest, tick
from memlane.storage.memory_lookup import lookup_keys, places
from memlane.storage.project_place import PLACED, filing
from memlane.storage.values import EVERYWHERE, MemoryBounds, MemoryMatch, NameCount, level_of, named, names_in, said_by

if TYPE_CHECKING:
    from memlane.storage.embedded.memory_vectors import MemoryVectors
    from memlane.storage.values import Vector

_decoder = msgspec.json.Decoder(Memory)
_COLUMNS = "body, told"
_PUT = (
    "INSERT INTO memories (id, owner, state, type, scope, project_key, saved, digest, place, high, observed, sure,"
    " agents, body, project, category, level, formed, seen, said, cued, always, filed, filed_key, changed, told)"
    f" VALUES (?1{',?' * 23},"
    " (SELECT n FROM memory_clock), (SELECT count(*) FROM recalled WHERE memory = ?1))"
)
_PLACED = PLACED.format(table="memories", hole="?", text="?", c="")
_NAMED = (
    "INSERT INTO names_in (owner, project_key, project, state, seen, memory, known, type, name)"
    " VALUES (?,?,?,?,?,?,?,?,?)"
)
_FOREMOST = (
    "owner = ? AND place = ? AND state = 'active' AND (agents = '' OR instr(agents, ?))"
    " ORDER BY high DESC, observed DESC, sure DESC, id LIMIT ?"
)
_STANDING = (
    "owner = ? AND place = ? AND state = 'active' AND always = 1 AND (agents = '' OR instr(agents, ?))"
    " ORDER BY observed DESC, sure DESC, id LIMIT ?"
)


class EmbeddedMemories:
    def __init__(self, connection: Connection) -> None:
        self._db = connection
        self._keys = MemoryKeys(connection)
        self._tallies = Tallies(connection)

    @cached_property
    def _vectors(self) -> MemoryVectors:
        from memlane.storage.embedded.memory_vectors import MemoryVectors  # noqa: PLC0415 - numpy, if meaning is asked

        return MemoryVectors(self._db)

    def put(self, memory: Memory) -> None:
        with self._db.transaction():
            tick(self._db)
            where = filing(self._db.rows(_PLACED, (memory.id, memory.owner, memory.project, memory.project_key)))
            memory = replace(memory, project=where.now.name, project_key=where.now.key)
            self._leave(memory.id)
            keys = lookup_keys(memory)
            self._keys.enter(memory, keys)
            self._db.run(
                _PUT,
                (
                    memory.id,
                    memory.owner,
                    memory.state.value,
                    memory.type.value,
                    memory.scope.value,
                    memory.project_key,
                    memory.saved_at.timestamp(),
                    digest(memory),
                    keys.place,
                    keys.high,
                    memory.times_observed,
                    memory.confidence,
                    keys.agents,
                    msgspec.json.encode(replace(memory, recall_count=0)).decode(),
                    memory.project,
                    memory.category,
                    level_of(memory),
                    memory.formed_at.timestamp(),
                    memory.last_observed_at.timestamp(),
                    said_by(memory),
                    (cued := cue_digest(memory)),
                    memory.always,
                    where.filed.name,
                    where.filed.key,
                ),
            )
            self._db.run("DELETE FROM cue_vectors WHERE memory = ? AND digest IS NOT ?", (memory.id, cued))
            self._enter_names(memory)
            self._db.run_many(
                "INSERT OR IGNORE INTO mentions (memory, raw) VALUES (?, ?)",
                ((memory.id, name) for name in named(memory)),
            )

    def _enter_names(self, memory: Memory) -> None:
        where = (memory.owner, memory.project_key, memory.project, memory.state.value)
        seen = (memory.last_observed_at.timestamp(), memory.id)
        self._db.run_many(_NAMED, ((*where, *seen, *one) for one in names_in(memory)))

    def _leave(self, memory: str) -> None:
        """What it was found by before, and itself."""
        for table in ("mentions", "names_in"):
            self._db.run(f"DELETE FROM {table} WHERE memory = ?", (memory,))
        if (row := self._db.row("SELECT body FROM memories WHERE id = ?", (memory,))) is not None:
            self._keys.leave(_decoder.decode(str(row[0])))
            self._db.run("DELETE FROM memories WHERE id = ?", (memory,))

    def set_state(self, memory: str, owner: str, state: State, superseded_by: str) -> None:
        row = self._db.row("SELECT body FROM memories WHERE id = ? AND owner = ?", (memory, owner))
        if row:
            self.put(replace(_decoder.decode(str(row[0])), state=state, superseded_by=superseded_by))

    def drop(self, memory: str, owner: str) -> None:
        with self._db.transaction():
            if self._db.row("SELECT 1 FROM memories WHERE id = ? AND owner = ?", (memory, owner)):
                tick(self._db)
                self._db.run("UPDATE memory_clock SET gone = n")
                self._leave(memory)
                for table in ("memory_vectors", "cue_vectors"):
                    self._db.run(f"DELETE FROM {table} WHERE memory = ?", (memory,))

    def get(self, memory: str, reader: Reader) -> Memory | None:
        row = self._db.row(f"SELECT {_COLUMNS} FROM memories WHERE id = ? AND owner = ?", (memory, reader.user))
        return _memory(row) if row else None

    def starting_with(self, prefix: str, reader: Reader) -> Sequence[str]:
        found = self._db.rows(
            "SELECT id FROM memories WHERE id >= ? AND id < ? AND owner = ? ORDER BY id LIMIT 10",
            (prefix, prefix + "\U0010ffff", reader.user),
        )
        return [str(row[0]) for row in found]

    def listed(self, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        return self._some(f"owner = ? AND state IN ({_holes(states)})", (reader.user, *(one.value for one in states)))

    def count(self, states: Sequence[State], reader: Reader) -> int:
        counted = f"SELECT coalesce(sum(n), 0) FROM memory_counts WHERE owner = ? AND state IN ({_holes(states)})"
        return self._db.number(counted, (reader.user, *(state.value for state in states)))

    def has(self, states: Sequence[State], reader: Reader) -> bool:
        there = f"SELECT 1 FROM memories WHERE owner = ? AND state IN ({_holes(states)}) LIMIT 1"
        return self._db.row(there, (reader.user, *(state.value for state in states))) is not None

    def found(self, which: Selection, reader: Reader) -> Sequence[Memory]:
        ids = self._tallies.found(which, reader)
        found = {one.id: one for one in self._those(ids, reader)}
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
        return self._db.number("SELECT n FROM memory_clock")

    def foremost(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._holding(_FOREMOST, here, agent, reader, limit)

    def standing(self, here: str, agent: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._holding(_STANDING, here, agent, reader, limit)

    def _holding(self, which: str, here: str, agent: str, reader: Reader, limit: int) -> list[Memory]:
        """Of the project first."""
        found: list[Row] = []
        for place in places(here):
            values = (reader.user, place, f"\n{agent}\n", limit - len(found))
            found += self._db.rows(f"SELECT {_COLUMNS} FROM memories WHERE {which}", values)
        return [_memory(row) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> Sequence[Memory]:
        return self._those(self._keys.sharing(terms, here, reader, limit), reader)

    def sayings(self, after: str, limit: int, reader: Reader) -> Sequence[tuple[str, str]]:
        found = self._db.rows(
            "SELECT id, said FROM memories WHERE id > ? AND +owner = ? AND +state <> ? ORDER BY id LIMIT ?",
            (after, reader.user, State.FORGOTTEN.value, limit),
        )
        return [(str(id), str(said)) for id, said in found]

    def changed_since(self, version: int, reader: Reader) -> Sequence[str]:
        sql = "SELECT id FROM memories WHERE changed > ? AND +owner = ? ORDER BY id"
        return [str(row[0]) for row in self._db.rows(sql, (version, reader.user))]

    def from_run(self, run: str, states: Sequence[State], reader: Reader) -> Sequence[Memory]:
        found = self._those(self._keys.from_run(run), reader)
        return [memory for memory in found if memory.state in states]

    def naming(self, raw: str, reader: Reader) -> Sequence[Memory]:
        named = "id IN (SELECT memory FROM mentions WHERE raw = ?) AND +owner = ?"
        return self._some(named, (raw.casefold(), reader.user))

    def subjects(self, type_: str, reader: Reader) -> Sequence[str]:
        return self._keys.subjects(type_, reader)

    def waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.waiting(model, limit)]

    def embedded(self, memory: str, reader: Reader) -> Sequence[tuple[str, datetime]]:
        found = self._db.rows(
            "SELECT v.model, v.at FROM memory_vectors AS v JOIN memories ON id = v.memory"
            " AND v.digest = memories.digest WHERE id = ? AND owner = ? ORDER BY v.at DESC, v.model",
            (memory, reader.user),
        )
        return [(str(model), at) for model, when in found if (at := moment(when)) is not None]

    def give(self, model: str, memories: Sequence[Memory], vectors: Vector, at: datetime) -> None:
        self._vectors.give(model, memories, vectors, at)

    def cues_waiting(self, model: str, limit: int) -> Sequence[Memory]:
        return [_decoder.decode(body) for body in self._vectors.cues_waiting(model, limit)]

    def give_cues(self, model: str, memories: Sequence[Memory], vectors: Vector) -> None:
        self._vectors.give_cues(model, memories, vectors)

    def meanings(self, model: str, reader: Reader) -> Mapping[str, Vector]:
        return self._vectors.all(model, reader)

    def nearest(
        self,
        vector: Vector,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[tuple[Memory, float]]:
        near = self._vectors.nearest(vector, model, states, reader, limit, where)
        found = {one.id: one for one in self._those([id for id, _likeness in near], reader)}
        return [(found[id], likeness) for id, likeness in near if id in found]

    def nearest_with_cues(
        self,
        vector: Vector,
        model: str,
        states: Sequence[State],
        reader: Reader,
        limit: int,
        where: MemoryBounds = EVERYWHERE,
    ) -> Sequence[MemoryMatch]:
        near = self._vectors.nearest_with_cues(vector, model, states, reader, limit, where)
        found = {one.id: one for one in self._those([id for id, _note, _cue in near], reader)}
        return [MemoryMatch(found[id], note, cue) for id, note, cue in near if id in found]

    def prepare(self, model: str, reader: Reader) -> None:
        self._vectors.prepare(model, reader)

    def scrub(self) -> None:
        """Vectors of what no Memory says any more."""
        self._db.run(
            "DELETE FROM memory_vectors WHERE NOT EXISTS (SELECT 1 FROM memories"
            " WHERE memories.id = memory AND memories.digest = memory_vectors.digest)"
        )

    def _those(self, ids: Sequence[str], reader: Reader) -> list[Memory]:
        return self._some("id IN (SELECT value FROM json_each(?)) AND +owner = ?", (json.dumps(list(ids)), reader.user))

    def _some(self, condition: str, values: Sequence[str]) -> list[Memory]:
        """Newest first. `+owner` keeps SQLite from walking through all of an owner's to find a few by id."""
        found = self._db.rows(f"SELECT {_COLUMNS} FROM memories WHERE {condition} ORDER BY saved DESC, id", values)
        return [_memory(row) for row in found]


def _memory(row: Row) -> Memory:
    memory, recalled = _decoder.decode(str(row[0])), int(str(row[1]))
    return replace(memory, recall_count=recalled) if recalled else memory  # most never were, and a copy costs 5 µs


def _holes(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


_entity = msgspec.json.Decoder(Entity)
_answer = msgspec.json.Decoder(NameAnswer)


_ANSWERS = (
    "SELECT name_answers.body, project_joins.project_key FROM name_answers LEFT JOIN project_joins"
    " ON project_joins.owner = name_answers.owner AND project_joins.key = name_answers.project_key"
    " WHERE name_answers.owner = ? ORDER BY raw, name_answers.project_key"
)


def _in_project(row: Row) -> NameAnswer:
    """It holds in the project that the one it was given in belongs to by now."""
    answer = _answer.decode(str(row[0]))
    return replace(answer, project_key=str(row[1])) if row[1] is not None else answer


class EmbeddedEntities:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, entity: Entity, owner: str) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO entities (owner, type, slug, body) VALUES (?,?,?,?)",
            (owner, entity.type, entity.slug, msgspec.json.encode(entity).decode()),
        )

    def listed(self, reader: Reader) -> Sequence[Entity]:
        found = self._db.rows("SELECT body FROM entities WHERE owner = ? ORDER BY type, slug", (reader.user,))
        return [_entity.decode(str(row[0])) for row in found]

    def answer(self, answer: NameAnswer, owner: str) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO name_answers (owner, raw, project_key, body) VALUES (?,?,?,?)",
            (owner, answer.raw.casefold(), answer.project_key, msgspec.json.encode(answer).decode()),
        )

    def answers(self, reader: Reader) -> Sequence[NameAnswer]:
        return [_in_project(row) for row in self._db.rows(_ANSWERS, (reader.user,))]
