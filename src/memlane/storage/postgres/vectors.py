"""What Chunks mean: vectors by owner and by what a text says, in one pair of tables for each model.

The tables stand beside the indexes and outlive them. Bits choose in PostgreSQL; whole vectors are scored here, with the
same numbers in the same way as in every engine.
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
from memlane.storage.postgres import chunk_rows
from memlane.storage.postgres.conditions import Condition, chunk_condition
from memlane.storage.postgres.connection import Connection, Row, digest
from memlane.storage.postgres.memory_vectors import drop_model
from memlane.storage.postgres.names import Names
from memlane.storage.values import Key, VectorMatch
from memlane.storage.vectors import likeness, of_length_one

EXACT = 20_000  # vectors that are all scored: at such sizes the answer is the exact one
GENEROUS = 4_000  # vectors that the bits choose at least, as in the other engine
SPARE = 64  # scored beyond those asked for: PostgreSQL's scores differ from ours in the last digit

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class VectorTables:
    """Where one model's vectors are."""

    model: int
    dimension: int

    @property
    def wholes(self) -> str:
        return f"wholes_{self.model}"

    @property
    def bits(self) -> str:
        return f"bits_{self.model}"


class PostgresVectors:
    def __init__(self, connection: Connection, names: Names, shared: str) -> None:
        self._db = connection
        self._names = names
        self._shared = shared  # the schema that outlives this index

    # -- filling ------------------------------------------------------------------------------------------------------

    def waiting(self, model: str, limit: int) -> Sequence[Chunk]:
        with self._db.transaction():
            number = self._known(model)
        while True:
            tables = self._tables(model)
            found = self._some_waiting(number, tables, limit)
            known = [id for id, has_vector, *_rest in found if has_vector]
            if not known:
                return [chunk_rows.chunk_of(rest) for _id, _has_vector, *rest in found]
            chunk_rows.end_waiting(self._db, "model = %s AND chunk = ANY(%s::bigint[])", (number, known))

    def _some_waiting(self, number: int, tables: VectorTables | None, limit: int) -> Sequence[Row]:
        those = "v.owner = chunks.owner AND v.hash = chunks.hash"
        has_vector = f"EXISTS (SELECT FROM {tables.wholes} AS v WHERE {those})" if tables else "false"
        return self._db.rows(
            f"SELECT chunks.id, {has_vector}, {chunk_rows.COLUMNS} FROM"
            " (SELECT id, ended FROM runs WHERE EXISTS (SELECT FROM waiting WHERE model = %s AND run = runs.id)"
            "  ORDER BY ended DESC NULLS LAST, id LIMIT %s) AS newest"
            " CROSS JOIN LATERAL (SELECT chunk FROM waiting WHERE model = %s AND run = newest.id"
            "  ORDER BY chunk LIMIT %s) AS waits"
            " JOIN chunks ON chunks.id = waits.chunk"
            " ORDER BY newest.ended DESC NULLS LAST, newest.id, waits.chunk LIMIT %s",
            (number, limit, number, limit, limit),
        )

    def _known(self, model: str) -> int:
        """From now on every new Chunk waits for this model too, and those there are that say something new."""
        number = self._names.give(model)
        if self._db.run("INSERT INTO models (model) VALUES (%s) ON CONFLICT DO NOTHING", (number,)):
            select = "SELECT %s::int, owner, run, id FROM chunks"
            if self._tables(model) is not None:
                those = "v.owner = chunks.owner AND v.hash = chunks.hash"
                select += f" WHERE NOT EXISTS (SELECT FROM wholes_{number} AS v WHERE {those})"
            chunk_rows.add_waiting(self._db, select, (number,))
        return number

    def put(self, model: str, chunks: Sequence[Chunk], vectors: Floats) -> None:
        if not chunks:
            return
        unit = of_length_one(vectors, len(chunks))
        with self._db.transaction():
            number = self._known(model)
            tables = self._tables(model) or self._created(number, unit.shape[1])
            if tables.dimension != unit.shape[1]:
                raise LaneError(
                    f"{model} gave {unit.shape[1]} numbers, its other vectors have {tables.dimension}",
                    hint="another model, or the same at another size, needs a tag of its own",
                )
            new = self._new(tables, chunks)
            self._write(tables, list(new), unit[list(new.values())].astype(np.float16))
            self._wait_no_longer(tables, [hash for _owner, hash in new])

    def _wait_no_longer(self, tables: VectorTables, hashes: Sequence[UUID]) -> None:
        """Every Chunk that says one of these has its vector now."""
        chunk_rows.end_waiting(
            self._db,
            "model = %s AND chunk IN (SELECT chunks.id FROM chunks"
            f" JOIN {tables.wholes} AS v USING (owner, hash) WHERE hash = ANY(%s::uuid[]))",
            (tables.model, list(hashes)),
        )

    def _new(self, tables: VectorTables, chunks: Sequence[Chunk]) -> dict[tuple[int, UUID], int]:
        """(Owner, hash) → row, of Chunks that are there, say the same and have no vector."""
        self._db.run(f"LOCK TABLE {tables.wholes} IN SHARE ROW EXCLUSIVE MODE")  # nobody else puts meanwhile
        places = [*zip(*((*chunk.key, digest(chunk.text)) for chunk in chunks), strict=True)]
        found = self._db.rows(
            "SELECT chunks.owner, chunks.hash, asked.n::int FROM unnest(%s::text[], %s::int[], %s::int[], %s::int[],"
            " %s::uuid[]) WITH ORDINALITY AS asked (run, turn, step, part, hash, n)"
            " JOIN chunks USING (run, turn, step, part, hash)"
            f" LEFT JOIN {tables.wholes} AS v ON v.owner = chunks.owner AND v.hash = chunks.hash"
            " WHERE v.hash IS NULL",
            [list(column) for column in places],
        )
        rows = cast("list[tuple[int, UUID, int]]", found)
        return {(owner, hash): n - 1 for owner, hash, n in rows}

    def _write(self, tables: VectorTables, keys: Sequence[tuple[int, UUID]], halves: NDArray[np.float16]) -> None:
        wholes = halves.astype(">f2")
        signs = np.packbits(halves > 0, axis=1)
        size = tables.dimension
        both = (
            (tables.wholes, "halves", struct.pack(">hh", size, 0), wholes),
            (tables.bits, "bits", struct.pack(">i", size), signs),
        )
        for table, column, head, rows in both:
            values = (_copied(owner, hash, head + row.tobytes()) for (owner, hash), row in zip(keys, rows, strict=True))
            self._db.copy_bytes(
                f"COPY {table} (owner, hash, {column}) FROM STDIN (FORMAT BINARY)",
                b"".join((_COPY_BEGIN, *values, _COPY_END)),
            )

    # -- asking -------------------------------------------------------------------------------------------------------

    def nearest(
        self, vector: Floats, model: str, which: RunFilter, reader: Reader, limit: int
    ) -> Sequence[VectorMatch]:
        owner, tables = self._names.find(reader.user), self._tables(model)
        if owner is None or tables is None or limit <= 0:
            return []
        wanted = _fitting(vector, tables)
        passing = chunk_condition(which, reader, owner)
        everything = passing.values == (owner,)
        scores = self._said_anywhere(tables, owner, wanted, limit) if everything else None
        if scores is None:
            scores = self._said(tables, owner, wanted, limit, passing)
        found = self._saying(_best(scores, limit), passing)
        nearest = (VectorMatch(chunk, scores[hash]) for hash, chunk in found)
        return sorted(nearest, key=lambda one: (-one.likeness, one.chunk.key))[:limit]

    def _said_anywhere(self, tables: VectorTables, owner: int, wanted: Floats, limit: int) -> dict[UUID, float] | None:
        """Hash → how near. None: too many vectors that no Chunk says any more stood in the way."""
        near = self._near(tables, owner, wanted, limit, Condition(f"{{table}} AS v WHERE v.owner = {owner}", ()))
        found = self._db.rows(
            "SELECT hash, halfvec_send(halves), EXISTS (SELECT FROM chunks WHERE chunks.hash = v.hash"
            f" AND chunks.owner = %s) FROM ({near.sql}) AS v",
            (owner, *near.values),
        )
        rows = cast("list[tuple[UUID, bytes, bool]]", found)
        said = [(hash, halves) for hash, halves, is_said in rows if is_said]
        in_the_way = len(said) < limit and len(rows) == limit + SPARE
        return None if in_the_way else _scored(said, tables, wanted)

    def _said(
        self, tables: VectorTables, owner: int, wanted: Floats, limit: int, passing: Condition
    ) -> dict[UUID, float]:
        """The same, of those that a Chunk says which passes."""
        among = (
            "(SELECT * FROM {table} AS v WHERE v.owner = %s AND EXISTS (SELECT FROM chunks"
            f" WHERE v.owner = chunks.owner AND v.hash = chunks.hash AND {passing.sql}) OFFSET 0) AS v"
        )
        near = self._near(tables, owner, wanted, limit, Condition(among, (owner, *passing.values)))
        found = self._db.rows(f"SELECT hash, halfvec_send(halves) FROM ({near.sql}) AS v", near.values)
        return _scored(cast("list[tuple[UUID, bytes]]", found), tables, wanted)

    def _near(self, tables: VectorTables, owner: int, wanted: Floats, limit: int, among: Condition) -> Condition:
        """Where there are many, bits choose a generous few, whose whole vectors are looked up one by one; PostgreSQL's
        own score chooses of these, and what they are worth is worked out here, from the few that are sent."""
        best = f"ORDER BY halves <#> %s::text::halfvec({tables.dimension}) LIMIT {limit + SPARE}"
        if self._few(tables, owner):
            source = among.sql.format(table=tables.wholes)
            return Condition(f"SELECT hash, halves FROM {source} {best}", (*among.values, _written(wanted)))
        signs = "".join("1" if number > 0 else "0" for number in wanted)
        chosen = (
            f"SELECT hash FROM {among.sql.format(table=tables.bits)}"
            f" ORDER BY v.bits <~> %s::text::bit({tables.dimension}) LIMIT {max(GENEROUS, 4 * limit)}"
        )
        whole = f"SELECT halves FROM {tables.wholes} WHERE hash = near.hash AND owner = {owner} OFFSET 0"
        sql = f"SELECT near.hash, halves FROM ({chosen}) AS near CROSS JOIN LATERAL ({whole}) AS w {best}"
        return Condition(sql, (*among.values, signs, _written(wanted)))

    def _few(self, tables: VectorTables, owner: int) -> bool:
        more = f"SELECT 1 FROM {tables.bits} WHERE owner = %s OFFSET %s LIMIT 1"
        return self._db.row(more, (owner, EXACT)) is None

    def _saying(self, hashes: Iterable[UUID], passing: Condition) -> list[tuple[UUID, Chunk]]:
        found = self._db.rows(
            f"SELECT chunks.hash, {chunk_rows.COLUMNS} FROM chunks WHERE hash = ANY(%s::uuid[]) AND {passing.sql}",
            (list(hashes), *passing.values),
        )
        return [(cast(UUID, hash), chunk_rows.chunk_of(rest)) for hash, *rest in found]

    def likeness(self, chunks: Sequence[Chunk], vector: Floats, model: str, reader: Reader) -> Mapping[Key, float]:
        owner, tables = self._names.find(reader.user), self._tables(model)
        if owner is None or tables is None or not chunks:
            return {}
        wanted = _fitting(vector, tables)
        keys = [list(column) for column in zip(*(chunk.key for chunk in chunks), strict=True)]
        found = self._db.rows(
            "SELECT run, turn, step, part, hash, halfvec_send(halves) FROM unnest(%s::text[], %s::int[], %s::int[],"
            " %s::int[]) AS asked (run, turn, step, part) JOIN chunks USING (run, turn, step, part)"
            f" JOIN {tables.wholes} AS v USING (owner, hash) WHERE owner = %s",
            (*keys, owner),
        )
        rows = cast("list[tuple[str, int, int, int, UUID, bytes]]", found)
        scores = _scored([(row[4], row[5]) for row in rows], tables, wanted)
        return {(run, turn, step, part): scores[hash] for run, turn, step, part, hash, _halves in rows}

    def share(self, model: str, reader: Reader) -> tuple[int, int]:
        owner, number = self._names.find(reader.user), self._names.find(model)
        every = self._db.number("SELECT sum(chunks) FROM totals WHERE owner = %s", (owner,))
        if self._db.row("SELECT 1 FROM models WHERE model = %s", (number,)) is None:
            return 0, every
        waits = "SELECT waiting FROM shares WHERE model = %s AND owner = %s"
        return every - self._db.number(waits, (number, owner)), every

    # -- leaving ------------------------------------------------------------------------------------------------------

    def drop(self, model: str) -> None:
        with self._db.transaction():
            tables, number = self._tables(model), self._names.find(model)
            for table in ("waiting", "shares", "models", "vector_tables"):
                self._db.run(f"DELETE FROM {table} WHERE model = %s", (number,))
            drop_model(self._db, model)
            if tables is not None:
                self._db.run(f"DROP TABLE {tables.wholes}, {tables.bits}")

    def scrub(self) -> list[str]:
        """Vectors of texts that no Chunk has any more are gone; the tables they were in."""
        changed = list[str]()
        for (model,) in self._db.rows("SELECT model FROM vector_tables"):
            tables = VectorTables(cast(int, model), 0)
            for table in (tables.wholes, tables.bits):
                self._db.run(
                    f"DELETE FROM {table} AS v WHERE NOT EXISTS"
                    " (SELECT FROM chunks WHERE chunks.owner = v.owner AND chunks.hash = v.hash)"
                )
                changed.append(table)
        return changed

    # -- parts --------------------------------------------------------------------------------------------------------

    def _tables(self, model: str) -> VectorTables | None:
        row = self._db.row(
            "SELECT model, dimension FROM vector_tables JOIN names ON names.n = model WHERE name = %s", (model,)
        )
        return VectorTables(*cast("tuple[int, int]", row)) if row else None

    def _created(self, model: int, dimension: int) -> VectorTables:
        tables, shared = VectorTables(model, dimension), self._shared
        for table, column, kind in ((tables.wholes, "halves", "halfvec"), (tables.bits, "bits", "bit")):
            self._db.run(
                f"CREATE TABLE IF NOT EXISTS {shared}.{table} (owner integer NOT NULL, hash uuid NOT NULL,"
                f" {column} {kind}({dimension}) NOT NULL, PRIMARY KEY (hash, owner))"
            )
        self._db.run(
            "INSERT INTO vector_tables (model, dimension) VALUES (%s, %s) ON CONFLICT DO NOTHING", (model, dimension)
        )
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
