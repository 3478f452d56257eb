"""What Memories are found by, in PostgreSQL: what they are about, their words, the Runs they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from memlane.domain import Memory, Reader
from memlane.storage.found_by import FoundBy, places, rarest_first, spot
from memlane.storage.postgres.connection import Connection, digest

# Parts of the statement that puts a Memory: what it is not found by any more leaves, what is new comes.
ENTER = """
words AS (SELECT %s::text AS memory, %s::bigint AS spot, %s::text[] AS terms),
words_gone AS (DELETE FROM memory_words USING words
  WHERE memory_words.memory = words.memory AND NOT (memory_words.spot = words.spot AND term = ANY(terms))),
words_new AS (INSERT INTO memory_words (spot, term, memory) SELECT spot, term, memory FROM words, unnest(terms) AS term
  ON CONFLICT DO NOTHING),
about AS (SELECT %s::text AS memory, %s::uuid[] AS digests, %s::uuid[] AS kinds, %s::text[] AS slugs),
about_gone AS (DELETE FROM subjects USING about
  WHERE subjects.memory = about.memory AND NOT subjects.digest = ANY(digests)),
about_new AS (INSERT INTO subjects (memory, digest, kind, slug)
  SELECT memory, one.* FROM about, unnest(digests, kinds, slugs) AS one ON CONFLICT DO NOTHING),
standing AS (SELECT %s::text AS memory, %s::text[] AS runs),
runs_gone AS (DELETE FROM memory_runs USING standing
  WHERE memory_runs.memory = standing.memory AND NOT memory_runs.run = ANY(runs)),
runs_new AS (INSERT INTO memory_runs (memory, run) SELECT memory, run FROM standing, unnest(runs) AS run
  ON CONFLICT DO NOTHING)
"""
_SHARING = """
SELECT t.term, w.memory FROM unnest(%s::bigint[]) WITH ORDINALITY AS s (spot, n), unnest(%s::text[]) AS t (term),
LATERAL (SELECT memory FROM memory_words AS m WHERE m.spot = s.spot AND m.term = t.term ORDER BY memory LIMIT %s) AS w
ORDER BY s.n, w.memory
"""


def entered(memory: Memory, keys: FoundBy) -> tuple[object, ...]:
    """The values of ENTER."""
    subjects = sorted(keys.subjects)
    kinds = [_kind(memory.owner, one.partition(":")[0]) for one in subjects]
    slugs = [one.partition(":")[2] for one in subjects]
    about = (memory.id, [digest(one) for one in subjects], kinds, slugs)
    return memory.id, spot(memory.owner, keys.place), sorted(keys.words), *about, memory.id, sorted(keys.runs)


class MemoryKeys:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def subjects(self, type_: str, reader: Reader) -> list[str]:
        found = self._db.rows(
            "SELECT DISTINCT slug FROM subjects WHERE kind = %s ORDER BY slug", (_kind(reader.user, type_.casefold()),)
        )
        return [str(row[0]) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> list[str]:
        having: dict[str, list[str]] = {}
        spots = [spot(reader.user, place) for place in places(here)]
        for term, memory in self._db.rows(_SHARING, (spots, sorted(set(terms)), limit)):
            having.setdefault(str(term), []).append(str(memory))
        return rarest_first(having, limit)


def _kind(owner: str, type_: str) -> UUID:
    return digest(f"{owner}\0{type_}")
