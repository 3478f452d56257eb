"""What Chunks mean: vectors by owner and by what a text says, in one pair of tables for each model, cut by owner.

The tables stand beside the indexes and outlive them. One has the whole vectors, the other their signs, thousands in a
row. Signs choose and whole vectors score here, with the same numbers in the same way as in every engine.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memlane.domain import Chunk, Reader, RunFilter
from memlane.errors import LaneError
from memlane.storage.postgres import chunk_rows, sign_pages
from memlane.storage.postgres.builds import NOBODY, Builds, Whose
from memlane.storage.postgres.conditions import Condition, chunk_condition
from memlane.storage.postgres.connection import Connection, Row, digest
from memlane.storage.postgres.memory_vectors import drop_model
from memlane.storage.postgres.model_names import ModelNumbers
from memlane.storage.postgres.partitions import partitioned
from memlane.storage.values import Key, VectorMatch
from memlane.storage.vectors import likeness, of_length_one

EXACT = 20_000  # vectors that are all scored: at such sizes the answer is the exact one
GENEROUS = 4_000  # vectors that the signs choose at least, as in the other engine
SPARE = 64  # scored beyond those asked for: PostgreSQL's scores differ from ours in the last digit

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class VectorTables:
    """Where one model's vectors are."""

    model: int
    dimension: int

    @property
    def wholes(self) -> str:
        return f"vectors_{self.model}"

    @property
    def signs(self) -> str:
        return f"signs_{self.model}"


class PostgresVectors:
    def __init__(self, connection: Connection, builds: Builds, shared: str) -> None:
        self._db = connection
        self._builds = builds
        self._models = ModelNumbers(connection)
        self._shared = shared  # the schema that outlives this index

    # -- filling ------------------------------------------------------------------------------------------------------

    def waiting(self, model: str, limit: int) -> Sequence[Chunk]:
        mine = self._builds.mine
        with self._db.transaction():
            number = self._known(model, mine)
        while True:
            tables = self._tables(model)
            found = self._some_waiting(number, tables, mine, limit)
            known = [id for id, has_vector, *_rest in found if has_vector]
            if not known:
                return [chunk_rows.chunk_of(rest) for _id, _has_vector, *rest in found]
            chunk_rows.end_waiting(self._db, mine, "model = %s AND chunk = ANY(%s::bigint[])", (number, known))

    def _some_waiting(self, number: int, tables: VectorTables | None, mine: Whose, limit: int) -> Sequence[Row]:
        those = f"v.owner = {mine[0]} AND v.hash = chunks.hash"
        has_vector = f"EXISTS (SELECT FROM {tables.wholes} AS v WHERE {those})" if tables else "false"
        return self._db.rows(
            f"SELECT chunks.id, {has_vector}, {chunk_rows.COLUMNS} FROM"
            " (SELECT id, ended FROM runs WHERE owner = %s AND build = %s AND EXISTS (SELECT FROM waiting AS w"
            "  WHERE w.owner = %s AND w.build = %s AND w.model = %s AND w.run = runs.id)"
            "  ORDER BY ended DESC NULLS LAST, id LIMIT %s) AS newest"
            " CROSS JOIN LATERAL (SELECT chunk FROM waiting AS w WHERE w.owner = %s AND w.build = %s AND w.model = %s"
            "  AND w.run = newest.id ORDER BY chunk LIMIT %s) AS waits"
            " JOIN chunks ON chunks.owner = %s AND chunks.build = %s AND chunks.id = waits.chunk"
            " ORDER BY newest.ended DESC NULLS LAST, newest.id, waits.chunk LIMIT %s",
            (*mine, *mine, number, limit, *mine, number, limit, *mine, limit),
        )

    def _known(self, model: str, whose: Whose) -> int:
        """From now on every new Chunk waits for this model too, and those there are that say something new."""
        number = self._models.give(model)
        new = "INSERT INTO models (owner, build, model) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING"
        if self._db.run(new, (*whose, number)):
            select, values = "SELECT run, id FROM chunks WHERE owner = %s AND build = %s", list[object](whose)
            if (tables := self._tables(model)) is not None:
                has = f"SELECT FROM {tables.wholes} AS v WHERE v.owner = %s AND v.hash = chunks.hash"
                select, values = f"{select} AND NOT EXISTS ({has})", [*values, whose[0]]
            chunk_rows.add_waiting(self._db, whose, number, select, values)
        return number

    def put(self, model: str, chunks: Sequence[Chunk], vectors: Floats) -> None:
        """All of this index's owner, as they waited."""
        if not chunks:
            return
        unit = of_length_one(vectors, len(chunks))
        tables = self._tables(model) or self._created(self._models.give(model), unit.shape[1])
        with self._db.transaction():
            mine = self._builds.mine
            self._known(model, mine)
            if tables.dimension != unit.shape[1]:
                raise LaneError(
                    f"{model} gave {unit.shape[1]} numbers, its other vectors have {tables.dimension}",
                    hint="another model, or the same at another size, needs a tag of its own",
                )
            new = self._new(tables, mine, chunks)
            self._write(tables, mine[0], list(new), unit[list(new.values())].astype(np.float16))
            self._wait_no_longer(tables, mine, list(new))

    def _wait_no_longer(self, tables: VectorTables, whose: Whose, hashes: Sequence[UUID]) -> None:
        """Every Chunk that says one of these has its vector now."""
        chunk_rows.end_waiting(
            self._db,
            whose,
            "model = %s AND chunk IN"
            " (SELECT id FROM chunks WHERE owner = %s AND build = %s AND hash = ANY(%s::uuid[]))",
            (tables.model, *whose, list(hashes)),
        )

    def _new(self, tables: VectorTables, whose: Whose, chunks: Sequence[Chunk]) -> dict[UUID, int]:
        """Hash → row, of Chunks that are there, say the same and have no vector. Of each owner one puts at a time."""
        self._db.run("SELECT pg_advisory_xact_lock(%s, %s)", (tables.model, whose[0]))
        places = [*zip(*((*chunk.key, digest(chunk.text)) for chunk in chunks), strict=True)]
        found = self._db.rows(
            "SELECT hash, asked.n::int FROM unnest(%s::text[], %s::int[], %s::int[], %s::int[],"
            " %s::uuid[]) WITH ORDINALITY AS asked (run, turn, step, part, hash, n)"
            " JOIN chunks USING (run, turn, step, part, hash) WHERE owner = %s AND build = %s"
            f" AND NOT EXISTS (SELECT FROM {tables.wholes} AS v WHERE v.owner = %s AND v.hash = chunks.hash)",
            (*(list(column) for column in places), *whose, whose[0]),
        )
        return {hash: n - 1 for hash, n in cast("list[tuple[UUID, int]]", found)}

    def _write(self, tables: VectorTables, owner: int, keys: Sequence[UUID], halves: NDArray[np.float16]) -> None:
        if not keys:
            return
        head = struct.pack(">hh", tables.dimension, 0)
        rows = zip(keys, halves.astype(">f2"), strict=True)
        values = (_copied(owner, hash, head + row.tobytes()) for hash, row in rows)
        self._db.copy_bytes(
            f"COPY {tables.wholes} (owner, hash, halves) FROM STDIN (FORMAT BINARY)",
            b"".join((_COPY_BEGIN, *values, _COPY_END)),
        )
        sign_pages.append(self._db, tables.signs, owner, b"".join(key.bytes for key in keys), halves)

    # -- asking -------------------------------------------------------------------------------------------------------

    def nearest(
        self, vector: Floats, model: str, which: RunFilter, reader: Reader, limit: int
    ) -> Sequence[VectorMatch]:
        whose, tables = self._builds.of(reader.user), self._tables(model)
        if whose == NOBODY or tables is None or limit <= 0:
            return []
        wanted, passing = _fitting(vector, tables), chunk_condition(which, whose)
        scores = self._said_anywhere(tables, whose, wanted, limit) if passing.values == whose else None
        if scores is None:
            scores = self._said(tables, whose[0], wanted, limit, passing)
        found = self._saying(_best(scores, limit), passing)
        nearest = (VectorMatch(chunk, scores[hash]) for hash, chunk in found)
        return sorted(nearest, key=lambda one: (-one.likeness, one.chunk.key))[:limit]

    def _said_anywhere(
        self, tables: VectorTables, whose: Whose, wanted: Floats, limit: int
    ) -> dict[UUID, float] | None:
        """Hash → how near. None: too many vectors that no Chunk says any more stood in the way."""
        near = self._chosen(tables, whose[0], wanted, limit)
        found = self._db.rows(
            "SELECT hash, halfvec_send(halves), EXISTS (SELECT FROM chunks WHERE chunks.owner = %s"
            f" AND chunks.build = %s AND chunks.hash = v.hash) FROM ({near.sql} {_nearest(tables, limit)}) AS v",
            (*whose, *near.values, _written(wanted)),
        )
        rows = cast("list[tuple[UUID, bytes, bool]]", found)
        said = [(hash, halves) for hash, halves, is_said in rows if is_said]
        in_the_way = len(said) < limit and len(rows) == limit + SPARE
        return None if in_the_way else _scored(said, tables, wanted)

    def _chosen(self, tables: VectorTables, owner: int, wanted: Floats, limit: int) -> Condition:
        """All of them; where there are many, those whose signs are the nearest, each looked up by itself."""
        if sign_pages.count(self._db, tables.signs, owner) <= EXACT:
            return Condition(f"SELECT hash, halves FROM {tables.wholes} WHERE owner = %s", (owner,))
        whole = f"SELECT halves FROM {tables.wholes} WHERE owner = %s AND hash = near.hash OFFSET 0"
        sql = f"SELECT near.hash, halves FROM unnest(%s::text::uuid[]) AS near (hash) CROSS JOIN LATERAL ({whole}) AS w"
        pages = sign_pages.read(self._db, tables.signs, owner)
        return Condition(sql, (pages.nearest(wanted, max(GENEROUS, 8 * limit)), owner))

    def _said(
        self, tables: VectorTables, owner: int, wanted: Floats, limit: int, passing: Condition
    ) -> dict[UUID, float]:
        """The same, of those that a Chunk says which passes: all of them are scored."""
        found = self._db.rows(
            f"SELECT hash, halfvec_send(halves) FROM (SELECT hash, halves FROM {tables.wholes} AS v WHERE v.owner = %s"
            f" AND v.hash IN (SELECT chunks.hash FROM chunks WHERE {passing.sql}) {_nearest(tables, limit)}) AS v",
            (owner, *passing.values, _written(wanted)),
        )
        return _scored(cast("list[tuple[UUID, bytes]]", found), tables, wanted)

    def _saying(self, hashes: Iterable[UUID], passing: Condition) -> list[tuple[UUID, Chunk]]:
        found = self._db.rows(
            f"SELECT chunks.hash, {chunk_rows.COLUMNS} FROM chunks WHERE hash = ANY(%s::uuid[]) AND {passing.sql}",
            (list(hashes), *passing.values),
        )
        return [(cast(UUID, hash), chunk_rows.chunk_of(rest)) for hash, *rest in found]

    def likeness(self, chunks: Sequence[Chunk], vector: Floats, model: str, reader: Reader) -> Mapping[Key, float]:
        whose, tables = self._builds.of(reader.user), self._tables(model)
        if whose == NOBODY or tables is None or not chunks:
            return {}
        wanted = _fitting(vector, tables)
        runs = "SELECT run FROM totals WHERE owner = %s AND build = %s AND run = ANY(%s::text[])"
        theirs = {str(run) for (run,) in self._db.rows(runs, (*whose, list({chunk.run for chunk in chunks})))}
        hashes = {chunk.key: digest(chunk.text) for chunk in chunks if chunk.run in theirs}
        found = self._db.rows(
            f"SELECT hash, halfvec_send(halves) FROM {tables.wholes} AS v WHERE owner = %s"
            " AND hash = ANY(%s::text::uuid[])"
            " AND EXISTS (SELECT FROM chunks AS c WHERE c.owner = %s AND c.build = %s AND c.hash = v.hash)",
            (whose[0], sign_pages.listed(hash.hex for hash in hashes.values()), *whose),
        )
        scores = _scored(cast("list[tuple[UUID, bytes]]", found), tables, wanted)
        return {key: scores[hash] for key, hash in hashes.items() if hash in scores}

    def share(self, model: str, reader: Reader) -> tuple[int, int]:
        whose, number = self._builds.of(reader.user), self._models.find(model)
        every = self._db.number("SELECT sum(chunks) FROM totals WHERE owner = %s AND build = %s", whose)
        waits = "SELECT waiting FROM models WHERE owner = %s AND build = %s AND model = %s"
        row = self._db.row(waits, (*whose, number))
        return every - cast(int, row[0]) if row else 0, every

    # -- leaving ------------------------------------------------------------------------------------------------------

    def drop(self, model: str) -> None:
        """This owner's: others may still ask it. Tables that nobody has anything in go with the last."""
        with self._db.transaction():
            mine, tables, number = self._builds.mine, self._tables(model), self._models.find(model)
            for table in ("waiting", "models"):
                gone = f"DELETE FROM {table} WHERE owner = %s AND build = %s AND model = %s"
                self._db.run(gone, (*mine, number))
            drop_model(self._db, mine, model)
            for table in (tables.wholes, tables.signs) if tables else ():
                self._db.run(f"DELETE FROM {table} WHERE owner = %s", (mine[0],))

    def scrub(self) -> list[str]:
        """Vectors of texts that no Chunk of this owner has any more are gone; the tables they were in."""
        changed, mine = list[str](), self._builds.mine
        for model, dimension in cast(
            "list[tuple[int, int]]", self._db.rows("SELECT model, dimension FROM vector_sizes")
        ):
            tables = VectorTables(model, dimension)
            gone = self._db.run(
                f"DELETE FROM {tables.wholes} AS v WHERE owner = %s AND NOT EXISTS (SELECT FROM chunks"
                " WHERE chunks.owner = %s AND chunks.build = %s AND chunks.hash = v.hash)",
                (mine[0], *mine),
            )
            if gone:
                sign_pages.write_anew(self._db, tables.signs, tables.wholes, mine[0])
            changed += [tables.wholes, tables.signs]
        return changed

    # -- parts --------------------------------------------------------------------------------------------------------

    def _tables(self, model: str) -> VectorTables | None:
        sizes = "SELECT model, dimension FROM vector_sizes JOIN model_names ON n = model WHERE name = %s"
        row = self._db.row(sizes, (model,))
        return VectorTables(*cast("tuple[int, int]", row)) if row else None

    def _created(self, model: int, dimension: int) -> VectorTables:
        """In a transaction of its own: whoever else begins with this model waits for it, and for no vector."""
        tables = VectorTables(model, dimension)
        whole = f"owner integer NOT NULL, hash uuid NOT NULL, halves halfvec({dimension}) NOT NULL"
        partitioned(self._db, f"{self._shared}.{tables.wholes}", f"{whole}, PRIMARY KEY (owner, hash)")
        partitioned(self._db, f"{self._shared}.{tables.signs}", sign_pages.COLUMNS, sign_pages.PLAIN)
        known = "INSERT INTO vector_sizes (model, dimension) VALUES (%s, %s) ON CONFLICT DO NOTHING"
        self._db.run(known, (model, dimension))
        return tables


_COPY_BEGIN = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
_COPY_END = struct.pack(">h", -1)


def _copied(owner: int, hash: UUID, value: bytes) -> bytes:
    """One row as COPY takes it in binary: each field behind its length."""
    return struct.pack(">hiii", 3, 4, owner, 16) + hash.bytes + struct.pack(">i", len(value)) + value


def _scored(found: Sequence[tuple[UUID, bytes]], tables: VectorTables, wanted: Floats) -> dict[UUID, float]:
    if not found:
        return {}
    sent = np.frombuffer(b"".join(halves for _hash, halves in found), ">u2").astype(np.uint16).view(np.float16)
    rows = sent.reshape(len(found), 2 + tables.dimension)[:, 2:].astype(np.float32)
    return {hash: float(score) for (hash, _halves), score in zip(found, likeness(rows, wanted), strict=True)}


def _best(scores: Mapping[UUID, float], limit: int) -> list[UUID]:
    """So many, and those as near as the last of them: the keys of their Chunks say which it is."""
    if len(scores) <= limit:
        return list(scores)
    least = sorted(scores.values())[-limit]
    return [hash for hash, score in scores.items() if score >= least]


def _nearest(tables: VectorTables, limit: int) -> str:
    """By PostgreSQL's own score, so that few are sent; what these are worth is worked out here."""
    return f"ORDER BY halves <#> %s::text::halfvec({tables.dimension}) LIMIT {limit + SPARE}"


def _written(vector: Floats) -> str:
    return "[" + ",".join(f"{float(number):.7g}" for number in vector) + "]"


def _fitting(vector: Floats, tables: VectorTables) -> Floats:
    unit = of_length_one(np.asarray(vector, np.float32).reshape(1, -1), 1)[0]
    if len(unit) != tables.dimension:
        raise LaneError(
            f"a vector of {len(unit)} numbers among those of {tables.dimension}",
            hint="the model that asks must be the one that was asked before",
        )
    return unit
