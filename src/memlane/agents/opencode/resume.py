"""How OpenCode goes on with a Run: its own `import` takes a session in, so that only OpenCode writes its database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from memlane.agents.agent import Line, Surroundings
from memlane.agents.opencode.source import KEYS, OpenCode
from memlane.agents.records import Record, inner, mapping, number, text
from memlane.agents.resume import FileCopy, Placement, RunCopy
from memlane.agents.rows import Rows, folded
from memlane.system.sqlite_snapshot import UnreadableSqliteError, opened

DATABASE = "opencode.db"


class OpenCodeResume:
    by_folder = False
    chain = ("", "")

    def command(self, handle: str, prompt: str = "") -> tuple[str, ...]:  # noqa: ARG002 - it has nowhere to put it
        return ("opencode", "--session", handle)  # its --prompt is read only where a new session begins

    def begin(self, prompt: str) -> tuple[str, ...]:
        return ("opencode", "--prompt", prompt)

    def place(self, run: RunCopy, around: Surroundings) -> Placement:
        (base,) = OpenCode().places(around)
        if _holds(base / DATABASE, run.native_id):
            return Placement(run.native_id, ())
        files = tuple(_export(file, run.folder, n) for n, file in enumerate((run.transcript, *run.others)))
        return Placement(run.native_id, files, ("opencode", "import"))


def _holds(database: Path, session: str) -> bool:
    if not database.exists():
        return False
    try:
        with opened(database) as tables:
            return bool(list(tables.rows("SELECT 1 FROM session WHERE id = ?", (session,))))
    except UnreadableSqliteError:
        return False


def _export(file: FileCopy, folder: str, n: int) -> FileCopy:
    """What `opencode export` prints, made of the rows; the path is relative: it is only for the import."""

    def data() -> Iterator[bytes]:
        rows = folded((Line(n, line) for n, line in enumerate(_lines(file), 1)), KEYS)
        yield json.dumps(export(rows, folder)).encode()

    return FileCopy(PurePath(f"session-{n}.json"), data)


def _lines(file: FileCopy) -> Iterable[bytes]:
    return b"".join(file.data()).splitlines()


def export(rows: Rows, folder: str) -> Record:
    sessions = rows.of("session")
    head: Record = sessions[-1].row if sessions else {}
    session = text(head.get("id"))
    parts = dict[str, list[Record]]()
    for one in sorted(rows.of("part"), key=lambda row: (number(row.row.get("time_created")), row.line)):
        names = {"id": one.row.get("id"), "sessionID": session, "messageID": one.row.get("message_id")}
        parts.setdefault(text(one.row.get("message_id")), []).append({**mapping(inner(one.row.get("data"))), **names})
    messages = sorted(rows.of("message"), key=lambda row: (number(row.row.get("time_created")), row.line))
    return {
        "info": _info(head, folder),
        "messages": [
            {
                "info": {**mapping(inner(one.row.get("data"))), "id": one.row.get("id"), "sessionID": session},
                "parts": parts.get(text(one.row.get("id")), []),
            }
            for one in messages
        ],
    }


def _info(head: Record, folder: str) -> Record:
    known = {
        "id": head.get("id"),
        "slug": text(head.get("slug")) or text(head.get("id")),
        "projectID": text(head.get("project_id")) or "global",
        "directory": folder,
        "title": text(head.get("title")),
        "version": text(head.get("version")),
        "time": {"created": number(head.get("time_created")), "updated": number(head.get("time_updated"))},
    }
    parent = text(head.get("parent_id"))
    return {**known, "parentID": parent} if parent else known
