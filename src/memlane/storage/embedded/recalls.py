"""Recalls, each exactly as it was answered, the Feedback on them, and how Runs went, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

import msgspec

from memlane.domain import Feedback, Outcome, Reader, Recall
from memlane.storage.embedded.conditions import most
from memlane.storage.embedded.connection import Connection, moment
from memlane.storage.values import Result

_decoder = msgspec.json.Decoder(Recall)
_feedback = msgspec.json.Decoder(Feedback)


class EmbeddedRecalls:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def record(self, recall: Recall) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO recalls (id, owner, at, run, cwd, outcome, body) VALUES (?,?,?,?,?,?,?)",
            (
                recall.id,
                recall.owner,
                recall.at.timestamp(),
                recall.query.run,
                recall.query.cwd,
                recall.outcome.value,
                msgspec.json.encode(recall).decode(),
            ),
        )
        self._db.run_many(
            "INSERT INTO recalled (memory, run, owner, at) VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET at = max(at, excluded.at)",
            ((match.memory.id, recall.query.run, recall.owner, recall.at.timestamp()) for match in recall.told),
        )

    def get(self, recall: str, reader: Reader) -> Recall | None:
        row = self._db.row("SELECT body FROM recalls WHERE id = ? AND owner = ?", (recall, reader.user))
        return _decoder.decode(str(row[0])) if row else None

    def newest(self, limit: int | None, reader: Reader, *, run: str = "", cwd: str = "") -> Sequence[Recall]:
        # `+owner` keeps SQLite from walking through all of an owner's to find those of one Run.
        condition, values = "+owner = ?" if run else "owner = ?", [reader.user]
        for column, value in (("run", run), ("cwd", cwd)):
            if value:
                condition += f" AND {column} = ?"
                values.append(value)
        found = self._db.rows(
            f"SELECT body FROM recalls WHERE {condition} ORDER BY at DESC, id LIMIT ?", (*values, most(limit))
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def shown_in(self, run: str, reader: Reader) -> Sequence[Recall]:
        found = self._db.rows(
            "SELECT body FROM recalls WHERE run = ? AND +owner = ? AND outcome = ? ORDER BY at, id",
            (run, reader.user, Outcome.SHOWN.value),
        )
        return [_decoder.decode(str(row[0])) for row in found]

    def that_showed(self, memory: str, limit: int | None, reader: Reader) -> Sequence[Recall]:
        found = self._db.rows(
            "SELECT body FROM recalls WHERE run IN (SELECT run FROM recalled WHERE memory = ?) AND owner = ?"
            " AND outcome = ? ORDER BY at DESC, id",
            (memory, reader.user, Outcome.SHOWN.value),
        )
        recalls = (_decoder.decode(str(row[0])) for row in found)
        return list(islice((one for one in recalls if any(m.memory.id == memory for m in one.shown)), limit))

    def told_since(self, since: datetime, reader: Reader) -> Mapping[str, datetime]:
        found = self._db.rows(
            "SELECT memory, max(at) FROM recalled WHERE owner = ? AND at >= ? GROUP BY memory",
            (reader.user, since.timestamp()),
        )
        return {str(memory): at for memory, told in found if (at := moment(told)) is not None}

    def drop_words(self, run: str, owner: str) -> None:
        for (body,) in self._db.rows("SELECT body FROM recalls WHERE run = ? AND owner = ?", (run, owner)):
            recall = _decoder.decode(str(body))
            self.record(replace(recall, query=replace(recall.query, words="", files=())))
            given = self._db.rows("SELECT body FROM feedback WHERE recall = ? AND owner = ?", (recall.id, owner))
            for (said,) in given:
                self.judge(replace(_feedback.decode(str(said)), query="", because=""))

    def judge(self, feedback: Feedback) -> None:
        self._db.run(
            "INSERT OR REPLACE INTO feedback (id, owner, recall, memory, at, body) VALUES (?,?,?,?,?,?)",
            (
                feedback.id,
                feedback.owner,
                feedback.recall,
                feedback.memory,
                feedback.at.timestamp(),
                msgspec.json.encode(feedback).decode(),
            ),
        )

    def take_back(self, feedback: str, owner: str) -> None:
        self._db.run("DELETE FROM feedback WHERE id = ? AND owner = ?", (feedback, owner))

    def judged(self, memories: Sequence[str], reader: Reader) -> Sequence[Feedback]:
        found = self._db.rows(
            "SELECT body FROM feedback WHERE memory IN (SELECT value FROM json_each(?)) AND owner = ? ORDER BY at, id",
            (json.dumps(list(memories)), reader.user),
        )
        return [_feedback.decode(str(row[0])) for row in found]


_result = msgspec.json.Decoder(Result)


class EmbeddedResults:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    def put(self, result: Result, owner: str) -> None:
        with self._db.transaction():
            self._db.run(
                "INSERT OR REPLACE INTO results (owner, run, at, body) VALUES (?,?,?,?)",
                (owner, result.run, result.at.timestamp(), msgspec.json.encode(result).decode()),
            )
            self._db.run("DELETE FROM credited WHERE owner = ? AND run = ?", (owner, result.run))
            self._db.run_many(
                "INSERT OR IGNORE INTO credited (owner, memory, run) VALUES (?,?,?)",
                ((owner, memory, result.run) for memory in result.memories),
            )

    def get(self, run: str, reader: Reader) -> Result | None:
        row = self._db.row("SELECT body FROM results WHERE owner = ? AND run = ?", (reader.user, run))
        return _result.decode(str(row[0])) if row else None

    def of(self, memory: str, reader: Reader) -> Sequence[Result]:
        found = self._db.rows(
            "SELECT body FROM credited JOIN results USING (owner, run) WHERE owner = ? AND memory = ? ORDER BY at, run",
            (reader.user, memory),
        )
        return [_result.decode(str(row[0])) for row in found]
