"""What Memories are found by and counted by, in PostgreSQL: for whoever looks at many at once and reads few."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from memlane.domain import Memory, Order, Project, Reader, Selection, State, Traits, Type
from memlane.storage.memory_lookup import LookupKeys, places, rarest_first, spot
from memlane.storage.postgres.builds import Builds, Whose
from memlane.storage.postgres.connection import Connection, digest, moment
from memlane.storage.values import NameCount, names_in, traits_of

# Parts of the statement that puts a Memory, whose `whose` says owner, build and id: what it is not found by any more
# leaves, what is new comes.
ENTER = """
words AS (SELECT whose.*, %s::bigint AS spot, %s::text[] AS terms FROM whose),
words_gone AS (DELETE FROM memory_words AS old USING words WHERE old.owner = words.owner AND old.build = words.build
  AND old.memory = words.memory AND NOT (old.spot = words.spot AND term = ANY(terms))),
words_new AS (INSERT INTO memory_words (owner, build, spot, term, memory)
  SELECT owner, build, spot, term, memory FROM words, unnest(terms) AS term ON CONFLICT DO NOTHING),
about AS (SELECT whose.*, %s::uuid[] AS digests, %s::uuid[] AS kinds, %s::text[] AS slugs FROM whose),
about_gone AS (DELETE FROM subjects AS old USING about WHERE old.owner = about.owner AND old.build = about.build
  AND old.memory = about.memory AND NOT old.digest = ANY(digests)),
about_new AS (INSERT INTO subjects (owner, build, memory, digest, kind, slug)
  SELECT owner, build, memory, one.* FROM about, unnest(digests, kinds, slugs) AS one ON CONFLICT DO NOTHING),
standing AS (SELECT whose.*, %s::text[] AS runs FROM whose),
runs_gone AS (DELETE FROM memory_runs AS old USING standing WHERE old.owner = standing.owner
  AND old.build = standing.build AND old.memory = standing.memory AND NOT old.run = ANY(runs)),
runs_new AS (INSERT INTO memory_runs (owner, build, memory, run)
  SELECT owner, build, memory, run FROM standing, unnest(runs) AS run ON CONFLICT DO NOTHING)
"""
_SHARING = """
SELECT t.term, w.memory FROM unnest(%s::bigint[]) WITH ORDINALITY AS s (spot, n), unnest(%s::text[]) AS t (term),
LATERAL (SELECT memory FROM memory_words AS m WHERE m.owner = %s AND m.build = %s AND m.spot = s.spot
  AND m.term = t.term ORDER BY memory LIMIT %s) AS w
ORDER BY s.n, w.memory
"""


def entered(memory: Memory, keys: LookupKeys) -> tuple[object, ...]:
    """The values of ENTER."""
    subjects = sorted(keys.subjects)
    kinds = [digest(one.partition(":")[0]) for one in subjects]
    slugs = [one.partition(":")[2] for one in subjects]
    about = ([digest(one) for one in subjects], kinds, slugs)
    return spot(memory.owner, keys.place), sorted(keys.words), *about, sorted(keys.runs)


class MemoryKeys:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def subjects(self, type_: str, reader: Reader) -> list[str]:
        found = self._db.rows(
            "SELECT DISTINCT slug FROM subjects WHERE owner = %s AND build = %s AND kind = %s ORDER BY slug",
            (*self._builds.of(reader.user), digest(type_.casefold())),
        )
        return [str(row[0]) for row in found]

    def sharing(self, terms: Sequence[str], here: str, reader: Reader, limit: int) -> list[str]:
        having: dict[str, list[str]] = {}
        spots, whose = [spot(reader.user, place) for place in places(here)], self._builds.of(reader.user)
        for term, memory in self._db.rows(_SHARING, (spots, sorted(set(terms)), *whose, limit)):
            having.setdefault(str(term), []).append(str(memory))
        return rarest_first(having, limit)


_TOLD = """(SELECT count(*) FROM recalled WHERE recalled.owner = memories.owner AND recalled.build = memories.build
  AND recalled.memory = memories.id)"""
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
# The same: what it named leaves, what it names comes. One that stays is left alone.
NAME = """
naming AS (SELECT whose.*, %s::boolean[] AS knowns, %s::text[] AS types, %s::text[] AS names FROM whose),
wanted AS (SELECT naming.owner, naming.build, naming.memory, one.*
  FROM naming, unnest(knowns, types, names) AS one (known, type, name)),
names_gone AS (DELETE FROM names_in AS old USING naming WHERE old.owner = naming.owner AND old.build = naming.build
  AND old.memory = naming.memory AND NOT EXISTS (
  SELECT 1 FROM wanted AS w WHERE w.known = old.known AND w.type = old.type AND w.name = old.name)),
names_new AS (INSERT INTO names_in (owner, build, memory, known, type, name)
  SELECT owner, build, memory, known, type, name FROM wanted
  WHERE NOT EXISTS (SELECT 1 FROM names_in AS old WHERE old.owner = wanted.owner AND old.build = wanted.build
  AND old.memory = wanted.memory AND old.known = wanted.known AND old.type = wanted.type AND old.name = wanted.name))
"""


def naming(memory: Memory) -> tuple[object, ...]:
    """The values of NAME."""
    every = sorted(names_in(memory))
    return tuple([one[n] for one in every] for n in range(3))


class Tallies:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def found(self, which: Selection, reader: Reader) -> list[str]:
        """Ids."""
        whose = self._builds.of(reader.user)
        condition, values = _conditions(which, whose)
        order = _ORDERS[which.order]
        sql = f"SELECT id FROM memories WHERE {condition} ORDER BY {order} LIMIT %s OFFSET %s"
        return [str(row[0]) for row in self._db.rows(sql, (*values, which.limit, which.skip))]

    def tallied(self, which: Selection, reader: Reader) -> dict[Traits, int]:
        condition, values = _conditions(which, self._builds.of(reader.user))
        sql = f"SELECT {_TRAITS}, count(*) FROM memories WHERE {condition} GROUP BY 1,2,3,4,5,6,7,8,9"
        return {traits_of(row): int(str(row[-1])) for row in self._db.rows(sql, values)}

    def over_time(self, edges: Sequence[datetime], by: str, which: Selection, reader: Reader) -> list[dict[str, int]]:
        condition, values = _conditions(which, self._builds.of(reader.user))
        times = [edge.timestamp() for edge in edges]
        sql = (
            f"SELECT span.n, {_BY[by]}, count(*) FROM unnest(%s::float8[], %s::float8[]) WITH ORDINALITY"
            " AS span (first, last, n) JOIN memories ON formed >= span.first AND formed < span.last"
            f" WHERE {condition} GROUP BY 1, 2"
        )
        found: list[dict[str, int]] = [{} for _ in times[1:]]
        for n, value, count in self._db.rows(sql, (times[:-1], times[1:], *values)):
            found[int(str(n)) - 1][str(value)] = int(str(count))
        return found

    def names(self, reader: Reader, *, known: bool) -> list[NameCount]:
        sql = (
            f"SELECT {_SOME}, count(*), max(seen) FROM names_in JOIN memories"
            " ON memories.owner = names_in.owner AND memories.build = names_in.build AND id = memory"
            " WHERE memories.owner = %s AND memories.build = %s AND names_in.owner = %s AND names_in.build = %s"
            f" AND known = %s GROUP BY {_SOME} ORDER BY {_SOME}"
        )
        whose = self._builds.of(reader.user)
        return [
            NameCount(bool(row[0]), str(row[1]), str(row[2]), Project(str(row[4]), str(row[3])), State(row[5]), n, seen)
            for row in self._db.rows(sql, (*whose, *whose, known))
            if isinstance(n := row[6], int) and (seen := moment(row[7])) is not None
        ]

    def most_named(self, which: Selection, reader: Reader, limit: int) -> tuple[list[tuple[str, int]], int]:
        whose = self._builds.of(reader.user)
        condition, values = _conditions(which, whose)
        sql = (
            "SELECT name, count(*), count(*) OVER () FROM names_in WHERE owner = %s AND build = %s"
            f" AND memory IN (SELECT id FROM memories WHERE {condition}) GROUP BY name ORDER BY 2 DESC, name LIMIT %s"
        )
        found = self._db.rows(sql, (*whose, *values, limit))
        return [(str(row[0]), int(str(row[1]))) for row in found], int(str(found[0][2])) if found else 0

    def types(self, states: Sequence[State], reader: Reader) -> list[tuple[str, Type]]:
        sql = "SELECT id, type FROM memories WHERE owner = %s AND build = %s AND state = ANY(%s) ORDER BY id"
        found = self._db.rows(sql, (*self._builds.of(reader.user), [state.value for state in states]))
        return [(str(id), Type(type_)) for id, type_ in found]


def _chosen(which: Selection, whose: Whose) -> Iterator[tuple[str, Sequence[object]]]:
    """By several values at once, and by what stands beside a Memory."""
    if which.types:
        yield "type = ANY(%s)", [list(which.types)]
    if which.about:
        named = "SELECT memory FROM names_in AS n WHERE n.owner = %s AND n.build = %s AND n.known"
        yield f"id IN ({named} AND n.type || ':' || n.name = ANY(%s))", [*whose, sorted(which.about)]
    if which.observed:
        yield "observed >= %s", [which.observed]
    if which.embedded is not None:
        has = "SELECT FROM memory_vectors AS v WHERE v.owner = %s AND v.build = %s AND v.memory = memories.id"
        yield f"EXISTS ({has} AND v.digest = memories.digest) = %s", [*whose, which.embedded]


def _conditions(which: Selection, whose: Whose) -> tuple[str, list[object]]:
    conditions = ["memories.owner = %s AND memories.build = %s AND state = ANY(%s)"]
    values = list[object]([*whose, [state.value for state in which.states]])

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
        conditions.append(
            "id IN (SELECT memory FROM names_in AS n WHERE n.owner = %s AND n.build = %s"
            " AND hashtextextended(name, 0) = hashtextextended(%s, 0) AND name = %s)"
        )
        values += [*whose, which.names, which.names]
    for condition, given in _chosen(which, whose):
        conditions.append(condition)
        values += given
    for word in which.terms:
        add("position(%s in said) > 0", word)
    return " AND ".join(conditions), values
