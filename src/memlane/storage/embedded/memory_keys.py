"""What Memories are found by, in SQLite: what they are about, their words, the Runs they stand on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memlane.domain import Memory, Reader
from memlane.storage.embedded.connection import Connection
from memlane.storage.found_by import FoundBy, found_by, places, rarest_first, spot

_NEXT = "(SELECT min(subject) FROM subjects WHERE owner = ?1 AND subject > one.s AND subject < ?3)"
# From each subject to the next: what many Memories are about is passed in one step.
_SUBJECTS = (
    "WITH RECURSIVE one (s) AS (SELECT min(subject) FROM subjects WHERE owner = ?1 AND subject >= ?2 AND subject < ?3"
    f" UNION ALL SELECT {_NEXT} FROM one WHERE s IS NOT NULL) SELECT substr(s, ?4) FROM one WHERE s IS NOT NULL"
)


class MemoryKeys:
    """Inside a transaction of whoever writes."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def enter(self, memory: Memory, keys: FoundBy) -> None:
        where = spot(memory.owner, keys.place)
        into = "INSERT OR IGNORE INTO"
        self._each(f"{into} memory_words (spot, term, memory) VALUES (?,?,?)", (where,), sorted(keys.words), memory.id)
        self._each(
            f"{into} subjects (owner, subject, memory) VALUES (?,?,?)", (memory.owner,), keys.subjects, memory.id
        )
        self._each(f"{into} memory_runs (run, memory) VALUES (?,?)", (), keys.runs, memory.id)

    def leave(self, memory: Memory) -> None:
        """As it was written: what it says there is what it was entered by."""
        keys = found_by(memory)
        words = "DELETE FROM memory_words WHERE spot = ? AND term = ? AND memory = ?"
        self._each(words, (spot(memory.owner, keys.place),), sorted(keys.words), memory.id)
        subjects = "DELETE FROM subjects WHERE owner = ? AND subject = ? AND memory = ?"
        self._each(subjects, (memory.owner,), keys.subjects, memory.id)
        self._each("DELETE FROM memory_runs WHERE run = ? AND memory = ?", (), keys.runs, memory.id)

    def subjects(self, type_: str, reader: Reader) -> list[str]:
        prefix = f"{type_.casefold()}:"
        found = self._db.rows(_SUBJECTS, (reader.user, prefix, f"{prefix[:-1]};", len(prefix) + 1))
        return [str(row[0]) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> list[str]:
        having: dict[str, list[str]] = {}
        for place in places(here):
            where = spot(reader.user, place)
            for term in set(terms):
                sql = "SELECT memory FROM memory_words WHERE spot = ? AND term = ? ORDER BY memory LIMIT ?"
                found = self._db.rows(sql, (where, term, limit))
                having.setdefault(term, []).extend(str(row[0]) for row in found)
        return rarest_first(having, limit)

    def from_run(self, run: str) -> list[str]:
        return [str(row[0]) for row in self._db.rows("SELECT memory FROM memory_runs WHERE run = ?", (run,))]

    def _each(self, sql: str, before: tuple[object, ...], keys: Iterable[str], memory: str) -> None:
        self._db.run_many(sql, ((*before, key, memory) for key in keys))
