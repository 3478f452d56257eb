"""Where OpenCode keeps its sessions, and how one is taken out of its database or its older folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

import msgspec

from memlane.agents.agent import Container, Document, Line, Peek, Surroundings, Transcript
from memlane.agents.opencode.parser import OpenCodeParser
from memlane.agents.records import mapping, moment, text
from memlane.agents.rows import folded, row_line
from memlane.domain import Relation
from memlane.system.sqlite_snapshot import Cell, SqliteSnapshot, opened

KEYS = {"session": ("id",), "message": ("id",), "part": ("id",)}
_DATABASE = re.compile(r"opencode(?:-[\w.]+)?\.db")
_SESSION = re.compile(r"ses_\w+\.json")


@dataclass(frozen=True, slots=True)
class OpenCode:
    """`$XDG_DATA_HOME/opencode`, or `~/.local/share/opencode` on every system."""

    name: str = "opencode"
    title: str = "OpenCode"

    def places(self, around: Surroundings) -> tuple[Path, ...]:
        own = around.variables.get("XDG_DATA_HOME", "")
        return ((Path(own) if own else around.home / ".local" / "share") / "opencode",)

    def recognise(self, path: PurePath) -> Container | None:
        match path.parts:
            case (name,) if _DATABASE.fullmatch(name):
                return Container()
            case ("storage", "session", _project, name) if _SESSION.fullmatch(name):
                return Container()
            case _:
                return None

    def documents(self, path: Path) -> Iterator[Document]:
        if path.suffix != ".db":
            yield _from_files(path)
            return
        with opened(path) as tables:
            for (session,) in list(tables.rows("SELECT id FROM session ORDER BY time_created, id")):
                yield _from_rows(tables, session)

    def peek(self, lines: Iterable[Line]) -> Peek:
        sessions = folded(lines, KEYS).of("session")
        return _peek(mapping(sessions[0].row)) if sessions else Peek()

    def read(self, lines: Iterable[Line], transcript: Transcript) -> OpenCodeParser:
        return OpenCodeParser(folded(lines, KEYS), transcript)


def _peek(session: object) -> Peek:
    row = mapping(session)
    return Peek(started=moment(row.get("time_created")), cwd=text(row.get("directory")))


def _from_rows(tables: SqliteSnapshot, session: Cell) -> Document:
    """The session's row, then its messages in the order they were made, each followed by its parts."""
    columns = {table: tables.columns(table) for table in KEYS}
    (head,) = list(tables.rows(f"SELECT {_names(columns['session'])} FROM session WHERE id = ?", (session,)))
    lines = [row_line("session", columns["session"], head)]
    parts: dict[Cell, list[bytes]] = {}
    which = "session_id = ? ORDER BY time_created, id"
    for row in tables.rows(f"SELECT message_id, {_names(columns['part'])} FROM part WHERE {which}", (session,)):
        parts.setdefault(row[0], []).append(row_line("part", columns["part"], row[1:]))
    for row in tables.rows(f"SELECT id, {_names(columns['message'])} FROM message WHERE {which}", (session,)):
        lines.append(row_line("message", columns["message"], row[1:]))
        lines += parts.pop(row[0], [])
    for strays in parts.values():  # parts whose message is gone
        lines += strays
    named = dict(zip(columns["session"], head, strict=True))
    return _document(text(named.get("id")), text(named.get("parent_id")), lines, _peek(named))


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _from_files(path: Path) -> Document:
    """The same rows out of the folders OpenCode used before: `data` is a file's text."""
    storage, session = path.parents[2], path.stem
    info = mapping(msgspec.json.decode(path.read_bytes()))
    times, parent = mapping(info.get("time")), text(info.get("parentID"))
    head: dict[str, object] = {
        "id": session,
        "parent_id": parent,
        "directory": text(info.get("directory")),
        "title": text(info.get("title")),
        "version": text(info.get("version")),
        "time_created": times.get("created"),
        "data": path.read_text(errors="replace"),
    }
    lines = [msgspec.json.encode({"table": "session", "row": head})]
    for message in sorted((storage / "message" / session).glob("msg_*.json")):
        lines.append(_file_line("message", message, session, message.stem))
        for part in sorted((storage / "part" / message.stem).glob("prt_*.json")):
            lines.append(_file_line("part", part, session, message.stem))
    return _document(session, parent, lines, _peek(head))


def _file_line(table: str, path: Path, session: str, message: str) -> bytes:
    row = {"id": path.stem, "session_id": session, "message_id": message, "data": path.read_text(errors="replace")}
    return msgspec.json.encode({"table": table, "row": row})


def _document(session: str, parent: str, lines: list[bytes], peek: Peek) -> Document:
    relation = Relation.SUBAGENT if parent else None
    return Document(Transcript(session, parent, relation), tuple(lines), peek)
