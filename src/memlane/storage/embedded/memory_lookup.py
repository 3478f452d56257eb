"""What Memories are found by and counted by, in SQLite: for whoever looks at many at once and reads few."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise

from memlane.domain import Memory, Order, Project, Reader, Selection, State, Traits, Type
from memlane.storage.embedded.chunk_rows import content_hash
from memlane.storage.embedded.conditions import most
from memlane.storage.embedded.connection import Connection, moment
from memlane.storage.memory_lookup import LookupKeys, cue_text, lookup_keys, places, rarest_first, spot
from memlane.storage.values import NameCount, traits_of

_NEXT = "(SELECT min(subject) FROM subjects WHERE owner = ?1 AND subject > one.s AND subject < ?3)"
# From each subject to the next: what many Memories are about is passed in one step.
_SUBJECTS = (
    "WITH RECURSIVE one (s) AS (SELECT min(subject) FROM subjects WHERE owner = ?1 AND subject >= ?2 AND subject < ?3"
    f" UNION ALL SELECT {_NEXT} FROM one WHERE s IS NOT NULL) SELECT substr(s, ?4) FROM one WHERE s IS NOT NULL"
)


def tick(db: Connection) -> None:
    """Something about Memories changes in this transaction."""
    db.run("UPDATE memory_clock SET n = n + 1")


def digest(memory: Memory) -> bytes:
    """Of what a vector is made from."""
    return content_hash(memory.text)


def cue_digest(memory: Memory) -> bytes | None:
    """The same of its Cues; None: there are none."""
    return content_hash(text) if (text := cue_text(memory)) else None


class MemoryKeys:
    """Inside a transaction of whoever writes."""

    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def enter(self, memory: Memory, keys: LookupKeys) -> None:
        where = spot(memory.owner, keys.place)
        into = "INSERT OR IGNORE INTO"
        self._each(f"{into} memory_words (spot, term, memory) VALUES (?,?,?)", (where,), sorted(keys.words), memory.id)
        self._each(
            f"{into} subjects (owner, subject, memory) VALUES (?,?,?)", (memory.owner,), keys.subjects, memory.id
        )
        self._each(f"{into} memory_runs (run, memory) VALUES (?,?)", (), keys.runs, memory.id)

    def leave(self, memory: Memory) -> None:
        """As it was written: what it says there is what it was entered by."""
        keys = lookup_keys(memory)
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


_TRAITS = "state, type, scope, project, category, level, observed > 1, told > 0, always"
_KEPT = (
    "SELECT state, type, scope, project, category, level, again, told, always, n FROM memory_counts"
    " WHERE owner = ? AND n > 0"
)
# Each order with the index that has it: only as much of it is read as is shown.
_ORDERS = {
    Order.SEEN: ("seen DESC, formed DESC, id", "memories_by_seen"),
    Order.TOLD: ("told DESC, formed DESC, id", "memories_by_told"),
    Order.SURE: ("sure DESC, formed DESC, id", "memories_by_sure"),
    Order.OLD: ("formed, id", "memories_by_forming"),
    Order.YOUNG: ("formed DESC, id", "memories_by_forming"),
}
_SPANS = (
    "WITH spans (span, first, last) AS MATERIALIZED"
    " (SELECT key, json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))"
)
_BY = {"type": "type", "project": "project", "category": "category", "": "''"}
_SOME = "owner, known, type, name, project_key, project, state"


class Tallies:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def found(self, which: Selection, reader: Reader) -> list[str]:
        """Ids."""
        order, index = _ORDERS[which.order]
        condition, values = _conditions(which)
        by = f" INDEXED BY {index}" if not _narrow(which) else ""
        sql = f"SELECT id FROM memories{by} WHERE owner = ? AND {condition} ORDER BY {order} LIMIT ? OFFSET ?"
        return [str(row[0]) for row in self._db.rows(sql, (reader.user, *values, most(which.limit), which.skip))]

    def tallied(self, which: Selection, reader: Reader) -> dict[Traits, int]:
        condition, values = _conditions(which)
        if not _narrow(which):
            found = self._db.rows(f"{_KEPT} AND state IN ({_holes(which.states)})", (reader.user, *which.states))
        else:
            sql = f"SELECT {_TRAITS}, count(*) FROM memories WHERE owner = ? AND {condition} GROUP BY {_TRAITS}"
            found = self._db.rows(sql, (reader.user, *values))
        return {traits_of(row): int(str(row[-1])) for row in found}

    def over_time(self, edges: Sequence[datetime], by: str, which: Selection, reader: Reader) -> list[dict[str, int]]:
        condition, values = _conditions(which)
        times = [edge.timestamp() for edge in edges]
        spans = json.dumps(list(pairwise(times)))
        sql = (
            f"{_SPANS} SELECT span, {_BY[by]}, count(*) FROM spans CROSS JOIN memories INDEXED BY memories_by_forming"
            f" ON owner = ? AND formed >= first AND formed < last WHERE {condition} GROUP BY 1, 2"
        )
        found: list[dict[str, int]] = [{} for _ in times[1:]]
        for n, value, count in self._db.rows(sql, (spans, reader.user, *values)):
            found[int(str(n))][str(value)] = int(str(count))
        return found

    def names(self, reader: Reader, *, known: bool) -> list[NameCount]:
        sql = f"SELECT {_SOME}, n, seen FROM name_counts WHERE owner = ? AND known = ? AND n > 0 ORDER BY {_SOME}"
        return [
            NameCount(bool(row[1]), str(row[2]), str(row[3]), Project(str(row[5]), str(row[4])), State(row[6]), n, seen)
            for row in self._db.rows(sql, (reader.user, known))
            if isinstance(n := row[7], int) and (seen := moment(row[8])) is not None
        ]

    def most_named(self, which: Selection, reader: Reader, limit: int) -> tuple[list[tuple[str, int]], int]:
        condition, values = _conditions(which)
        if not _narrow(which):
            some = f"SELECT name, sum(n) AS n FROM name_counts WHERE owner = ? AND state IN ({_holes(which.states)})"
            values = [*which.states]
        else:
            those = f"SELECT id FROM memories WHERE owner = ? AND {condition}"
            some = f"SELECT name, count(*) AS n FROM names_in WHERE owner = ? AND memory IN ({those})"
            values = [reader.user, *values]
        sql = f"SELECT name, n, count(*) OVER () FROM ({some} GROUP BY 1) ORDER BY n DESC, name LIMIT ?"
        found = self._db.rows(sql, (reader.user, *values, limit))
        return [(str(row[0]), int(str(row[1]))) for row in found], int(str(found[0][2])) if found else 0

    def types(self, states: Sequence[State], reader: Reader) -> list[tuple[str, Type]]:
        sql = f"SELECT id, type FROM memories WHERE owner = ? AND state IN ({_holes(states)}) ORDER BY id"
        kinds = {one.value: one for one in Type}
        return [(str(id), kinds[str(type_)]) for id, type_ in self._db.rows(sql, (reader.user, *states))]


def _narrow(which: Selection) -> bool:
    """Few may fit: they are looked for by what they are, not in their order."""
    exact = (
        which.type,
        which.scope,
        which.project,
        which.category,
        which.names,
        which.words,
        which.types,
        which.about,
        which.observed,
    )
    bounds = (which.level, which.again, which.told, which.always, which.since, which.until, which.embedded)
    return any(exact) or any(one is not None for one in bounds)


def _chosen(which: Selection) -> Iterator[tuple[str, object]]:
    """By several values at once, and by what stands beside a Memory."""
    if which.types:
        yield ("type IN (SELECT value FROM json_each(?))", json.dumps(which.types))
    if which.about:
        yield (
            "id IN (SELECT memory FROM names_in WHERE names_in.owner = memories.owner AND known = 1"
            " AND type || ':' || name IN (SELECT value FROM json_each(?)))",
            json.dumps(sorted(which.about)),
        )
    if which.observed:
        yield ("observed >= ?", which.observed)
    if which.embedded is not None:
        yield (
            "EXISTS (SELECT 1 FROM memory_vectors AS v"
            " WHERE v.memory = memories.id AND v.digest = memories.digest) = ?",
            which.embedded,
        )


def _conditions(which: Selection) -> tuple[str, list[object]]:
    conditions, values = [f"state IN ({_holes(which.states)})"], list[object](which.states)

    def add(condition: str, value: object) -> None:
        conditions.append(condition)
        values.append(value)

    for column in ("type", "scope", "project", "category"):
        if value := getattr(which, column):
            add(f"{column} = ?", value)
    kinds = (("(observed > 1)", which.again), ("(told > 0)", which.told), ("always", which.always))
    for column, wanted in (("level", which.level), *kinds):
        if wanted is not None:
            add(f"{column} = ?", wanted)
    if which.since:
        add("formed >= ?", which.since.timestamp())
    if which.until:
        add("formed < ?", which.until.timestamp())
    if which.names:
        add("id IN (SELECT memory FROM names_in WHERE names_in.owner = memories.owner AND name = ?)", which.names)
    for condition, value in _chosen(which):
        add(condition, value)
    for word in which.terms:
        add("instr(said, ?) > 0", word)
    return " AND ".join(conditions), values


def _holes(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
