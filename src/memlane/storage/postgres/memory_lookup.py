"""What Memories are found by and counted by, in PostgreSQL: for whoever looks at many at once and reads few."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memlane.domain import Memory, Order, Project, Reader, Selection, State, Traits, Type
from memlane.storage.memory_lookup import LookupKeys, places, rarest_first, spot
from memlane.storage.postgres.connection import Connection, digest, moment
from memlane.storage.values import NameCount, names_in, traits_of

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


def entered(memory: Memory, keys: LookupKeys) -> tuple[object, ...]:
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


_TOLD = "(SELECT count(*) FROM recalled WHERE memory = memories.id)"
_TRAITS = f"state, type, scope, project, category, level, observed > 1, {_TOLD} > 0, always"
_ORDERS = {
    Order.SEEN: "seen DESC, formed DESC, id",
    Order.TOLD: f"{_TOLD} DESC, formed DESC, id",
    Order.SURE: "sure DESC, formed DESC, id",
    Order.OLD: "formed, id",
    Order.YOUNG: "formed DESC, id",
}
_BY = {"type": "type", "project": "project", "category": "category", "": "''"}
_SOME = "known, names_in.type, name, project_key, project, state"
# A part of the statement that puts a Memory: what it named leaves, what it names comes. One that stays is left alone.
NAME = """
naming AS (SELECT %s::text AS owner, %s::text AS memory, %s::boolean[] AS knowns, %s::text[] AS types,
  %s::text[] AS names),
wanted AS (SELECT naming.owner, naming.memory, one.*
  FROM naming, unnest(knowns, types, names) AS one (known, type, name)),
names_gone AS (DELETE FROM names_in AS old USING naming WHERE old.memory = naming.memory AND NOT EXISTS (
  SELECT 1 FROM wanted AS w WHERE w.owner = old.owner AND w.known = old.known AND w.type = old.type
  AND w.name = old.name)),
names_new AS (INSERT INTO names_in (owner, memory, known, type, name)
  SELECT owner, memory, known, type, name FROM wanted
  WHERE NOT EXISTS (SELECT 1 FROM names_in AS old WHERE old.memory = wanted.memory AND old.owner = wanted.owner
  AND old.known = wanted.known AND old.type = wanted.type AND old.name = wanted.name))
"""


def naming(memory: Memory) -> tuple[object, ...]:
    """The values of NAME."""
    every = sorted(names_in(memory))
    return memory.owner, memory.id, *([one[n] for one in every] for n in range(3))


class Tallies:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def found(self, which: Selection, reader: Reader) -> list[str]:
        """Ids."""
        condition, values = _conditions(which)
        order = _ORDERS[which.order]
        sql = f"SELECT id FROM memories WHERE owner = %s AND {condition} ORDER BY {order} LIMIT %s OFFSET %s"
        return [str(row[0]) for row in self._db.rows(sql, (reader.user, *values, which.limit, which.skip))]

    def tallied(self, which: Selection, reader: Reader) -> dict[Traits, int]:
        condition, values = _conditions(which)
        sql = f"SELECT {_TRAITS}, count(*) FROM memories WHERE owner = %s AND {condition} GROUP BY 1,2,3,4,5,6,7,8,9"
        return {traits_of(row): int(str(row[-1])) for row in self._db.rows(sql, (reader.user, *values))}

    def over_time(self, edges: Sequence[datetime], by: str, which: Selection, reader: Reader) -> list[dict[str, int]]:
        condition, values = _conditions(which)
        times = [edge.timestamp() for edge in edges]
        sql = (
            f"SELECT span.n, {_BY[by]}, count(*) FROM unnest(%s::float8[], %s::float8[]) WITH ORDINALITY"
            " AS span (first, last, n) JOIN memories ON owner = %s AND formed >= span.first AND formed < span.last"
            f" WHERE {condition} GROUP BY 1, 2"
        )
        found: list[dict[str, int]] = [{} for _ in times[1:]]
        for n, value, count in self._db.rows(sql, (times[:-1], times[1:], reader.user, *values)):
            found[int(str(n)) - 1][str(value)] = int(str(count))
        return found

    def names(self, reader: Reader, *, known: bool) -> list[NameCount]:
        sql = (
            f"SELECT {_SOME}, count(*), max(seen) FROM names_in JOIN memories ON id = memory"
            f" WHERE names_in.owner = %s AND known = %s GROUP BY {_SOME} ORDER BY {_SOME}"
        )
        return [
            NameCount(bool(row[0]), str(row[1]), str(row[2]), Project(str(row[4]), str(row[3])), State(row[5]), n, seen)
            for row in self._db.rows(sql, (reader.user, known))
            if isinstance(n := row[6], int) and (seen := moment(row[7])) is not None
        ]

    def most_named(self, which: Selection, reader: Reader, limit: int) -> tuple[list[tuple[str, int]], int]:
        condition, values = _conditions(which)
        those = f"SELECT id FROM memories WHERE owner = %s AND {condition}"
        sql = (
            "SELECT name, count(*), count(*) OVER () FROM names_in"
            f" WHERE owner = %s AND memory IN ({those}) GROUP BY name ORDER BY 2 DESC, name LIMIT %s"
        )
        found = self._db.rows(sql, (reader.user, reader.user, *values, limit))
        return [(str(row[0]), int(str(row[1]))) for row in found], int(str(found[0][2])) if found else 0

    def types(self, states: Sequence[State], reader: Reader) -> list[tuple[str, Type]]:
        sql = "SELECT id, type FROM memories WHERE owner = %s AND state = ANY(%s) ORDER BY id"
        found = self._db.rows(sql, (reader.user, [state.value for state in states]))
        return [(str(id), Type(type_)) for id, type_ in found]


def _conditions(which: Selection) -> tuple[str, list[object]]:
    conditions, values = ["state = ANY(%s)"], list[object]([[state.value for state in which.states]])

    def add(condition: str, value: object) -> None:
        conditions.append(condition)
        values.append(value)

    for column in ("type", "scope", "project", "category"):
        if value := getattr(which, column):
            add(f"{column} = %s", value)
    kinds = (("(observed > 1)", which.again), (f"({_TOLD} > 0)", which.told), ("always", which.always))
    for column, wanted in (("level", which.level), *kinds):
        if wanted is not None:
            add(f"{column} = %s", wanted)
    if which.since:
        add("formed >= %s", which.since.timestamp())
    if which.until:
        add("formed < %s", which.until.timestamp())
    if which.names:
        add("id IN (SELECT memory FROM names_in AS n WHERE n.owner = memories.owner AND name = %s)", which.names)
    for word in which.terms:
        add("position(%s in said) > 0", word)
    return " AND ".join(conditions), values
