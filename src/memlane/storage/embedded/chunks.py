"""Chunks and the words in them, in SQLite FTS5. Our tokenizer writes the terms, FTS5 keeps and weighs them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memlane.domain import Chunk, Reader
from memlane.domain.words import terms as terms_of
from memlane.storage.embedded.connection import Connection, moment, seconds
from memlane.storage.embedded.runs import run_condition
from memlane.storage.ports import Found, RunFilter

MOST_TERMS = 64  # of a query; a longer one keeps its rarest


class EmbeddedChunks:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def replace(self, run: str, owner: str, from_turn: int, chunks: Iterable[Chunk]) -> None:
        self._db.run(
            "DELETE FROM chunk_terms WHERE rowid IN (SELECT id FROM chunks WHERE run = ? AND turn >= ?)",
            (run, from_turn),
        )
        self._db.run("DELETE FROM chunks WHERE run = ? AND turn >= ?", (run, from_turn))
        for chunk in chunks:
            self._db.run(
                "INSERT INTO chunks (run, owner, turn, step, part, author, at, text) VALUES (?,?,?,?,?,?,?,?)",
                (run, owner, chunk.turn, chunk.step, chunk.part, chunk.author, seconds(chunk.at), chunk.text),
            )
            self._db.run(
                "INSERT INTO chunk_terms (rowid, terms) VALUES (?, ?)",
                (self._db.last_id, " ".join(terms_of(chunk.text))),
            )

    def matching(self, terms: Sequence[str], which: RunFilter, reader: Reader) -> Sequence[Found]:
        known = self.known_terms(terms)
        if not known:
            return []
        rarest = sorted(known, key=lambda term: known[term])[:MOST_TERMS]
        condition, values = run_condition(which, reader, "runs.")
        if which.author:
            condition += " AND chunks.author = ?"
            values.append(which.author)
        found = self._db.rows(
            "SELECT chunks.run, turn, step, part, author, at, text, bm25(chunk_terms) AS badness"
            " FROM chunk_terms JOIN chunks ON chunks.id = chunk_terms.rowid JOIN runs ON runs.id = chunks.run"
            f" WHERE chunk_terms MATCH ? AND {condition} ORDER BY badness, chunks.run, turn, step, part LIMIT ?",
            (" OR ".join(f'"{term}"' for term in rarest), *values, which.limit),
        )
        return [
            Found(
                Chunk(str(run), int(str(turn)), int(str(step)), int(str(part)), str(author), moment(at), str(text)),
                -float(str(badness)),
            )
            for run, turn, step, part, author, at, text, badness in found
        ]

    def known_terms(self, terms: Sequence[str]) -> Mapping[str, int]:
        wanted = sorted({term for term in terms if '"' not in term})
        found = (self._db.row("SELECT doc FROM chunk_vocabulary WHERE term = ?", (term,)) for term in wanted)
        return {term: int(str(row[0])) for term, row in zip(wanted, found, strict=True) if row}

    def near_terms(self, term: str, reader: Reader) -> Sequence[tuple[str, int]]:
        start = term[:2]
        found = self._db.rows(
            "SELECT term, doc FROM chunk_vocabulary WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?"
            " ORDER BY doc DESC, term LIMIT 4000",
            (start, start + "\U0010ffff", len(term) - 2, len(term) + 2),
        )
        if self._db.row("SELECT 1 FROM chunks WHERE owner <> ? LIMIT 1", (reader.user,)) is None:
            return [(str(near), int(str(n))) for near, n in found]
        theirs = ((str(near), self._times(str(near), reader)) for near, _everybodys in found)
        return sorted(((near, n) for near, n in theirs if n), key=lambda one: (-one[1], one[0]))

    def _times(self, term: str, reader: Reader) -> int:
        """The vocabulary is everybody's; a suggestion may only come from what this Reader could find."""
        row = self._db.row(
            "SELECT count(*) FROM chunk_terms JOIN chunks ON chunks.id = chunk_terms.rowid"
            " WHERE chunk_terms MATCH ? AND owner = ?",
            (f'"{term}"', reader.user),
        )
        return int(str(row[0])) if row else 0

    def count(self, reader: Reader) -> int:
        row = self._db.row("SELECT count(*) FROM chunks WHERE owner = ?", (reader.user,))
        return int(str(row[0])) if row else 0
