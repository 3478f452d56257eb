"""Recalls, each exactly as it was answered, the Feedback on them, and how Runs went, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

import msgspec

from memlane.domain import Feedback, Outcome, Reader, Recall
from memlane.storage.postgres.builds import Builds
from memlane.storage.postgres.connection import Connection, encoded, moment
from memlane.storage.values import Result

_decoder = msgspec.json.Decoder(Recall)
_feedback = msgspec.json.Decoder(Feedback)


class PostgresRecalls:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def record(self, recall: Recall) -> None:
        whose = self._builds.made_for(recall.owner)
        self._db.run(
            "INSERT INTO recalls (owner, build, id, at, run, cwd, outcome, body) VALUES (%s,%s,%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, build, id) DO UPDATE SET at = excluded.at, run = excluded.run,"
            " cwd = excluded.cwd, outcome = excluded.outcome, body = excluded.body",
            (
                *whose,
                recall.id,
                recall.at.timestamp(),
                recall.query.run,
                recall.query.cwd,
                recall.outcome.value,
                encoded(recall),
            ),
        )
        self._db.run_many(
            "INSERT INTO recalled (owner, build, memory, run, at) VALUES (%s, %s, %s, %s, %s)"
            " ON CONFLICT (owner, build, memory, run) DO UPDATE SET at = greatest(recalled.at, excluded.at)",
            ((*whose, match.memory.id, recall.query.run, recall.at.timestamp()) for match in recall.told),
        )

    def get(self, recall: str, reader: Reader) -> Recall | None:
        found = self._some("id = %s", reader, recall)
        return found[0] if found else None

    def newest(self, limit: int | None, reader: Reader, *, run: str = "", cwd: str = "") -> Sequence[Recall]:
        condition, values = "true", list[object]()
        for column, value in (("run", run), ("cwd", cwd)):
            if value:
                condition += f" AND {column} = %s"
                values.append(value)
        return self._some(f"{condition} ORDER BY at DESC, id LIMIT %s", reader, *values, limit)

    def shown_in(self, run: str, reader: Reader) -> Sequence[Recall]:
        return self._some("run = %s AND outcome = %s ORDER BY at, id", reader, run, Outcome.SHOWN.value)

    def that_showed(self, memory: str, limit: int | None, reader: Reader) -> Sequence[Recall]:
        told = "SELECT run FROM recalled WHERE owner = %s AND build = %s AND memory = %s"
        condition = f"run IN ({told}) AND outcome = %s ORDER BY at DESC, id"
        whose = self._builds.of(reader.user)
        recalls = self._some(condition, reader, *whose, memory, Outcome.SHOWN.value)
        return list(islice((one for one in recalls if any(m.memory.id == memory for m in one.shown)), limit))

    def _some(self, condition: str, reader: Reader, *values: object) -> list[Recall]:
        sql = f"SELECT body FROM recalls WHERE owner = %s AND build = %s AND {condition}"
        found = self._db.rows(sql, (*self._builds.of(reader.user), *values))
        return [_decoder.decode(str(row[0])) for row in found]

    def told_since(self, since: datetime, reader: Reader) -> Mapping[str, datetime]:
        found = self._db.rows(
            "SELECT memory, max(at) FROM recalled WHERE owner = %s AND build = %s AND at >= %s GROUP BY memory",
            (*self._builds.of(reader.user), since.timestamp()),
        )
        return {str(memory): at for memory, told in found if (at := moment(told)) is not None}

    def drop_words(self, run: str, owner: str) -> None:
        for recall in self._some("run = %s", Reader(owner), run):
            self.record(replace(recall, query=replace(recall.query, words="", files=())))
            for feedback in self._given("recall = %s", Reader(owner), recall.id):
                self.judge(replace(feedback, query="", because=""))

    def judge(self, feedback: Feedback) -> None:
        self._db.run(
            "INSERT INTO feedback (owner, build, id, recall, memory, at, body) VALUES (%s,%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (owner, build, id) DO UPDATE SET body = excluded.body, at = excluded.at",
            (
                *self._builds.made_for(feedback.owner),
                feedback.id,
                feedback.recall,
                feedback.memory,
                feedback.at.timestamp(),
                encoded(feedback),
            ),
        )

    def take_back(self, feedback: str, owner: str) -> None:
        gone = "DELETE FROM feedback WHERE owner = %s AND build = %s AND id = %s"
        self._db.run(gone, (*self._builds.of(owner), feedback))

    def judged(self, memories: Sequence[str], reader: Reader) -> Sequence[Feedback]:
        return self._given("memory = ANY(%s::text[])", reader, list(memories))

    def _given(self, condition: str, reader: Reader, value: object) -> list[Feedback]:
        sql = f"SELECT body FROM feedback WHERE owner = %s AND build = %s AND {condition} ORDER BY at, id"
        return [_feedback.decode(str(row[0])) for row in self._db.rows(sql, (*self._builds.of(reader.user), value))]


_result = msgspec.json.Decoder(Result)


class PostgresResults:
    def __init__(self, connection: Connection, builds: Builds) -> None:
        self._db = connection
        self._builds = builds

    def put(self, result: Result, owner: str) -> None:
        with self._db.transaction():
            whose = self._builds.made_for(owner)
            self._db.run(
                "INSERT INTO results (owner, build, run, at, body) VALUES (%s,%s,%s,%s,%s)"
                " ON CONFLICT (owner, build, run) DO UPDATE SET at = excluded.at, body = excluded.body",
                (*whose, result.run, result.at.timestamp(), encoded(result)),
            )
            gone = "DELETE FROM credited WHERE owner = %s AND build = %s AND run = %s"
            self._db.run(gone, (*whose, result.run))
            self._db.run(
                "INSERT INTO credited (owner, build, memory, run) SELECT %s, %s, memory, %s"
                " FROM unnest(%s::text[]) AS memory ON CONFLICT DO NOTHING",
                (*whose, result.run, list(result.memories)),
            )

    def get(self, run: str, reader: Reader) -> Result | None:
        asked = "SELECT body FROM results WHERE owner = %s AND build = %s AND run = %s"
        row = self._db.row(asked, (*self._builds.of(reader.user), run))
        return _result.decode(str(row[0])) if row else None

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        asked = (
            "SELECT body FROM credited JOIN results USING (owner, build, run)"
            " WHERE owner = %s AND build = %s AND memory = %s ORDER BY at, run"
        )
        found = self._db.rows(asked, (*self._builds.of(reader.user), memory))
        return [_result.decode(str(row[0])) for row in found]
