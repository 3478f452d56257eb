"""What Chunks mean: which row of the vector files belongs to which Chunk, and the nearest of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from memlane.domain import Chunk, Reader, RunFilter
from memlane.errors import LaneError, VectorsDamagedError
from memlane.storage.embedded import chunk_rows, vector_files
from memlane.storage.embedded.chunk_rows import ChunkNumbers, content_hash
from memlane.storage.embedded.conditions import chosen
from memlane.storage.embedded.connection import Connection
from memlane.storage.embedded.memory_vectors import drop_model
from memlane.storage.embedded.names import Names
from memlane.storage.embedded.vector_files import COMPUTE, Floats, VectorFiles
from memlane.storage.embedded.vector_scan import (
    EVERY,
    Scan,
    brought_up_to_date,
    distinct,
    loaded,
    nearest_chunks,
    nearest_rows,
    saved,
)
from memlane.storage.values import Key, VectorMatch
from memlane.storage.vectors import likeness, of_length_one

AT_ONCE = 2_000  # waiting Chunks looked at together

ChunkHash = tuple[int, int, bytes]  # chunk, owner, hash


class EmbeddedVectors:
    def __init__(self, connection: Connection, names: Names, base: Path, places: ChunkNumbers) -> None:
        self._db = connection
        self._names = names
        self._base = base
        self._places = places
        self._scans = connection.remembered(dict[tuple[int, int], Scan]())
        self._different: tuple[Scan | None, int, NDArray[np.intp]] = (None, 0, np.empty(0, np.intp))
        self._files: dict[Path, tuple[str, VectorFiles]] = {}
        self._unsound: dict[Path, set[int]] = {}  # rows that questions have met

    def close(self) -> None:
        self._files.clear()
        self._scans.clear()
        self._different = (None, 0, np.empty(0, np.intp))

    # -- filling ------------------------------------------------------------------------------------------------------

    def waiting(self, model: str, limit: int) -> Sequence[Chunk]:
        while True:
            with self._db.transaction():
                number = self._known(model)
                self._ask_again_for_lost(number, model)
                some = self._some_waiting(number, limit + AT_ONCE)
                attached = self._attach(number, model, some)
            unknown = [id for id, _owner, _hash in some if id not in attached]
            if len(unknown) >= limit or not attached:
                return self._chunks(unknown[:limit])

    def _known(self, model: str) -> int:
        """From now on every new Chunk waits for this model; what an index before this one had is taken over."""
        number = self._names.give(model)
        if self._db.row("SELECT 1 FROM models WHERE model = ?", (number,)) is None:
            self._db.run("INSERT INTO models (model) VALUES (?)", (number,))
            self._db.run("INSERT INTO waiting (run, model, chunk) SELECT run, ?, id FROM chunks", (number,))
            last = 0
            while some := self._some_after(last):
                self._attach(number, model, some)
                last = some[-1][0]
        return number

    def _some_after(self, id: int) -> list[ChunkHash]:
        found = self._db.rows("SELECT id, owner, hash FROM chunks WHERE id > ? ORDER BY id LIMIT ?", (id, AT_ONCE))
        return cast("list[ChunkHash]", found)

    def _ask_again_for_lost(self, number: int, model: str) -> None:
        """Where the files are gone, every Chunk that had a row in them waits again."""
        for (owner,) in self._db.rows("SELECT owner FROM shares WHERE model = ? AND chunks > 0", (number,)):
            if self._usable(cast(int, owner), model) is None:
                self._wait_again(number, cast(int, owner))

    def _wait_again(self, number: int, owner: int) -> None:
        """All of them: those whose row is sound have it back as soon as the next are asked for."""
        self._db.run(
            "INSERT OR IGNORE INTO waiting (run, model, chunk)"
            " SELECT run, model, chunk FROM vectors JOIN chunks ON chunks.id = vectors.chunk"
            " WHERE model = ? AND vectors.owner = ?",
            (number, owner),
        )
        self._db.run("DELETE FROM vectors WHERE model = ? AND owner = ?", (number, owner))
        self._db.run("DELETE FROM shares WHERE model = ? AND owner = ?", (number, owner))
        self._db.run("INSERT INTO vectors_gone (chunk) VALUES (?)", (EVERY,))

    def _some_waiting(self, model: int, limit: int) -> list[ChunkHash]:
        found = self._db.rows(
            "SELECT waiting.chunk, chunks.owner, chunks.hash FROM runs"
            " CROSS JOIN waiting ON waiting.run = runs.n AND waiting.model = ?"
            " CROSS JOIN chunks ON chunks.id = waiting.chunk"
            " ORDER BY runs.ended DESC, runs.id, waiting.chunk LIMIT ?",
            (model, limit),
        )
        return cast("list[ChunkHash]", found)

    def _attach(self, model: int, tag: str, some: Sequence[ChunkHash]) -> set[int]:
        attached: set[int] = set()
        for owner in {owner for _id, owner, _hash in some}:
            files = self._usable(owner, tag)
            if files is None:
                continue
            theirs = [(id, hash) for id, whose, hash in some if whose == owner]
            rows = files.find([hash for _id, hash in theirs])
            known = [(id, row) for (id, _hash), row in zip(theirs, rows, strict=True) if row is not None]
            self._map(model, owner, known)
            attached.update(id for id, _row in known)
        return attached

    def _map(self, model: int, owner: int, rows: Sequence[tuple[int, int]]) -> None:
        self._db.run_many(
            "INSERT INTO vectors (model, owner, chunk, row) VALUES (?,?,?,?)",
            ((model, owner, id, row) for id, row in rows),
        )
        self._db.run_many(
            "DELETE FROM waiting WHERE run = (SELECT run FROM chunks WHERE id = ?1) AND model = ?2 AND chunk = ?1",
            ((id, model) for id, _row in rows),
        )
        self._db.run(
            "INSERT INTO shares (owner, model, chunks) VALUES (?1, ?2, ?3)"
            " ON CONFLICT (owner, model) DO UPDATE SET chunks = chunks + ?3",
            (owner, model, len(rows)),
        )

    def put(self, model: str, chunks: Sequence[Chunk], vectors: Floats) -> None:
        if not chunks:
            return
        unit = of_length_one(vectors, len(chunks))
        with self._db.transaction():
            number = self._known(model)
            self._must_fit(number, model, unit.shape[1])
            places = [self._place(chunk, number) for chunk in chunks]
            for owner in {place[1] for place in places if place}:
                theirs = [(place, unit[n]) for n, place in enumerate(places) if place and place[1] == owner]
                self._put(number, model, owner, theirs)

    def _put(self, number: int, model: str, owner: int, theirs: Sequence[tuple[ChunkHash, Floats]]) -> None:
        files = self._usable(owner, model) or vector_files.created(self._folder(owner, model), model, len(theirs[0][1]))
        if files.sizes.dimension != len(theirs[0][1]):
            raise _misfit(model, len(theirs[0][1]), files.sizes.dimension)
        wanted = {hash: vector for (_id, _owner, hash), vector in theirs}
        rows = dict(zip(wanted, files.find(list(wanted)), strict=True))
        new = [hash for hash, row in rows.items() if row is None]
        if new:
            first = files.append(new, np.stack([wanted[hash] for hash in new]))
            rows |= {hash: first + n for n, hash in enumerate(new)}
        placed = {id: rows[hash] for (id, _owner, hash), _vector in theirs}
        self._map(number, owner, [(id, row) for id, row in placed.items() if row is not None])

    def _place(self, chunk: Chunk, model: int) -> ChunkHash | None:
        """None: it is gone, says something else, or has its vector."""
        row = self._db.row(
            "SELECT id, owner, hash FROM chunks WHERE run = ? AND turn = ? AND step = ? AND part = ?"
            " AND NOT EXISTS (SELECT 1 FROM vectors WHERE chunk = chunks.id AND model = ?)",
            (self._names.find(chunk.run), chunk.turn, chunk.step, chunk.part, model),
        )
        return cast(ChunkHash, row) if row and row[2] == content_hash(chunk.text) else None

    def _must_fit(self, number: int, model: str, dimension: int) -> None:
        known = self._db.number("SELECT dimension FROM models WHERE model = ?", (number,))
        if known and known != dimension:
            raise _misfit(model, dimension, known)
        self._db.run("UPDATE models SET dimension = ? WHERE model = ?", (dimension, number))

    # -- asking -------------------------------------------------------------------------------------------------------

    def nearest(
        self, vector: Floats, model: str, which: RunFilter, reader: Reader, limit: int
    ) -> Sequence[VectorMatch]:
        meant, number = chosen(which, reader, self._db, self._names), self._names.find(model)
        if meant is None or number is None or limit <= 0:
            return []
        files = self._of(meant.owner, model)
        if files is None:
            self._must_be_there(meant.owner, number, model)
            return []
        wanted = _fitting(vector, files)
        scan = self._scan(meant.owner, number)
        _must_be_whole(files, int(scan.row.max(initial=-1)) + 1, model)
        chunks, rows = scan.only(meant)
        different = self._all_rows(scan, files) if meant.everything else distinct(rows, files.count())
        some, scores = nearest_rows(files, different, wanted, limit)
        nearest = nearest_chunks(chunks, rows, some, scores, limit)
        sound = self._sound(files, {row for _id, row, _score in nearest})
        ids = {id: score for id, row, score in nearest if sound[row]}
        found = chunk_rows.by_id(self._db, self._names, meant.owner, ids)
        near = [VectorMatch(chunk, ids[id]) for id, chunk in found.items()]
        return sorted(near, key=lambda one: (-one.likeness, one.chunk.key))[:limit]

    def likeness(self, chunks: Sequence[Chunk], vector: Floats, model: str, reader: Reader) -> Mapping[Key, float]:
        owner, number = self._names.find(reader.user), self._names.find(model)
        if owner is None or number is None:
            return {}
        files = self._of(owner, model)
        if files is None:
            self._must_be_there(owner, number, model)
            return {}
        rows = self._rows(chunks, number, owner)
        _must_be_whole(files, max(rows.values(), default=-1) + 1, model)
        sound = self._sound(files, rows.values())
        rows = {key: row for key, row in rows.items() if sound[row]}
        scores = likeness(files.rows(np.array(list(rows.values()), np.int64)), _fitting(vector, files))
        return dict(zip(rows, map(float, scores), strict=True))

    def _rows(self, chunks: Sequence[Chunk], model: int, owner: int) -> dict[Key, int]:
        known, others = self._places.find(chunks)
        found = self._db.rows(
            "SELECT chunk, row FROM json_each(?) AS wanted"
            " JOIN vectors ON vectors.chunk = wanted.value AND vectors.model = ? WHERE vectors.owner = ?",
            (json.dumps(list(known)), model, owner),
        )
        rows = {known[chunk]: row for chunk, row in cast("list[tuple[int, int]]", found)}
        return rows | self._rows_at(others, model, owner)

    def _rows_at(self, chunks: Sequence[Chunk], model: int, owner: int) -> dict[Key, int]:
        runs = self._names.find_all(chunk.run for chunk in chunks)
        places = [(n, runs[c.run], c.turn, c.step, c.part, model, owner) for n, c in enumerate(chunks)]
        found = self._db.rows_of_many(
            "SELECT ?1, vectors.row FROM chunks JOIN vectors ON vectors.chunk = chunks.id AND vectors.model = ?6"
            " WHERE run = ?2 AND turn = ?3 AND step = ?4 AND part = ?5 AND vectors.owner = ?7",
            places,
        )
        return {chunks[n].key: row for n, row in cast("list[tuple[int, int]]", found)}

    def share(self, model: str, reader: Reader) -> tuple[int, int]:
        owner, number = self._names.find(reader.user), self._names.find(model)
        there = self._db.number("SELECT chunks FROM shares WHERE owner = ? AND model = ?", (owner, number))
        return there, self._db.number("SELECT chunks FROM totals WHERE owner = ?", (owner,))

    def save_scans(self, behind: Sequence[tuple[int, int]]) -> None:
        """What is new for many Chunks comes into the files that are looked through."""
        self._db.sync()  # what a file says must not be lost here
        last = self._db.number("SELECT max(seq) FROM vectors")
        for owner, model in behind:
            saved(self._scan(owner, model), self._scan_path(owner, model))
            self._db.run("UPDATE shares SET scanned = ? WHERE owner = ? AND model = ?", (last, owner, model))

    # -- leaving ------------------------------------------------------------------------------------------------------

    def drop(self, model: str) -> None:
        number = self._names.find(model)
        with self._db.transaction():
            for table in ("waiting", "vectors", "shares", "models"):
                self._db.run(f"DELETE FROM {table} WHERE model = ?", (number,))
            drop_model(self._db, model)
            self._names.let_go(model)  # should it come back, nobody takes it for what it was
        vector_files.remove_model(self._base, model)

    def scrub(self) -> None:
        """Vectors and hashes of texts that no Chunk has any more."""
        for (owner,) in self._db.rows("SELECT owner FROM totals"):
            hashes = self._db.rows("SELECT hash FROM chunks WHERE owner = ?", (owner,))
            said = {cast(bytes, hash) for (hash,) in hashes}
            vector_files.remove_asides(self._base, self._names.name(owner))
            for files in vector_files.all_of(self._base, self._names.name(owner)):
                files.erase([number for number, hash in files.hashes() if hash not in said and any(hash)])
        self._files.clear()  # what is open remembers what it has seen

    # -- damage -------------------------------------------------------------------------------------------------------

    def damaged(self) -> list[str]:
        """Rows whose checksum does not fit, by file."""
        return [f"{name}: {what}" for _model, _owner, name, what in self._damage(self._looked_at)]

    def gaps(self) -> list[str]:
        return [f"{name}: {what}" for _model, _owner, name, what in self._damage(self._glanced_at)]

    def mend(self) -> list[str]:
        """Every Chunk of a damaged file waits again; `waiting` gives those whose row is sound their row back."""
        found = list(self._damage(self._looked_at))
        for model, owner, name, _what in found:
            with self._db.transaction():
                files = self._usable(owner, self._names.name(model))
                if files is not None:
                    files.erase(files.damaged())
                self._wait_again(model, owner)
            self._unsound = {folder: rows for folder, rows in self._unsound.items() if folder.name != name}
        return [f"{name} ({what})" for _model, _owner, name, what in found]

    def _damage(self, look: Callable[[VectorFiles, int], str]) -> Iterator[tuple[int, int, str, str]]:
        """Model, owner, folder and what is wrong."""
        every = self._db.rows(
            "SELECT models.model, totals.owner, coalesce(shares.chunks, 0) FROM models CROSS JOIN totals"
            " LEFT JOIN shares ON shares.model = models.model AND shares.owner = totals.owner"
        )
        for model, owner, chunks in cast("list[tuple[int, int, int]]", every):
            folder = self._folder(owner, self._names.name(model))
            try:
                files = self._of(owner, self._names.name(model))
                rows = 1 + int(self._scan(owner, model).row.max(initial=-1))
                what = look(files, rows) if files is not None else "missing" if chunks else ""
            except VectorsDamagedError:
                what = f"{vector_files.ABOUT} is damaged"
            if what:
                yield model, owner, folder.name, what

    def _glanced_at(self, files: VectorFiles, rows: int) -> str:
        if short := files.gaps(rows):
            return f"{', '.join(short)} cut short or missing"
        met = len(self._unsound.get(files.folder, ()))
        return f"{met} vectors" if met else ""

    def _looked_at(self, files: VectorFiles, rows: int) -> str:
        bad = len(files.damaged())
        return f"{bad} vectors" if bad else self._glanced_at(files, rows)

    def _sound(self, files: VectorFiles, rows: Iterable[int]) -> dict[int, bool]:
        """What is not as it was written is left out, and remembered: whoever asked should hear of it."""
        sound = files.are_sound(rows)
        if bad := {row for row, fits in sound.items() if not fits}:
            self._unsound.setdefault(files.folder, set()).update(bad)
        return sound

    def _usable(self, owner: int, model: str) -> VectorFiles | None:
        """For whoever writes: files that cannot be understood are moved aside, and new ones begun."""
        try:
            return self._of(owner, model)
        except VectorsDamagedError:
            vector_files.set_aside(self._folder(owner, model))
            return None

    # -- parts --------------------------------------------------------------------------------------------------------

    def _scan(self, owner: int, model: int) -> Scan:
        known = self._scans.get((owner, model)) or loaded(self._scan_path(owner, model))
        scan = brought_up_to_date(known, self._db, owner, model)
        self._scans[(owner, model)] = scan
        return scan

    def _all_rows(self, scan: Scan, files: VectorFiles) -> NDArray[np.intp]:
        """The same for every question, until the scan is another."""
        count, (known, of, found) = files.count(), self._different
        if known is not scan or of != count:
            found = distinct(scan.row, count)
            self._different = (scan, count, found)
        return found

    def _scan_path(self, owner: int, model: int) -> Path:
        return self._db.path.with_suffix(".near") / f"{owner}-{model}"

    def _of(self, owner: int, model: str) -> VectorFiles | None:
        """Opened anew when they were made anew: a model that was dropped may come back."""
        folder = self._folder(owner, model)
        stands = vector_files.stands(folder)
        if not stands:
            return None
        if self._files.get(folder, ("",))[0] != stands:
            self._files[folder] = (stands, vector_files.opened(folder))
        return self._files[folder][1]

    def _folder(self, owner: int, model: str) -> Path:
        return vector_files.folder_of(self._base, self._names.name(owner), model)

    def _must_be_there(self, owner: int, number: int, model: str) -> None:
        """Nothing to look through is an answer only where nothing was put."""
        if self._db.number("SELECT chunks FROM shares WHERE owner = ? AND model = ?", (owner, number)):
            raise VectorsDamagedError(f"the vectors of {model} are missing", hint=COMPUTE)

    def _chunks(self, ids: Sequence[int]) -> list[Chunk]:
        rows = {id: self._db.row(f"SELECT {chunk_rows.COLUMNS} FROM chunks WHERE id = ?", (id,)) for id in ids}
        return [chunk_rows.chunk_of(row, self._names) for row in rows.values() if row]


def _must_be_whole(files: VectorFiles, rows: int, model: str) -> None:
    if short := files.gaps(rows):
        raise VectorsDamagedError(f"the vectors of {model} are damaged ({', '.join(short)} cut short)", hint=COMPUTE)


def _misfit(model: str, dimension: int, known: int) -> LaneError:
    return LaneError(
        f"{model} gave {dimension} numbers, its other vectors have {known}",
        hint="another model, or the same at another size, needs a tag of its own",
    )


def _fitting(vector: Floats, files: VectorFiles) -> Floats:
    unit = of_length_one(np.asarray(vector, np.float32).reshape(1, -1), 1)[0]
    if len(unit) != files.sizes.dimension:
        raise LaneError(
            f"a vector of {len(unit)} numbers among those of {files.sizes.dimension}",
            hint="the model that asks must be the one that was asked before",
        )
    return unit
