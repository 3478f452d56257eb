"""Recalls, each exactly as it was answered, the Feedback on them, and how Runs went, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

import msgspec

from memlane.domain import Feedback, Outcome, Reader, Recall
from memlane.storage.postgres.connection import Connection, encoded, moment
from memlane.storage.values import Result

_decoder = msgspec.json.Decoder(Recall)
_feedback = msgspec.json.Decoder(Feedback)


class PostgresRecalls:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def record(self, recall: Recall) -> None:
        self._db.run(
            "INSERT INTO recalls (id, owner, at, run, cwd, outcome, body) VALUES (%s,%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, at = excluded.at, run = excluded.run,"
            " cwd = excluded.cwd, outcome = excluded.outcome, body = excluded.body",
            (
                recall.id,
                recall.owner,
                recall.at.timestamp(),
                recall.query.run,
                recall.query.cwd,
                recall.outcome.value,
                encoded(recall),
            ),
        )
        self._db.run_many(
            "INSERT INTO recalled (memory, run, owner, at) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (memory, run) DO UPDATE SET at = greatest(recalled.at, excluded.at)",
            ((match.memory.id, recall.query.run, recall.owner, recall.at.timestamp()) for match in recall.told),
        )

    def get(self, recall: str, reader: Reader) -> Recall | None:
        row = self._db.row("SELECT body FROM recalls WHERE id = %s AND owner = %s", (recall, reader.user))
        return _decoder.decode(str(row[0])) if row else None

    def newest(self, limit: int | None, reader: Reader, *, run: str = "", cwd: str = "") -> Sequence[Recall]:
        condition, values = "owner = %s", [reader.user]
        for column, value in (("run", run), ("cwd", cwd)):
            if value:
                condition += f" AND {column} = %s"
                values.append(value)
        found = self._db.rows(
            f"SELECT body FROM recalls WHERE {condition} ORDER BY at DESC, id LIMIT %s", (*values, limit)
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def shown_in(self, run: str, reader: Reader) -> Sequence[Recall]:
        found = self._db.rows(
            "SELECT body FROM recalls WHERE run = %s AND owner = %s AND outcome = %s ORDER BY at, id",
            (run, reader.user, Outcome.SHOWN.value),
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def that_showed(self, memory: str, limit: int | None, reader: Reader) -> Sequence[Recall]:
        found = self._db.rows(
            "SELECT body FROM recalls WHERE run IN (SELECT run FROM recalled WHERE memory = %s) AND owner = %s"
            " AND outcome = %s ORDER BY at DESC, id",
            (memory, reader.user, Outcome.SHOWN.value),
        )
        recalls = (_decoder.decode(str(row[0])) for row in found)
        return list(islice((one for one in recalls if any(m.memory.id == memory for m in one.shown)), limit))

    def told_since(self, since: datetime, reader: Reader) -> Mapping[str, datetime]:
        found = self._db.rows(
            "SELECT memory, max(at) FROM recalled WHERE owner = %s AND at >= %s GROUP BY memory",
            (reader.user, since.timestamp()),
        )
        return {str(memory): at for memory, told in found if (at := moment(told)) is not None}

    def drop_words(self, run: str, owner: str) -> None:
        for (body,) in self._db.rows("SELECT body FROM recalls WHERE run = %s AND owner = %s", (run, owner)):
            recall = _decoder.decode(str(body))
            self.record(replace(recall, query=replace(recall.query, words="", files=())))
            given = self._db.rows("SELECT body FROM feedback WHERE recall = %s AND owner = %s", (recall.id, owner))
            for (said,) in given:
                self.judge(replace(_feedback.decode(str(said)), query="", because=""))

    def judge(self, feedback: Feedback) -> None:
        self._db.run(
            "INSERT INTO feedback (id, owner, recall, memory, at, body) VALUES (%s,%s,%s,%s,%s,%s)"
            " ON CONFLICT (id) DO UPDATE SET body = excluded.body, at = excluded.at",
            (feedback.id, feedback.owner, feedback.recall, feedback.memory, feedback.at.timestamp(), encoded(feedback)),
        )

    def take_back(self, feedback: str, owner: str) -> None:
        self._db.run("DELETE FROM feedback WHERE id = %s AND owner = %s", (feedback, owner))

    def judged(self, memories: Sequence[str], reader: Reader) -> Sequence[Feedback]:
        found = self._db.rows(
            "SELECT body FROM feedback WHERE memory = ANY(%s::text[]) AND owner = %s ORDER BY at, id",
            (list(memories), reader.user),
        )
        return [_feedback.decode(str(row[0])) for row in found]


_result = msgspec.json.Decoder(Result)


class PostgresResults:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, result: Result, owner: str) -> None:
        with self._db.transaction():
            self._db.run(
                "INSERT INTO results (owner, run, at, body) VALUES (%s,%s,%s,%s)"
                " ON CONFLICT (owner, run) DO UPDATE SET at = excluded.at, body = excluded.body",
                (owner, result.run, result.at.timestamp(), encoded(result)),
            )
            self._db.run("DELETE FROM credited WHERE owner = %s AND run = %s", (owner, result.run))
            self._db.run(
                "INSERT INTO credited (owner, memory, run) SELECT %s, memory, %s FROM unnest(%s::text[]) AS memory"
                " ON CONFLICT DO NOTHING",
                (owner, result.run, list(result.memories)),
            )

    def get(self, run: str, reader: Reader) -> Result | None:
        row = self._db.row("SELECT body FROM results WHERE owner = %s AND run = %s", (reader.user, run))
        return _result.decode(str(row[0])) if row else None

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        asked = "SELECT body FROM credited JOIN results USING (owner, run) WHERE owner = %s AND memory = %s"
        found = self._db.rows(f"{asked} ORDER BY at, run", (reader.user, memory))
        return [_result.decode(str(row[0])) for row in found]
