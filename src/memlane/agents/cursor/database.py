"""Conversations out of Cursor's databases, as lines, and read from those lines. Login tokens are never read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import unquote, urlparse

import msgspec

from memlane.agents.agent import Document, Line, Peek, Transcript
from memlane.agents.cursor.steps import CHANGING, files_in, gathering
from memlane.agents.records import Record, inner, mapping, moment, plain, sequence, text
from memlane.agents.rows import folded, row_line
from memlane.domain import Author, Facts, Kind, ToolCall, Turn
from memlane.errors import LaneError
from memlane.system.sqlite_snapshot import Cell, SqliteSnapshot, opened

ROWS = "cursorDiskKV"
COLUMNS = ("key", "value")
HEADS = "composer.composerData"
TABS = "workbench.panel.aichat.view.aichat.chatdata"


def conversations(path: Path) -> Iterator[Document]:
    with opened(path) as tables:
        if tables.has(ROWS):
            yield from _of_rows(tables, path)
        if tables.has("ItemTable"):
            folder = _folder(path.parent)
            yield from _of_composers(_item(tables, HEADS), folder)
            yield from _of_tabs(_item(tables, TABS), folder)


def _of_rows(tables: SqliteSnapshot, path: Path) -> Iterator[Document]:
    """One conversation at a time: the database may be larger than memory."""
    folders = _folders_by_composer(path)
    for key, value in list(tables.rows(f"SELECT key, value FROM {ROWS} WHERE key LIKE 'composerData:%' ORDER BY key")):
        composer = text(key).partition(":")[2]
        head = mapping(inner(_decoded(value)))
        bubbles = list(
            tables.rows(
                f"SELECT key, value FROM {ROWS} WHERE key >= ? AND key < ? AND value IS NOT NULL ORDER BY key",
                (f"bubbleId:{composer}:", f"bubbleId:{composer};"),
            )
        )
        if not head or not (bubbles or sequence(head.get("conversation"))):
            continue  # an empty draft
        places = {name: at for at, name in enumerate(order_of(head))}
        bubbles.sort(key=lambda row: (places.get(text(row[0]).rpartition(":")[2], len(places)), text(row[0])))
        lines = [row_line(ROWS, COLUMNS, (key, _decoded(value)))]
        lines += [row_line(ROWS, COLUMNS, (name, _decoded(bubble))) for name, bubble in bubbles]
        yield _document(composer, lines, head, _own_folder(head) or folders.get(composer, ""))


def order_of(head: Record) -> list[str]:
    return [text(mapping(one).get("bubbleId")) for one in sequence(head.get("fullConversationHeadersOnly"))]


def _of_composers(value: Record, folder: str) -> Iterator[Document]:
    for head in map(mapping, sequence(value.get("allComposers"))):
        bubbles = sequence(head.get("conversation"))
        if bubbles:
            yield _in_lines("composer", text(head.get("composerId")), head, "conversation", folder)


def _of_tabs(value: Record, folder: str) -> Iterator[Document]:
    for head in map(mapping, sequence(value.get("tabs"))):
        if sequence(head.get("bubbles")):
            yield _in_lines("tab", text(head.get("tabId")), head, "bubbles", folder)


def _in_lines(table: str, name: str, head: Record, inside: str, folder: str) -> Document:
    rest = {key: value for key, value in head.items() if key != inside}
    lines = [_line(table, rest)]
    lines += [_line("bubble", mapping(bubble)) for bubble in sequence(head.get(inside))]
    return _document(name, lines, head, folder)


def _line(table: str, row: Record) -> bytes:
    return msgspec.json.encode({"table": table, "row": row})


def _document(name: str, lines: list[bytes], head: Record, folder: str) -> Document:
    started = moment(head.get("createdAt")) or moment(head.get("lastSendTime")) or moment(head.get("lastUpdatedAt"))
    return Document(Transcript(name), tuple(lines), Peek(started=started, cwd=folder))


def _item(tables: SqliteSnapshot, key: str) -> Record:
    row = next(tables.rows("SELECT value FROM ItemTable WHERE key = ?", (key,)), None)
    return mapping(inner(_decoded(row[0]))) if row else {}


def _decoded(cell: Cell) -> str:
    return cell.decode("utf-8", "replace") if isinstance(cell, bytes) else text(cell)


def _own_folder(head: Record) -> str:
    return text(mapping(mapping(head.get("workspaceIdentifier")).get("uri")).get("fsPath"))


def _folder(storage: Path) -> str:
    """The folder a workspace's database belongs to, as `workspace.json` beside it says."""
    try:
        told = mapping(msgspec.json.decode((storage / "workspace.json").read_bytes()))
    except (OSError, msgspec.DecodeError):
        return ""
    return unquote(urlparse(text(told.get("folder")) or text(told.get("workspace"))).path)


def _folders_by_composer(path: Path) -> dict[str, str]:
    """The global database does not say where a conversation was had; the workspaces' lists do."""
    found: dict[str, str] = {}
    for storage in sorted((path.parents[1] / "workspaceStorage").glob("*/state.vscdb")):
        folder = _folder(storage.parent)
        try:
            with opened(storage) as tables:
                heads = sequence(_item(tables, HEADS).get("allComposers")) if tables.has("ItemTable") else ()
        except LaneError:
            continue  # that workspace is looked at by itself, and set aside if it cannot be read
        found |= {text(mapping(head).get("composerId")): folder for head in heads}
    return found


KEYS = {ROWS: ("key",), "composer": ("composerId",), "tab": ("tabId",), "bubble": ("bubbleId", "id")}
_FAILED = frozenset({"error", "failed"})
_REJECTED = frozenset({"rejected", "cancelled"})


@dataclass(frozen=True, slots=True)
class Bubble:
    """One message, and the line it stands on."""

    id: str
    data: Record
    line: int


class BubbleParser:
    """All bubbles are known before the first Turn: a head says their order, and any may have changed."""

    append_only = False

    def __init__(self, lines: Iterable[Line], transcript: Transcript) -> None:
        self._transcript = transcript
        self._rows = folded(lines, KEYS)
        self._head, self._bubbles = self._parted()
        self._turn = gathering(transcript)
        self._models: dict[str, None] = {}

    def _parted(self) -> tuple[Record, list[Bubble]]:
        heads = [row.row for table in ("composer", "tab") for row in self._rows.of(table)]
        bubbles = [Bubble(_name(row.row), row.row, row.line) for row in self._rows.of("bubble")]
        for row in self._rows.of(ROWS):
            key, value = text(row.row.get("key")), mapping(inner(row.row.get("value")))
            if key.startswith("composerData:"):
                heads.append(value)
                bubbles += [Bubble(_name(b), b, row.line) for b in map(mapping, sequence(value.get("conversation")))]
            else:
                bubbles.append(Bubble(key.rpartition(":")[2], value, row.line))
        head: Record = heads[-1] if heads else {}
        places = {name: at for at, name in enumerate(order_of(head))}
        return head, sorted(bubbles, key=lambda b: places.get(b.id, len(places))) if places else bubbles

    def turns(self) -> Iterator[Turn]:
        listed = set(order_of(self._head))
        for bubble in self._bubbles:
            at, words = _when(bubble.data), _said(bubble.data).strip()
            if listed and bubble.id not in listed:
                self._turn.add(Author.SYSTEM, Kind.META, bubble.line, f"taken back: {words[:200]}", native_id=bubble.id)
            elif bubble.data.get("type") in (1, "user"):
                if words:
                    yield from self._turn.prompt(words, bubble.line, bubble.id, at)
            else:
                self._answer(bubble, words, at)
        yield from self._turn.finished()

    def _answer(self, bubble: Bubble, words: str, at: datetime | None) -> None:
        thought = text(mapping(bubble.data.get("thinking")).get("text"))
        if thought.strip():
            self._turn.add(Author.AGENT, Kind.THINKING, bubble.line, thought, native_id=bubble.id, at=at)
        if words:
            self._turn.add(Author.AGENT, Kind.TEXT, bubble.line, words, native_id=bubble.id, at=at)
        used = mapping(bubble.data.get("toolFormerData"))
        if text(used.get("name")):
            self._turn.add(Author.TOOL, Kind.TOOL_CALL, bubble.line, "", native_id=bubble.id, at=at, call=_call(used))
            if text(used.get("userDecision")) in _REJECTED:
                self._turn.add(Author.PERSON, Kind.INTERRUPT, bubble.line, "rejected", native_id=bubble.id, at=at)
        model = text(bubble.data.get("modelType"))
        if model:
            self._models[model] = None

    def facts(self) -> Facts:
        chosen = text(mapping(self._head.get("modelConfig")).get("modelName"))
        return Facts(
            title=text(self._head.get("name")) or text(self._head.get("chatTitle")),
            models=tuple(dict.fromkeys([*self._models, *([chosen] if chosen else [])])),
            parent_native_id=self._transcript.parent_native_id,
            relation=self._transcript.relation,
            unknown=dict(self._rows.unknown),
            broken=tuple(self._rows.broken),
        )


def _name(bubble: Record) -> str:
    return text(bubble.get("bubbleId")) or text(bubble.get("id"))


def _said(bubble: Record) -> str:
    return text(bubble.get("text")) or text(bubble.get("rawText"))


def _when(bubble: Record) -> datetime | None:
    timing = mapping(bubble.get("timingInfo"))
    return moment(bubble.get("createdAt")) or moment(timing.get("clientRpcSendTime"))


def _call(used: Record) -> ToolCall:
    name = text(used.get("name"))
    given = mapping(plain(inner(used.get("rawArgs")))) or mapping(plain(inner(used.get("params"))))
    result = used.get("result")
    status = text(used.get("status"))
    return ToolCall(name, given, text(result), status in _FAILED, files_in(given), name in CHANGING)
